import { Worker } from 'node:worker_threads'

export interface BusyOptions {
  /** Where to write: a terminal. Default: stderr, if it is one; otherwise nothing is shown. */
  readonly fd?: number
  /** Milliseconds of silence: what is done by then needs no sign of life. Default 2000. */
  readonly silence?: number
}

/**
 * Shows that work goes on, and for how long already. A fit is one computation that keeps this thread to itself, and how many
 * passes it will take nobody knows, so another thread shows the time. Signals are not listened to, which this thread would
 * only hear after the work: Ctrl-C ends it at once, as ever.
 */
export async function busy<T>(
  what: string,
  work: () => T | Promise<T>,
  options: BusyOptions = {},
): Promise<T> {
  const fd = options.fd ?? (process.stderr.isTTY ? process.stderr.fd : undefined)
  if (fd === undefined) return await work()
  const state = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(clock, {
    eval: true,
    workerData: { state, fd, what, silence: options.silence ?? 2000 },
  })
  worker.unref()
  const stop = (): void => {
    // It clears its line before it goes: nothing may be written there meanwhile.
    if (Atomics.compareExchange(state, 0, SHOWN, LEAVING) === SHOWN) {
      Atomics.notify(state, 0)
      Atomics.wait(state, 0, LEAVING, 200)
    } else Atomics.store(state, 0, GONE)
    Atomics.notify(state, 0)
  }
  try {
    return await work()
  } finally {
    stop()
    await worker.terminate()
  }
}

const [SHOWN, LEAVING, GONE] = [1, 2, 3]

/** Writes by the file's number: the stream of a thread goes through the main one, which is busy. */
const clock = `
const { writeSync } = require('node:fs')
const { workerData: { state, fd, what, silence } } = require('node:worker_threads')
const started = Date.now()
const write = (text) => { try { writeSync(fd, text) } catch {} }
if (Atomics.wait(state, 0, 0, silence) === 'timed-out' && Atomics.compareExchange(state, 0, 0, ${SHOWN}) === 0) {
  for (let k = 0; Atomics.load(state, 0) === ${SHOWN}; k++) {
    write('\\r' + '|/-\\\\'[k % 4] + ' ' + what + ', ' + Math.round((Date.now() - started) / 1000) + ' s')
    Atomics.wait(state, 0, ${SHOWN}, 250)
  }
  write('\\r\\x1b[K')
  Atomics.store(state, 0, ${GONE})
  Atomics.notify(state, 0)
}`
