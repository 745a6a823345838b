import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { Caution, Fit } from '../../../result.js'
import type { Classed, Labelled } from './labelled.js'

/** A class with less than this share of as many rows as have its label is no class. */
const VANISHED = 0.1

/** A class with less than this part of an even share of the rows is rare. */
const RARE = 0.5

/** A class of which fewer labels than this part are called right may as well not exist. */
const HARDLY_ANY = 0.2

/**
 * Whether a class is taken for noise: fewer than half of its labels are called right. Of a rare class noise alone makes most labels
 * wrong, those of others being taken for it; so the half is of as many as would be its own, did labels go wrong evenly.
 */
export function losesClass<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  { clean, corruption }: Pick<Fit<P>, 'clean' | 'corruption'>,
): boolean {
  const n = clean.length
  const { labels } = likelihood
  // Of each other class so many rows have its label: count = own (1 - wrong) + (n - own) toOne.
  const wrong = corruption.level ?? 0
  const toOne = wrong / (labels - 1)
  const ownOf = (count: number): number => (count - toOne * n) / Math.max(1 - wrong - toOne, 1e-9)
  return rightOfEach(likelihood, data, clean).some(({ right, count }) => {
    if (count >= (RARE * n) / labels) return right < count / 2
    return right < Math.max(Math.min(ownOf(count), count) / 2, VANISHED * count)
  })
}

/**
 * Where some labels are certainly wrong, and hardly any of one class is called right, that such a class exists explains the labels nearly as
 * well: the interval then also holds the share of wrong ones that is left if its labels are right, and a caution says so.
 */
export function allowForLost<D, P extends Params>(likelihood: Labelled<D, P>, data: D, fit: Fit<P>): Fit<P> {
  const { clean, corruption, cautions = [] } = fit
  const lost = rightOfEach(likelihood, data, clean)
    .filter(({ right, count }) => right < HARDLY_ANY * count)
    .reduce((sum, { right, count }) => sum + (count - right) / clean.length, 0)
  if (lost === 0 || corruption.interval === undefined) return fit
  const [low, high] = corruption.interval
  return {
    ...fit,
    corruption: { ...corruption, interval: [Math.max(low - lost, 0), high] },
    cautions: [...cautions.filter(({ about }) => about !== 'level'), lostClass(lost)],
  }
}

function lostClass(lost: number): Caution {
  const percent = Number((100 * lost).toPrecision(2))
  return {
    about: 'level',
    message: `hardly any label of one class is called right, as if there were no such class: if there is one, the share of wrong labels may be smaller by up to ${percent} %`,
  }
}

/** Of the labels of each class, how many are called right. */
function rightOfEach<D, P extends Params>(
  { classes }: Labelled<D, P>,
  data: D,
  clean: Float64Array,
): Array<{ readonly right: number; readonly count: number }> {
  const each = new Map<number, { right: number; count: number }>()
  classes?.given(data).forEach((label, i) => {
    const { right, count } = each.get(label) ?? { right: 0, count: 0 }
    each.set(label, { right: right + clean[i], count: count + 1 })
  })
  return [...each.values()]
}

/**
 * Whether habits leave a class without rows of its own. Answers on a scale, each next to the one that was meant, are explained well if
 * nobody ever means the first and the last; but a label that somebody gave has a meaning.
 */
export function vanishes<D, P extends Params>(
  { classes }: Classed<D, P>,
  data: D,
  posterior: Matrix,
): boolean {
  const own = new Float64Array(posterior.cols)
  for (let k = 0; k < posterior.values.length; k++) own[k % posterior.cols] += posterior.values[k]
  const given = new Float64Array(posterior.cols)
  for (const label of classes.given(data)) given[label]++
  return given.some((count, c) => own[c] < VANISHED * count)
}
