import type { Stop } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'

/**
 * The bytes of a text in another encoding as those of the same text in UTF-8, in which everything after this counts: places,
 * checksums and lines are those of the text that was read.
 */
export async function* inUtf8(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  name: string,
  stop: Stop,
): AsyncGenerator<Buffer> {
  // A sign that stands for broken bytes would be a value that nobody wrote.
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (bytes?: Buffer): Buffer => {
    try {
      return Buffer.from(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }))
    } catch {
      throw new RlviError(
        name,
        `text in ${encoding} is needed`,
        phrase('other bytes'),
        'name another --encoding',
      )
    }
  }
  for await (const bytes of chunks) {
    const text = decode(bytes)
    if (text.length > 0) yield text
  }
  // Who asks to stop may do so in the middle of a letter.
  if (!stop.asked) decode()
}
