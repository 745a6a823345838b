/** What was taken from a pipe and not learned yet: nobody else has it any more. */
export interface PipeBuffer {
  add(bytes: Buffer, dropping: boolean): void
  /** Lets go of what comes before that byte. */
  forget(position: number): void
  /** All from that byte on. */
  from(position: number): Buffer
}

export function pipeBuffer(start: number): PipeBuffer {
  let pieces: { readonly at: number; readonly bytes: Buffer }[] = []
  let end = start
  return {
    add(bytes, dropping) {
      // Of a line that is too long its beginning is enough to know it as such again.
      if (!dropping || bytes.includes(0x0a)) pieces.push({ at: end, bytes })
      end += bytes.length
    },
    forget(position) {
      pieces = pieces.filter(({ at, bytes }) => at + bytes.length > position)
    },
    from(position) {
      return Buffer.concat(pieces.map(({ at, bytes }) => bytes.subarray(Math.max(0, position - at))))
    },
  }
}
