/** When to write checkpoints: not more often than asked for, but also when rows pause. */
export interface CheckpointTimer {
  /** Nothing is written until the next call: rows come, and are not learned and reported yet. */
  hold(): void
  /** There is more to remember than was written. */
  changed(): void
  now(): void
}

/** `failed` hears of a checkpoint that could not be written during a pause. */
export function checkpointTimer(
  every: number,
  write: (() => void) | undefined,
  failed: (error: unknown) => void,
): CheckpointTimer {
  const wait = 1000 * every
  let last = performance.now()
  let timer: NodeJS.Timeout | undefined
  function now(): void {
    write?.()
    last = performance.now()
  }
  return {
    hold() {
      clearTimeout(timer)
    },
    changed() {
      if (write === undefined) return
      const left = last + wait - performance.now()
      if (left <= 0) now()
      else {
        timer = setTimeout(() => {
          try {
            now()
          } catch (error) {
            failed(error)
          }
        }, left)
      }
    },
    now() {
      clearTimeout(timer)
      now()
    },
  }
}
