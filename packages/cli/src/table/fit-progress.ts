import type { FitProgress } from '@rlvi/estimator'
import type { Show } from '../terminal/busy.js'

const doing: Readonly<Record<FitProgress['phase'], string>> = {
  searching: 'searching among',
  fitting: 'fitting',
  comparing: 'comparing without protection,',
}

/** The progress of a fit in words: `fitting 1000000 rows, pass 23, 12 % bad so far`. */
export function progressText({ phase, rows, pass, level }: FitProgress): string {
  const bad = level === undefined ? '' : `, ${Number((100 * level).toPrecision(2))} % bad so far`
  return `${doing[phase]} ${rows} rows, pass ${pass}${bad}`
}

/** The option of a fit that shows its progress, where somebody looks. */
export function showing(show: Show | undefined): { onProgress?: (progress: FitProgress) => void } {
  return show === undefined ? {} : { onProgress: (progress) => show(progressText(progress)) }
}
