import { cleanUpOnExit } from '@rlvi/io'
import cliProgress from 'cli-progress'

/** A bar with the time that is left, on a terminal only. */
export interface ProgressBar {
  /** The share of the work that is done, and what is being done now. */
  update(share: number, now?: string): void
  /** Makes room for a line; the next update brings the bar back. */
  hide(): void
}

export function progressBar(what: string): ProgressBar {
  if (process.stderr.isTTY !== true) return { update: () => undefined, hide: () => undefined }
  const format = `${what} [{bar}] {percentage} %{now}, {left} left`
  const bar = new cliProgress.SingleBar({
    format,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    // It would keep the first Ctrl-C to itself.
    gracefulExit: false,
  })
  let shown: (() => void) | undefined
  // What a resumed run had done before says nothing about the time of the rest.
  let first: { readonly share: number; readonly at: number } | undefined
  return {
    update(share, now) {
      first ??= { share, at: performance.now() }
      const rate = (share - first.share) / (performance.now() - first.at)
      const payload = {
        now: now === undefined ? '' : `, ${now}`,
        left: rate > 0 ? duration((1 - share) / rate) : '?',
      }
      if (shown === undefined) {
        bar.start(1000, 0, payload)
        // The cursor comes back, however the process ends.
        shown = cleanUpOnExit(() => bar.stop())
      }
      bar.update(Math.round(1000 * share), payload)
    },
    hide() {
      if (shown !== undefined) bar.stop()
      shown?.()
      shown = undefined
    },
  }
}

/** Milliseconds for people. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
