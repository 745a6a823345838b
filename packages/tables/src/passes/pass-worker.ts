import { parentPort } from 'node:worker_threads'
import { type FileRows, type FileTask, partOf } from './pass-part.js'

/** A thread of `PassThreads`: told what to find, and then of which rows, again and again. */
export interface Begin {
  readonly task: FileTask
  readonly file: FileRows
}

export interface Some {
  readonly id: number
  readonly from: number
  readonly to: number
}

/** What was found of them; undefined where that failed. */
export interface Found {
  readonly id: number
  readonly part: unknown
}

let begun: Begin | undefined

parentPort!.on('message', (message: Begin | Some) => {
  if ('task' in message) begun = message
  else {
    const { task, file } = begun!
    const { id, from, to } = message
    const found = (part: unknown): void => parentPort!.postMessage({ id, part } satisfies Found)
    try {
      found(partOf(task, file, from, to))
    } catch {
      // Who asked does it then, and hears of the same error.
      found(undefined)
    }
  }
})
