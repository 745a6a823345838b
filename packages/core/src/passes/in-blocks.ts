import { phrase, RlviError } from '../errors.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import type { Aggregates, CountAggregates } from './aggregates.js'
import type { Blocks } from './blocks.js'
import { type PassModel, specOf, withDispersion } from './models.js'
import { type PassAnswers, type PassAsks, type PassSum, passSum } from './pass-sum.js'

/** The sums over rows that come in blocks, from memory or from a file. */
export function inBlocks<P extends Params>(model: PassModel<P>, blocks: Blocks<Supervised>): Aggregates<P> {
  const ask = sharedPasses(model, blocks)
  return {
    rows: blocks.rows,
    cols: blocks.cols,
    centre: blocks.centre,
    sharesPasses: true,
    losses: (params) => ask('losses', { params }),
    moments: (own) => ask('moments', own),
    newton: (own) => ask('newton', own),
    offsets: (own) => ask('offsets', own),
    information: (params, weights) => ask('information', { params, weights }),
    ...(model.name === 'poisson'
      ? { counted: (dispersion) => countedInBlocks(model, blocks, dispersion) }
      : {}),
  }
}

/** The rows under a law of counts. */
function countedInBlocks<P extends Params>(
  poisson: PassModel<P>,
  blocks: Blocks<Supervised>,
  dispersion: number,
): CountAggregates<P> {
  const model = withDispersion(poisson, dispersion)
  const ask = sharedPasses(model, blocks)
  return { ...inBlocks(model, blocks), model, shells: (own) => ask('shells', own) }
}

type Ask<P extends Params> = <K extends keyof PassAnswers>(
  what: K,
  ask: PassAsks<P>[K],
) => Promise<PassAnswers[K]>

interface Asked<P extends Params> {
  readonly what: keyof PassAnswers
  readonly ask: PassAsks<P>[keyof PassAnswers]
  readonly sum: PassSum<unknown, unknown>
}

/** What is asked at once is found in one pass. */
function sharedPasses<P extends Params>(model: PassModel<P>, blocks: Blocks<Supervised>): Ask<P> {
  let waiting: Asked<P>[] = []
  let next: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    // Whoever asks now shares the pass.
    await undefined
    const asked = waiting
    waiting = []
    next = undefined
    await inOnePass(model, blocks, asked)
  }
  return async (what, ask) => {
    const sum = passSum(model, what, ask, blocks.centre)
    waiting.push({ what, ask, sum })
    next ??= begin()
    await next
    return sum.finish()
  }
}

/** One pass, over all rows or none: by whoever does it part by part, or else block by block. */
async function inOnePass<P extends Params>(
  model: PassModel<P>,
  blocks: Blocks<Supervised>,
  asked: readonly Asked<P>[],
): Promise<void> {
  let rows = 0
  const asks = asked.map(({ what, ask }) => ({ what, ask }))
  const task = { by: 'sums', model: specOf(model), asks, centre: blocks.centre } as const
  const isDone = await blocks.parts?.(task, (parts, count) => {
    rows += count
    asked.forEach(({ sum }, k) => {
      sum.merge((parts as readonly unknown[])[k])
    })
  })
  if (!isDone)
    await blocks.each((data) => {
      rows += data.x.rows
      for (const { sum } of asked) sum.add(data)
    })
  checkAll(blocks.rows, rows)
}

function checkAll(wanted: number, rows: number): void {
  if (rows === wanted) return
  const todo = 'did the table change? try again'
  throw new RlviError('pass', `all ${wanted} rows are needed`, phrase(`${rows} rows`), todo)
}
