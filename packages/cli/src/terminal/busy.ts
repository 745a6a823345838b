import { Worker } from 'node:worker_threads'

export interface BusyOptions {
  /** Where to write: a terminal. Default: stderr, if it is one; otherwise nothing is shown. */
  readonly fd?: number
  /** Milliseconds of silence: what is done by then needs no sign of life. Default 2000. */
  readonly silence?: number
  /** Signs that a line may have. Default: as many as stderr says. */
  readonly columns?: number
}

/** Says what is being done now, and which share of it is done, where that is known. */
export type Show = (what: string, share?: number) => void

/**
 * Shows a bar while work goes on: what is being done, and for how long already. A fit is one computation that keeps this
 * thread to itself, so another thread draws it. Signals are not listened to, which this thread would only hear after the
 * work: Ctrl-C ends it at once, as ever.
 */
export async function busy<T>(
  what: string,
  work: (show: Show | undefined) => T | Promise<T>,
  options: BusyOptions = {},
): Promise<T> {
  const fd = options.fd ?? (process.stderr.isTTY ? process.stderr.fd : undefined)
  if (fd === undefined) return await work(undefined)
  const buffer = new SharedArrayBuffer(HEAD + LONGEST)
  const state = new Int32Array(buffer, 0, 3)
  const text = new Uint8Array(buffer, HEAD)
  // A terminal that does not know its width says 0.
  const columns = options.columns ?? (process.stderr.columns || 80)
  const show: Show = (now, share) => {
    const { written } = new TextEncoder().encodeInto(now, text)
    Atomics.store(state, SHARE, share === undefined ? -1 : Math.round(1000 * share))
    Atomics.store(state, LENGTH, written)
  }
  show(what)
  const worker = new Worker(clock, {
    eval: true,
    workerData: { buffer, fd, columns, silence: options.silence ?? 2000 },
  })
  worker.unref()
  const stop = (): void => {
    // It clears its line before it goes: nothing may be written there meanwhile.
    if (Atomics.compareExchange(state, 0, SHOWN, LEAVING) === SHOWN) {
      Atomics.notify(state, 0)
      Atomics.wait(state, 0, LEAVING, 2000)
    } else Atomics.store(state, 0, GONE)
    Atomics.notify(state, 0)
  }
  try {
    return await work(show)
  } finally {
    stop()
    await worker.terminate()
  }
}

const [SHOWN, LEAVING, GONE] = [1, 2, 3]
/** What both threads see: a state, the length of the text, thousandths that are done (or -1), and the text. */
const [LENGTH, SHARE] = [1, 2]
const HEAD = 12
const LONGEST = 400

/** Writes by the file's number: the stream of a thread goes through the main one, which is busy. */
const clock = `
const { writeSync } = require('node:fs')
const { workerData: { buffer, fd, columns, silence } } = require('node:worker_threads')
const state = new Int32Array(buffer, 0, 3)
const started = Date.now()
const write = (text) => { try { writeSync(fd, text) } catch {} }
const WIDTH = 16
const bar = (k) => {
  const done = Atomics.load(state, ${SHARE})
  if (done >= 0) return '='.repeat(Math.round(WIDTH * done / 1000)).padEnd(WIDTH)
  const at = (WIDTH - 4) - Math.abs((k % (2 * (WIDTH - 4))) - (WIDTH - 4))
  return (' '.repeat(at) + '<==>').padEnd(WIDTH)
}
// Signs of two columns, and some others, count twice: a line that goes on in the next could not be cleared.
const wide = (signs) => signs.reduce((all, sign) => all + (sign >= '\\u1100' ? 2 : 1), 0)
const line = (k) => {
  const bytes = Uint8Array.from(new Uint8Array(buffer, ${HEAD}, Atomics.load(state, ${LENGTH})))
  const seconds = Math.round((Date.now() - started) / 1000)
  const text = new TextDecoder().decode(bytes) + ', ' + seconds + ' s'
  const whole = '[' + bar(k) + '] ' + text
  if (wide([...whole]) < columns) return whole
  // What changes stands at the end.
  const signs = [...text]
  if (wide(signs) < columns) return text
  while (signs.length > 0 && wide(signs) + 2 >= columns) signs.shift()
  return '…' + signs.join('')
}
if (Atomics.wait(state, 0, 0, silence) === 'timed-out' && Atomics.compareExchange(state, 0, 0, ${SHOWN}) === 0) {
  for (let k = 0; Atomics.load(state, 0) === ${SHOWN}; k++) {
    write('\\r' + line(k) + '\\x1b[K')
    Atomics.wait(state, 0, ${SHOWN}, 250)
  }
  write('\\r\\x1b[K')
  Atomics.store(state, 0, ${GONE})
  Atomics.notify(state, 0)
}`
