/** The frames of LZ4, by its specification: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md */
const MAGIC = 0x184d2204

/** Unpacks one frame; throws where it is none, or would take more than `most` bytes. */
export function unpackLz4(packed: Uint8Array, most: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  if (packed.length < 7 || view.getUint32(0, true) !== MAGIC) throw new Error('no LZ4 frame')
  const flags = packed[4]!
  const [hasChecksums, hasSize, hasDictionary] = [flags & 16, flags & 8, flags & 1]
  if (flags >> 6 !== 1 || hasDictionary) throw new Error('an LZ4 frame of another kind')
  // Behind the flags: the largest block, the size, a checksum of all that.
  let at = 7 + (hasSize ? 8 : 0)
  const out = new Unpacked(most)
  for (;;) {
    const said = view.getUint32(at, true)
    at += 4
    if (said === 0) return out.all()
    const size = said & 0x7fffffff
    if (at + size > packed.length) throw new Error('an LZ4 frame that was cut off')
    const block = packed.subarray(at, at + size)
    if (said >>> 31) out.append(block)
    else unpackBlock(block, out)
    at += size + (hasChecksums ? 4 : 0)
  }
}

/** Literals, and copies of what came before them, in turn. */
function unpackBlock(block: Uint8Array, out: Unpacked): void {
  let at = 0
  const more = (nibble: number): number => {
    let length = nibble
    if (nibble < 15) return length
    for (;;) {
      const byte = block[at++]
      if (byte === undefined) throw new Error('an LZ4 block that was cut off')
      length += byte
      if (byte < 255) return length
    }
  }
  while (at < block.length) {
    const token = block[at++]!
    const literals = more(token >> 4)
    if (at + literals > block.length) throw new Error('an LZ4 block that was cut off')
    out.append(block.subarray(at, at + literals))
    at += literals
    // The last ones have no copy behind them.
    if (at === block.length) return
    const back = block[at]! + 256 * (block[at + 1] ?? 0)
    at += 2
    out.repeat(back, more(token & 15) + 4)
  }
}

/** Bytes that become more. */
class Unpacked {
  private readonly most: number
  private bytes = new Uint8Array(2 ** 16)
  private length = 0

  constructor(most: number) {
    this.most = most
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Appends `count` of the bytes that begin `back` before the end; they may go on into the new ones. */
  repeat(back: number, count: number): void {
    if (back === 0 || back > this.length) throw new Error('an LZ4 block that points to nothing')
    this.reserve(count)
    const { bytes, length } = this
    for (let k = 0; k < count; k++) bytes[length + k] = bytes[length + k - back]!
    this.length += count
  }

  all(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private reserve(count: number): void {
    const needed = this.length + count
    if (needed > this.most) throw new Error('more bytes than may be')
    if (needed <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length))
    larger.set(this.all())
    this.bytes = larger
  }
}
