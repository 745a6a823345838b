import { linearPredictor } from '../kernels/gram.js'
import type { LinearParams, Params, Supervised } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { ownDensities } from '../mixture/discrete/counts/proportions.js'
import { firstEdge, shellsOf } from '../mixture/discrete/counts/shells.js'
import type { CountRule, ShellBins, ShellsAsked } from './aggregates.js'
import { LossBinsBuilder } from './loss-bins.js'
import type { PassModel } from './models.js'

/** Where each row of a block lies, and how probable it is there. */
function inShells<P extends Params>(
  { likelihood, dispersion = 0 }: PassModel<P>,
  data: Supervised,
  { params, at, least, core }: ShellsAsked<P>,
) {
  const losses = rowVector(data.x.rows)
  likelihood.losses(data, params, losses)
  const eta = rowVector(data.x.rows)
  const { intercept, coefficients } = at as unknown as LinearParams
  linearPredictor(data.x, intercept, coefficients, eta)
  const shells = shellsOf(data.y, eta, dispersion, least)
  return { losses, eta, ...shells, densities: ownDensities(shells, core) }
}

/** P(good) of the rows of a block. */
export function goodCounts<P extends Params>(
  model: PassModel<P>,
  data: Supervised,
  rule: CountRule<P>,
): Float64Array {
  const { losses, shell, densities } = inShells(model, data, rule)
  const { good, shares } = rule
  return losses.map((loss, i) => {
    const g = good * Math.exp(-loss)
    const q = (1 - good) * (shares[Math.abs(shell[i])] ?? 0) * densities[i]
    return g / Math.max(g + q, Number.MIN_VALUE)
  })
}

/** Gathers rows by shells, block by block. */
export class ShellBinsBuilder<P extends Params> {
  private readonly model: PassModel<P>
  private readonly ask: ShellsAsked<P>
  private readonly builders: LossBinsBuilder[] = []
  private readonly counts: number[] = []
  private core = 0
  private least = Number.NEGATIVE_INFINITY
  private logDensities = 0
  private readonly certain = { rows: 0, loss: 0 }
  private loss = 0

  constructor(model: PassModel<P>, ask: ShellsAsked<P>) {
    this.model = model
    this.ask = ask
  }

  add(data: Supervised): void {
    const { losses, eta, shell, densities, count } = inShells(this.model, data, this.ask)
    this.least = Math.max(this.least, firstEdge(eta, this.model.dispersion ?? 0))
    const own = Array.from({ length: count }, () => [] as number[])
    for (let i = 0; i < losses.length; i++) {
      // The core is tied to the first shell above it.
      const k = Math.abs(shell[i])
      this.loss += losses[i]
      if (shell[i] === -1) this.core++
      else this.counts[k] = (this.counts[k] ?? 0) + 1
      if (densities[i] > 0) {
        const log = Math.log(densities[i])
        this.logDensities += log
        own[k].push(losses[i] + log)
      } else {
        this.certain.rows++
        this.certain.loss += losses[i]
      }
    }
    own.forEach((values, k) => {
      this.builders[k] ??= new LossBinsBuilder()
      if (values.length > 0) this.builders[k].add(Float64Array.from(values))
    })
  }

  /** Adds rows that were gathered elsewhere. */
  merge({ shells, core, least, bins, logDensities, certain, loss }: ShellBins): void {
    this.core += core
    this.least = Math.max(this.least, least)
    this.logDensities += logDensities
    this.certain.rows += certain.rows
    this.certain.loss += certain.loss
    this.loss += loss
    bins.forEach((own, k) => {
      this.builders[k] ??= new LossBinsBuilder()
      this.builders[k].merge(own)
      this.counts[k] = (this.counts[k] ?? 0) + shells[k]
    })
  }

  finish(): ShellBins {
    const { builders, counts, core, least, logDensities, certain, loss } = this
    return {
      shells: Float64Array.from(builders, (_, k) => counts[k] ?? 0),
      core,
      least,
      bins: builders.map((builder) => builder.finish()),
      logDensities,
      certain,
      loss,
    }
  }
}
