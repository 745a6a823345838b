/** Whether the answer is free of units: scaling or shifting columns must change nothing that it should not. */
import { fit, type Params } from 'rlvi'
import { say } from '../measure.js'
import { type Criterion, isProgram, runOptions, table, verdict } from './program.js'
import { FAR_SHIFT, type Units, unchanged } from './units-changes.js'
import { type Subject, withSubjects } from './units-subjects.js'

export const SAME = 1e-8

/** The largest changes of what should not change; estimates are taken back to the first units. */
export interface Deviation {
  readonly model: string
  readonly what: string
  readonly estimates: number
  readonly clean: number
  readonly level: number
  readonly interval: number
}

function deviationsOf<D, P extends Params>(subject: Subject<D, P>, changes: readonly Units[]): Deviation[] {
  const { name, likelihood, data, change, estimates } = subject
  const before = fit(likelihood, data)
  const wanted = estimates(before.params, unchanged(changes[0].columns.length))
  const kinds = new Map<string, Deviation>()
  for (const units of changes) {
    const after = fit(likelihood, change(data, units))
    const worst = kinds.get(units.what)
    kinds.set(units.what, {
      model: name,
      what: units.what,
      estimates: largest(worst?.estimates, estimates(after.params, units), wanted),
      clean: largest(worst?.clean, after.clean, before.clean),
      level: largest(worst?.level, [after.corruption.level!], [before.corruption.level!]),
      interval: largest(worst?.interval, after.corruption.interval!, before.corruption.interval!),
    })
  }
  return [...kinds.values()]
}

/** The largest gap between a and b, each of about 1 or smaller; NaN stays NaN. */
function largest(so: number | undefined, a: ArrayLike<number>, b: ArrayLike<number>): number {
  const gaps = Array.from(a, (value, j) => Math.abs(value - b[j]) / Math.max(1, Math.abs(b[j])))
  return Math.max(so ?? 0, ...gaps)
}

/** Of all models, or of the named ones. */
export function unitDeviations(only: readonly string[] = [], chosen: typeof allOf = allOf): Deviation[] {
  return withSubjects((subject) =>
    only.length > 0 && !only.includes(subject.name) ? [] : deviationsOf(subject, chosen(subject.changes)),
  )
}

const allOf = (changes: readonly Units[]): readonly Units[] => changes

/** Of each kind of change four, from the first to the last; no far ones. Of one column, they are of every column and every size. */
export function fewOf(changes: readonly Units[]): readonly Units[] {
  const near = changes.filter((units) => !isFar(units))
  return [...new Set(near.map(({ what }) => what))].flatMap((kind) => {
    const all = near.filter(({ what }) => what === kind)
    return [0, 1, 2, 3].map((k) => all[Math.round((k / 3) * (all.length - 1))])
  })
}

export function isFar({ what }: { readonly what: string }): boolean {
  return what.startsWith(FAR_SHIFT)
}

export function largestOf({ estimates, clean, level, interval }: Deviation): number {
  return Math.max(estimates, clean, level, interval)
}

if (isProgram(import.meta.url)) {
  const { only } = runOptions(1)
  const all = unitDeviations(only)
  const power = (value: number): string => (value === 0 ? '0' : value.toExponential(1))
  say('largest changes when columns are scaled by 1e-6 to 1e6, shifted by up to 100 standard deviations,')
  say('or shifted far, by 1,000')
  table(
    ['model', 'change', 'estimates', 'P(good)', 'level', 'interval'],
    all.map((d) => [d.model, d.what, ...[d.estimates, d.clean, d.level, d.interval].map(power)]),
  )
  const criterion = (name: string, some: readonly Deviation[]): Criterion => {
    const most = some.reduce((a, b) => (largestOf(b) > largestOf(a) ? b : a))
    const detail = `largest ${power(largestOf(most))}, of ${most.model}`
    return { name: `${name}: unchanged to 1e-8`, holds: largestOf(most) <= SAME, detail }
  }
  const models = [...new Set(all.map(({ model }) => model))]
  const near = all.filter((d) => !isFar(d))
  verdict([
    ...models.map((model) =>
      criterion(
        model,
        near.filter((d) => d.model === model),
      ),
    ),
    criterion('all, shifted far', all.filter(isFar)),
  ])
}
