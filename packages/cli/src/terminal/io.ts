import { RlviError } from 'rlvi'

/** Where a command speaks: results go out, remarks go to the side. */
export interface Io {
  /** Part of the result. Resolves when it is handed over. */
  out(text: string): Promise<void>
  /** A line about the work: what was chosen, what was left out, what went wrong. */
  remark(line: string): void
  /** Whether a person looks at the results as they come. */
  readonly terminal: boolean
  /** How many signs a line of theirs can have; undefined where nobody looks, or nobody knows. */
  readonly width?: number | undefined
  /** The number of the open file behind `out`, where it has one. */
  readonly descriptor?: number
}

/** The reader of our output went away, as `head` does: no error, but no reason to go on either. */
export class ReaderGone extends Error {
  override readonly name: string = 'ReaderGone'
}

export const processIo: Io = {
  out: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error === null || error === undefined) resolve()
        else if ((error as NodeJS.ErrnoException).code === 'EPIPE') reject(new ReaderGone())
        else reject(new RlviError('stdout', 'could not be written', error.message))
      })
    }),
  remark(line) {
    process.stderr.write(`${line}\n`)
  },
  get terminal() {
    return process.stdout.isTTY === true
  },
  get width() {
    // A terminal that does not know says 0.
    return process.stdout.isTTY === true ? process.stdout.columns || undefined : undefined
  },
  descriptor: 1,
}
