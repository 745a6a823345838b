/** Whether the process was asked to end. */
export interface Stop {
  /** Aborted when it is asked: whoever waits listens to it. */
  readonly signal: AbortSignal
  /** Whether it was. */
  readonly asked: boolean
  /** Asks as a signal does. */
  ask(): void
  /** Signals do again what they always do. */
  release(): void
}

const asking: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']
const ending: readonly NodeJS.Signals[] = [...asking, 'SIGHUP']
const stops = new Set<AbortController>()
const cleanups = new Set<() => void>()

/**
 * Takes the first SIGINT or SIGTERM as a request to stop; a second one ends the process. What `cleanUpOnExit` was given is
 * left alone by the first one.
 *
 * @example
 * const stop = hearSignals()
 * try {
 *   while (!stop.asked) await work(stop.signal)
 * } finally {
 *   stop.release()
 * }
 */
export function hearSignals(): Stop {
  const controller = new AbortController()
  stops.add(controller)
  listen()
  return {
    signal: controller.signal,
    get asked() {
      return controller.signal.aborted
    },
    ask() {
      stops.delete(controller)
      controller.abort()
      listen()
    },
    release() {
      stops.delete(controller)
      listen()
    },
  }
}

/**
 * Calls `clean` when the process ends, by itself or by a signal, so that nothing half-made is left behind. It must be
 * synchronous. Returns what takes it back: once the work is done, signals do again what they always do.
 */
export function cleanUpOnExit(clean: () => void): () => void {
  cleanups.add(clean)
  listen()
  return () => {
    cleanups.delete(clean)
    listen()
  }
}

/**
 * One listener for all, and only while someone needs it: a listener keeps Ctrl-C from ending a long computation at once.
 */
function listen(): void {
  const wanted = cleanups.size > 0 ? ending : stops.size > 0 ? asking : []
  for (const signal of ending) {
    process.off(signal, onSignal)
    if (wanted.includes(signal)) process.on(signal, onSignal)
  }
  process.off('exit', cleanUp)
  if (cleanups.size > 0) process.on('exit', cleanUp)
}

function onSignal(signal: NodeJS.Signals): void {
  if (stops.size > 0 && asking.includes(signal)) {
    const asked = [...stops]
    stops.clear()
    listen()
    for (const controller of asked) controller.abort()
    return
  }
  // Where others listen too, it is theirs to say whether the process ends; the leftovers go when it does.
  if (process.listenerCount(signal) > 1) return
  cleanUp()
  cleanups.clear()
  listen()
  process.kill(process.pid, signal)
}

function cleanUp(): void {
  for (const clean of cleanups) clean()
}
