import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { Caution, Fit } from '../../../result.js'
import type { Classed, Labelled } from './labelled.js'

/** A class with less than this share of as many rows as have its label is no class. */
const VANISHED = 0.1

/** A class with less than this part of an even share of the rows is rare. */
const RARE = 0.5

/**
 * Whether a class is taken for noise: fewer than half of its labels are called right. Of a rare class noise alone makes most labels
 * wrong, those of others being taken for it; so the half is of as many as would be its own, did labels go wrong evenly.
 */
export function losesClass<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  fit: Pick<Fit<P>, 'clean' | 'corruption'>,
): boolean {
  return calledWrongOfLost(likelihood, data, fit) > 0
}

/**
 * Labels of classes that are taken for noise, though some labels are certainly wrong: that such a class exists after all explains them nearly
 * as well. The interval then also holds the share of wrong labels that is left if its labels are right, and a caution says so.
 */
export function allowForLost<D, P extends Params>(likelihood: Labelled<D, P>, data: D, fit: Fit<P>): Fit<P> {
  const { corruption, cautions = [] } = fit
  const lost = calledWrongOfLost(likelihood, data, fit) / fit.clean.length
  if (lost === 0 || corruption.interval === undefined) return fit
  const [low, high] = corruption.interval
  return {
    ...fit,
    corruption: { ...corruption, interval: [Math.max(low - lost, 0), high] },
    cautions: [...cautions.filter(({ about }) => about !== 'level'), lostClass(lost)],
  }
}

function lostClass(lost: number): Caution {
  const percent = (100 * lost).toPrecision(2)
  return {
    about: 'level',
    message: `hardly any label of one class is called right, as if there were no such class: if there is, up to ${percent} % of the labels fewer are wrong`,
  }
}

/** How many labels are called wrong of classes that are taken for noise. */
function calledWrongOfLost<D, P extends Params>(
  { classes, labels }: Labelled<D, P>,
  data: D,
  { clean, corruption }: Pick<Fit<P>, 'clean' | 'corruption'>,
): number {
  if (classes === undefined) return 0
  const n = clean.length
  const right = new Map<number, readonly [number, number]>()
  classes.given(data).forEach((label, i) => {
    const [sum, count] = right.get(label) ?? [0, 0]
    right.set(label, [sum + clean[i], count + 1])
  })
  // Of each other class so many rows have its label: count = own (1 - wrong) + (n - own) toOne.
  const wrong = corruption.level ?? 0
  const toOne = wrong / (labels - 1)
  const ownOf = (count: number): number => (count - toOne * n) / Math.max(1 - wrong - toOne, 1e-9)
  const isLost = ([sum, count]: readonly [number, number]): boolean => {
    if (count >= (RARE * n) / labels) return sum < count / 2
    return sum < Math.max(Math.min(ownOf(count), count) / 2, VANISHED * count)
  }
  return [...right.values()].filter(isLost).reduce((total, [sum, count]) => total + count - sum, 0)
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
