/** Whether the process was told to end. Whoever waits meanwhile leaves a `wake`. */
export interface Stop {
  asked: boolean
  wake: (() => void) | undefined
  ask(): void
  /** Signals do again what they always do. */
  release(): void
}

/** Hears the first SIGINT or SIGTERM; a second one ends the process at once. */
export function hearSignals(): Stop {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const stop: Stop = {
    asked: false,
    wake: undefined,
    ask: hear,
    release() {
      for (const signal of signals) process.off(signal, hear)
    },
  }
  function hear(): void {
    stop.asked = true
    stop.release()
    stop.wake?.()
  }
  for (const signal of signals) process.on(signal, hear)
  return stop
}
