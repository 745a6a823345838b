import type { Corruption } from 'rlvi'
import type { TableFit } from '../fit/table-fit.js'

type LabelledRows = Pick<TableFit, 'response' | 'suggested' | 'part'>

/** Labels that a soft border explains are told where they are so many more than the largest share of wrong ones. */
const MORE = 0.05

/**
 * A soft border and labels that go wrong only where classes meet, or in one part of the features, are the same rows: no method tells them
 * apart. Where many labels are explained by one, the level says nothing of those.
 */
export function softBorderRemark({ interval }: Corruption, rows: LabelledRows): string | undefined {
  const share = otherThanSuggested(rows)
  if (interval === undefined || share < interval[1] + MORE) return undefined
  return `${Math.round(100 * share)} % of the labels are not the most probable ones by the features, as a soft border explains: wrong labels that lie only where classes meet, or in one part of the features, look the same and are not counted as bad`
}

/** The share of labels that are not the most probable ones: of all rows, where arrays hold a part of them. */
function otherThanSuggested({ response, suggested, part }: LabelledRows): number {
  if (response?.classes === undefined || suggested === undefined) return 0
  const K = response.classes.length
  const counts = part?.labels ?? new Float64Array(K * K)
  if (part?.labels === undefined)
    suggested.forEach((label, i) => {
      counts[response.y[i]! * K + label]!++
    })
  const all = counts.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count, k) => (k % (K + 1) === 0 ? sum : sum + count), 0) / all
}
