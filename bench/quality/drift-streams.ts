/** Streams whose rule changes, or whose labels go bad for a while. */
import { matrix, type OnlineBatch, type OnlineOptions } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'

/** How the rule that makes the responses changes at a batch. */
export type Change = 'flip' | 'new rule' | 'none'

export interface Plan {
  readonly model: 'logistic' | 'softmax' | 'linear'
  readonly features: number
  readonly rows: number
  readonly batches: number
  /** The share of wrong responses in a batch. */
  readonly noise: (batch: number, random: Draws) => number
  readonly change: Change
  /** The first batch, from 0, of the new rule. */
  readonly at: number
  readonly seed: number
}

export interface Simulated extends OnlineBatch {
  /** The responses before any went bad. */
  readonly truth: Float64Array
  readonly share: number
}

export const CLASSES = 4

export function optionsFor({ model, features }: Plan): OnlineOptions {
  return { model, features, ...(model === 'softmax' ? { classes: CLASSES } : {}) }
}

/** Normal features; a linear rule with a little noise of its own, so that labels can be told with some 95 %. */
export function* simulate(plan: Plan): Generator<Simulated> {
  const random = draws('drift-streams', plan.seed * 7919 + 17)
  const rules = [ruleOf(plan, random), ruleOf(plan, random)]
  for (let t = 0; t < plan.batches; t++) {
    const after = plan.change !== 'none' && t >= plan.at
    const share = plan.noise(t, random)
    const x = matrix(plan.rows, plan.features)
    for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal()
    const truth = new Float64Array(plan.rows)
    const y = new Float64Array(plan.rows)
    for (let i = 0; i < plan.rows; i++) {
      const row = x.values.subarray(i * plan.features, (i + 1) * plan.features)
      const rule = after && plan.change === 'new rule' ? rules[1] : rules[0]
      truth[i] = response(plan, rule, row, random)
      if (after && plan.change === 'flip') truth[i] = flipped(plan, truth[i])
      y[i] = random.uniform(0, 1) < share ? spoiled(plan, truth[i], random) : truth[i]
    }
    yield { x, y, truth, share }
  }
}

/** For each label, or for the one response, a coefficient for each feature. */
function ruleOf({ model, features }: Plan, random: Draws): Float64Array[] {
  return Array.from({ length: model === 'softmax' ? CLASSES : 1 }, () =>
    Float64Array.from({ length: features }, () => random.normal()),
  )
}

function response({ model, features }: Plan, rule: Float64Array[], row: Float64Array, random: Draws): number {
  const own = 0.15 * Math.sqrt(features)
  const scores = rule.map((w) => w.reduce((sum, v, j) => sum + v * row[j], own * random.normal()))
  if (model === 'linear') return scores[0]
  if (model === 'logistic') return scores[0] > 0 ? 1 : 0
  return scores.indexOf(Math.max(...scores))
}

function flipped({ model }: Plan, y: number): number {
  if (model === 'linear') return -y
  return model === 'logistic' ? 1 - y : (y + 1) % CLASSES
}

function spoiled({ model, features }: Plan, y: number, random: Draws): number {
  if (model === 'linear') return 5 * Math.sqrt(features) * random.normal()
  if (model === 'logistic') return 1 - y
  return (y + 1 + Math.floor(random.uniform(0, CLASSES - 1))) % CLASSES
}
