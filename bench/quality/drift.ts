/** Streams: is drift followed and reported, and a burst of noise neither followed nor taken for drift? */
import { type OnlineEvent, online } from 'rlvi'
import { say } from '../measure.js'
import { type Change, optionsFor, type Plan, simulate } from './drift-streams.js'
import { type Criterion, isProgram, runOptions, table, verdict } from './program.js'

type Model = Plan['model']

interface ReportedEvent {
  readonly batch: number
  readonly kind: OnlineEvent['kind']
}

export interface Course {
  /** Accuracy of each batch's predictions, made before learning, against the true responses; for numbers, R squared. */
  readonly accuracy: number[]
  readonly reported: ReportedEvent[]
}

export function run(plan: Plan): Course {
  let state = online.init(optionsFor(plan))
  const accuracy: number[] = []
  const reported: ReportedEvent[] = []
  for (const batch of simulate(plan)) {
    const step = online.update(state, batch)
    state = step.state
    const { predictions, event } = step.result
    if (event.kind !== 'none') reported.push({ batch: accuracy.length, kind: event.kind })
    accuracy.push(
      plan.model === 'linear' ? explained(predictions, batch.truth) : right(predictions, batch.truth),
    )
  }
  return { accuracy, reported }
}

function right(predictions: Float64Array, truth: Float64Array): number {
  return predictions.reduce((sum, value, i) => sum + (value === truth[i] ? 1 : 0), 0) / truth.length
}

function explained(predictions: Float64Array, truth: Float64Array): number {
  const total = truth.reduce((sum, value) => sum + value * value, 0)
  return 1 - predictions.reduce((sum, value, i) => sum + (value - truth[i]) ** 2, 0) / total
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
/** Noise of 0 to 30 %, drawn anew for each batch. */
const changing: Plan['noise'] = (_, random) => random.uniform(0, 0.3)

const HALF = 60
const common = { features: 20, rows: 100, batches: 2 * HALF, at: HALF } as const

export interface DriftOutcome {
  /** Batches until the mean of three is 95 % of the accuracy before; Infinity if never. */
  readonly recovered: number
  /** Batches until drift is reported, the one in which it happened being 1. */
  readonly reported: number
  readonly others: number
}

export function drift(model: Model, change: Change, seed: number, rows = 100): DriftOutcome {
  const { accuracy, reported } = run({ ...common, rows, model, change, noise: changing, seed })
  const former = mean(accuracy.slice(HALF - 20, HALF))
  let recovered = Number.POSITIVE_INFINITY
  for (let t = HALF; t + 3 <= accuracy.length && recovered === Number.POSITIVE_INFINITY; t++) {
    if (mean(accuracy.slice(t, t + 3)) >= 0.95 * former) recovered = t - HALF
  }
  const drifts = reported.filter(({ kind, batch }) => kind === 'drift' && batch >= HALF)
  return {
    recovered,
    reported: drifts.length > 0 ? drifts[0].batch - HALF + 1 : Number.POSITIVE_INFINITY,
    others: reported.length - Math.min(1, drifts.length),
  }
}

const BURST = 10

export interface BurstOutcome {
  /** Points of accuracy lost in the 20 batches after the burst, against the same stream without it. */
  readonly cost: number
  /** The same in the burst. */
  readonly during: number
  readonly corruption: boolean
  readonly drift: boolean
}

export function burst(model: Model, seed: number, share = 0.45, rows = 100): BurstOutcome {
  const plan = { ...common, rows, model, change: 'none', seed } as const
  const inBurst = (t: number): boolean => t >= HALF && t < HALF + BURST
  const quiet = run({ ...plan, noise: changing })
  const loud = run({
    ...plan,
    noise: (t, random) => (inBurst(t) ? changing(t, random) * 0 + share : changing(t, random)),
  })
  const lost = (from: number, to: number): number =>
    100 * (mean(quiet.accuracy.slice(from, to)) - mean(loud.accuracy.slice(from, to)))
  return {
    cost: lost(HALF + BURST, HALF + BURST + 20),
    during: lost(HALF, HALF + BURST),
    corruption: loud.reported.some(
      ({ kind, batch }) => kind === 'corruption' && batch >= HALF && batch < HALF + 20,
    ),
    drift: loud.reported.some(({ kind }) => kind === 'drift'),
  }
}

/** Events of a stream whose rule never changes, by kind. */
export function calm(
  model: Model,
  noise: Plan['noise'],
  seed: number,
  batches: number,
): Record<string, number> {
  const { reported } = run({ ...common, batches, model, change: 'none', noise, seed })
  return {
    drift: reported.filter(({ kind }) => kind === 'drift').length,
    corruption: reported.filter(({ kind }) => kind === 'corruption').length,
  }
}

function report(): void {
  const { runs, seed } = runOptions(20)
  const seeds = Array.from({ length: runs }, (_, k) => seed + k + 1)
  const criteria: Criterion[] = []
  const worst = (values: readonly number[]): string => String(Math.max(...values))

  say(`the rule changes after ${HALF} batches, noise 0 to 30 % all along, ${runs} seeds`)
  const cases: Array<[Model, Change, number]> = [
    ['logistic', 'flip', 100],
    ['logistic', 'flip', 50],
    ['logistic', 'new rule', 100],
    ['softmax', 'flip', 100],
    ['linear', 'flip', 100],
    ['linear', 'new rule', 100],
  ]
  const lines = cases.map(([model, change, rows]) => {
    const outcomes = seeds.map((s) => drift(model, change, s, rows))
    const recovered = outcomes.map((o) => o.recovered)
    const reported = outcomes.map((o) => o.reported)
    const name = `${model}, ${change}, batches of ${rows}`
    if (change === 'flip' && model === 'logistic' && rows === 100) {
      criteria.push(
        {
          name: `recovers within 20 batches (${name})`,
          holds: Math.max(...recovered) <= 20,
          detail: `worst ${worst(recovered)}`,
        },
        {
          name: `drift is reported within 5 batches (${name})`,
          holds: Math.max(...reported) <= 5,
          detail: `worst ${worst(reported)}`,
        },
      )
    }
    const others = outcomes.reduce((sum, o) => sum + o.others, 0)
    return [
      name,
      mean(recovered).toFixed(1),
      worst(recovered),
      mean(reported).toFixed(1),
      worst(reported),
      String(others),
    ]
  })
  table(['stream', 'recovered', 'worst', 'reported', 'worst', 'other events'], lines)

  say()
  say(
    `${BURST} batches with 45 % wrong (linear: 40 %), noise 0 to 30 % otherwise, ${runs} seeds; points of accuracy`,
  )
  const bursts = (['logistic', 'softmax', 'linear'] as const).map((model) => {
    const outcomes = seeds.map((s) => burst(model, s, model === 'linear' ? 0.4 : 0.45))
    const costs = outcomes.map((o) => o.cost)
    const corruption = outcomes.filter((o) => o.corruption).length
    const drifts = outcomes.filter((o) => o.drift).length
    if (model === 'logistic') {
      criteria.push(
        {
          name: 'a burst costs at most 2 points afterwards',
          holds: Math.max(...costs) <= 2,
          detail: `worst ${Math.max(...costs).toFixed(2)}`,
        },
        {
          name: 'a burst is reported as corruption, never as drift',
          holds: corruption === runs && drifts === 0,
          detail: `${corruption} and ${drifts} of ${runs}`,
        },
      )
    }
    const during = mean(outcomes.map((o) => o.during))
    return [
      model,
      mean(costs).toFixed(2),
      Math.max(...costs).toFixed(2),
      during.toFixed(2),
      String(corruption),
      String(drifts),
    ]
  })
  table(['stream', 'cost after', 'worst', 'during', 'corruption', 'drift'], bursts)

  say()
  const batches = 2000
  say(`events in ${Math.min(5, runs)} streams of ${batches} batches whose rule never changes`)
  const noises: Array<[string, Plan['noise']]> = [
    ['none', () => 0],
    ['30 %', () => 0.3],
    ['0 to 30 %, anew each batch', changing],
    ['0 to 30 %, a slow wave', (t) => 0.15 - 0.15 * Math.cos((2 * Math.PI * t) / 200)],
  ]
  const quietLines = noises.flatMap(([noise, draw]) =>
    (['logistic', 'softmax', 'linear'] as const).map((model) => {
      const found = seeds.slice(0, 5).map((s) => calm(model, draw, s, batches))
      const drifts = found.reduce((sum, f) => sum + f.drift, 0)
      criteria.push({
        name: `no false drift (${model}, noise ${noise})`,
        holds: drifts === 0,
        detail: `${drifts}`,
      })
      return [
        `${model}, noise ${noise}`,
        String(drifts),
        String(found.reduce((sum, f) => sum + f.corruption, 0)),
      ]
    }),
  )
  table(['stream', 'drift', 'corruption'], quietLines)
  verdict(criteria)
}

if (isProgram(import.meta.url)) report()
