import { describe, expect, test } from 'vitest'
import { RlviError } from '../errors.js'
import { covariance } from '../likelihoods/covariance.js'
import { linear } from '../likelihoods/linear.js'
import { logistic } from '../likelihoods/logistic.js'
import { mean } from '../likelihoods/mean.js'
import { pca } from '../likelihoods/pca.js'
import { poisson } from '../likelihoods/poisson.js'
import { softmax } from '../likelihoods/softmax.js'
import { matrix } from '../matrix.js'
import type { Fit } from '../result.js'
import { fit } from './fit.js'
import { huber } from './huber.js'
import { ml } from './ml.js'
import { paper } from './paper.js'
import { rrm } from './rrm.js'
import { sever } from './sever.js'

/**
 * The law: whatever the numbers are, a fit ends with a documented status or error, its numbers are finite, and the order of the
 * rows does not matter.
 */

/** The value in row i, column j. */
const values: Readonly<Record<string, (i: number, j: number) => number>> = {
  constant: () => 3,
  zero: () => 0,
  ties: (i, j) => (i * 7 + j * 3) % 3,
  plain: (i, j) => Math.sin(12.9898 * (i + 1) * (j + 2)) * 2,
  exact: (i, j) => i * (j + 1),
  'every row four times': (i, j) => Math.sin(12.9 * ((i >> 2) + 1) * (j + 2)),
  '1e149': (i, j) => 1e149 * Math.sin(i * 3 + j),
  '1e155': (i, j) => 1e155 * Math.sin(i * 3 + j),
  '1e300': (i, j) => 1e300 * Math.sin(i * 3 + j),
  '1e-300': (i, j) => 1e-300 * Math.sin(i * 3 + j),
  denormal: (i, j) => 5e-324 * (1 + ((i * 5 + j) % 7)),
  'of all sizes': (i, j) => [1e149, -1e149, 1, 1e-300, 0][(i + j) % 5]!,
  'one far out': (i, j) => (i === 0 ? 1e100 : Math.sin(i + j)),
  'nearly constant': (i, j) => 1e9 + Math.sin(i * 3.3 + j) * 1e-3,
}

interface Case {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly rows: number
}
type Run = (data: Case) => Fit<object>

const data = ({ x, rows }: Case) => ({ x: matrix(rows, x.length / rows, x) })
const labelled = (given: Case, label: (value: number) => number) => ({
  ...data(given),
  y: given.y.map(label),
})
const assumed = { assumed: 0.3 }

/** Every model with every method that takes it. */
const models: Readonly<Record<string, Readonly<Record<string, Run>>>> = {
  linear: {
    fit: (d) =>
      fit(
        linear(),
        labelled(d, (v) => v),
      ),
    paper: (d) =>
      paper(
        linear(),
        labelled(d, (v) => v),
      ),
    ml: (d) =>
      ml(
        linear(),
        labelled(d, (v) => v),
      ),
    huber: (d) =>
      huber(
        linear(),
        labelled(d, (v) => v),
      ),
    sever: (d) =>
      sever(
        linear(),
        labelled(d, (v) => v),
        assumed,
      ),
    rrm: (d) =>
      rrm(
        linear(),
        labelled(d, (v) => v),
        assumed,
      ),
  },
  logistic: runs(logistic(), (v) => (v > 0.5 ? 1 : 0)),
  softmax: runs(softmax({ classes: 3 }), (v) => Math.abs(Math.floor(v)) % 3 || 0),
  poisson: runs(poisson(), (v) => Math.min(Math.floor(Math.abs(v)), 1e9)),
  mean: runs(mean()),
  covariance: {
    ...runs(covariance()),
    paper: (d) => paper(covariance(), data(d), { goodRows: 0.7 * d.rows }),
  },
  pca: runs(pca({ components: 1 })),
}

// biome-ignore lint/suspicious/noExplicitAny: likelihoods of all kinds of data
function runs(model: any, label?: (value: number) => number): Record<string, Run> {
  const given = (d: Case): unknown => (label === undefined ? data(d) : labelled(d, label))
  return {
    fit: (d) => fit(model, given(d)),
    paper: (d) => paper(model, given(d)),
    ml: (d) => ml(model, given(d)),
    sever: (d) => sever(model, given(d), assumed),
    rrm: (d) => rrm(model, given(d), assumed),
  }
}

function made(order: readonly number[], cols: number, x: string, y: string): Case {
  return {
    x: Float64Array.from({ length: order.length * cols }, (_, k) =>
      values[x]!(order[Math.floor(k / cols)]!, k % cols),
    ),
    y: Float64Array.from(order, (i) => values[y]!(i, 9)),
    rows: order.length,
  }
}

/** Undefined for data that are refused, with words for a person. */
function ended(run: Run, given: Case): Fit<object> | undefined {
  try {
    return run(given)
  } catch (error) {
    if (error instanceof RlviError && / must |needed/.test(error.message)) return undefined
    throw error
  }
}

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value as unknown as number[])
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : []
}

/** In its order, and in another. */
const orders = (rows: number): number[][] => {
  const plain = Array.from({ length: rows }, (_, i) => i)
  return [plain, [...plain].sort((a, b) => Math.sin(9 * a) - Math.sin(9 * b))]
}

/** Beside the largest of these numbers the others are within rounding: a rival's answer is one of several. */
const withinRounding = ['nearly constant', 'of all sizes', 'one far out']

const supervised = ['linear', 'logistic', 'softmax', 'poisson']
const cases = Object.entries(models).flatMap(([model, methods]) =>
  Object.entries(methods).map(([method, run]) => ({ model, method, run })),
)

describe.each(cases)('$model by $method', ({ model, method, run }) => {
  test.each(Object.keys(values))('%s', (x) => {
    const targets = supervised.includes(model) ? ['ties', 'exact', '1e149'] : ['plain']
    for (const y of targets)
      for (const [rows, cols] of [
        [1, 1],
        [2, 3],
        [12, 2],
      ] as const) {
        const [plain, ...others] = orders(rows)
        const where = `${rows} x ${cols}, y ${y}`
        const found = ended(run, made(plain!, cols, x, y))
        for (const order of others) {
          const again = ended(run, made(order, cols, x, y))
          expect(again === undefined, where).toBe(found === undefined)
          if (found === undefined || again === undefined) continue
          const undetermined = found.status.kind === 'degenerate' || withinRounding.includes(x)
          if (undetermined && method !== 'fit') continue
          const gap = Math.max(...order.map((i, k) => Math.abs(again.clean[k]! - found.clean[i]!)))
          expect(gap, `${where}: P(good) by order`).toBeLessThan(0.01)
        }
        if (found === undefined) continue
        const { params, clean, losses, corruption, status } = found
        expect(['converged', 'max-iterations', 'degenerate']).toContain(status.kind)
        expect(numbersOf({ ...params, problem: 0 }).every(Number.isFinite), `${where}: parameters`).toBe(true)
        expect(
          clean.every((p) => p >= 0 && p <= 1),
          `${where}: P(good)`,
        ).toBe(true)
        expect(
          numbersOf([corruption.level ?? 0, ...(corruption.interval ?? [])]).every(Number.isFinite),
        ).toBe(true)
        if (status.kind !== 'degenerate') expect(losses.every(Number.isFinite), `${where}: losses`).toBe(true)
      }
  })
})
