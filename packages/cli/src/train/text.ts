import { methodTitles } from '@rlvi/vision'
import { printable } from '../terminal/printable.js'
import { habitsOf } from './habits.js'
import { accuracyOf, type Begun, habitsIn, type Trained } from './trained.js'

/** The line before the epochs: what is trained, how, on how many images. */
export function headText({ data, settings, options, run }: Begun): string {
  const { noise, method, seed } = options
  const { indices, test } = run.splits
  const labels = noise === undefined ? '' : `, ${noise.type} noise ${Number((100 * noise.rate).toFixed(2))} %`
  const counts = `${indices.train.length} images to train on, ${indices.validation.length} to validate`
  const tested = test === undefined ? '' : `, ${test.samples} to test`
  const how = `${settings.network}, ${methodTitles[method]}${labels}, seed ${seed}`
  return `${printable(`${data.name}: ${how}; ${counts}${tested}`)}\n`
}

/** The lines after the epochs. */
export function toText(trained: Trained): string {
  const { lines, reported, options } = trained
  const { accuracy, measuredOn } = accuracyOf(trained)
  const best = reported === lines.length ? '' : ` (after epoch ${reported}, which validates best)`
  const saved = options.save === undefined ? '' : `saved: ${printable(options.save)}\n`
  return `${measuredOn} accuracy ${(100 * accuracy).toFixed(2)} %${best}\n${labelsText(trained)}${saved}`
}

const percent = (share: number): string => (100 * share).toFixed(1)

/** How many habits are named. */
const MOST = 3

/** The estimated share of wrong labels, and which classes are mistaken most often. */
function labelsText(trained: Trained): string {
  const { level, interval } = trained.run.training.state
  const habits = habitsIn(trained)
  if (level === undefined || habits === undefined) return ''
  const named = habitsOf(habits)
    .slice(0, MOST)
    .map(({ truth, label, share }) => `${truth} labelled ${label} (${(100 * share).toFixed(0)} %)`)
  const which = named.length === 0 ? '' : `; most often ${named.join(', ')}`
  const range = interval === undefined ? '' : ` (${percent(interval[0])} to ${percent(interval[1])} %)`
  return `${printable(`an estimated ${percent(level)} % of the labels are wrong${range}${which}`)}\n`
}
