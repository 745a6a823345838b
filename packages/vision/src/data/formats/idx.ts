import { phrase, RlviError } from 'rlvi'
import { readBytes } from './bytes.js'

export interface IdxImages {
  readonly count: number
  readonly height: number
  readonly width: number
  /** A view into the file's bytes: count x height x width. */
  readonly pixels: Uint8Array
}

/** Two zeros, 8 for unsigned bytes, and the number of dimensions. */
const IMAGES = 0x00000803
const LABELS = 0x00000801

/** The images of an IDX file: the format of MNIST, gzipped or not. */
export async function readIdxImages(path: string): Promise<IdxImages> {
  const bytes = await readBytes(path)
  const [count, height, width] = header(path, bytes, IMAGES, 3) as [number, number, number]
  if (height === 0 || width === 0 || count === 0)
    throw new RlviError(path, 'at least one image of at least one pixel is needed', [count, height, width])
  return { count, height, width, pixels: body(path, bytes, 16, count * height * width) }
}

/** The labels of an IDX file. */
export async function readIdxLabels(path: string): Promise<Uint8Array> {
  const bytes = await readBytes(path)
  const [count] = header(path, bytes, LABELS, 1) as [number]
  return body(path, bytes, 8, count)
}

function header(path: string, bytes: Uint8Array, magic: number, dimensions: number): number[] {
  if (bytes.length < 4 + 4 * dimensions) {
    const rule = `an IDX file with ${4 + 4 * dimensions} bytes of header is needed`
    throw new RlviError(path, rule, phrase(`${bytes.length} bytes`), 'get it again')
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const found = view.getUint32(0)
  if (found !== magic) {
    const rule = `an IDX file of ${magic === IMAGES ? 'images' : 'labels'} must begin with 0x${hex(magic)}`
    throw new RlviError(path, rule, phrase(`0x${hex(found)}`), 'this is another kind of file')
  }
  return Array.from({ length: dimensions }, (_, d) => view.getUint32(4 + 4 * d))
}

function body(path: string, bytes: Uint8Array, from: number, size: number): Uint8Array {
  if (bytes.length - from !== size) {
    const rule = `its header promises ${size} bytes of data`
    const todo = bytes.length - from < size ? 'get it again: it was cut off' : 'get it again: it is damaged'
    throw new RlviError(path, rule, bytes.length - from, todo)
  }
  return bytes.subarray(from)
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
