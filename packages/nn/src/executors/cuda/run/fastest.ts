import { CudaError } from '../driver/library.js'
import type { Device } from './device.js'

/** A way to do some work on a stream. */
export type Way = (stream: number) => void

/** A candidate by its number, and how it is made ready. */
export interface Candidate {
  readonly number: number
  make(): Way
}

/** Times that a way is measured; the median counts. */
const RUNS = 3

/**
 * Which of some ways is the fastest, by measuring; none where none works. A way that says it can, and then cannot, is left aside. A card
 * that is lost meanwhile is an error: the choice is kept for later programs, and must not be what was left then.
 */
export function fastest(
  device: Device,
  candidates: Iterable<Candidate>,
  stream: number,
  repeats: number,
): number | undefined {
  let best: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { number, make } of candidates) {
    try {
      const way = make()
      way(stream)
      const time = device.time(stream, () => way(stream), RUNS, repeats)
      if (time < least) [best, least] = [number, time]
    } catch (error) {
      if (!(error instanceof CudaError)) throw error
    }
  }
  device.driver.cuStreamSynchronize(stream)
  return best
}
