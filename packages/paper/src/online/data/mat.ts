import { type Matrix, matrix, RlviError } from 'rlvi'
import { COMPRESSED, damaged, type Element, elementAt, MATRIX, numbersOf, unpacked } from './mat-elements.js'

const HEADER = 128
const COMPLEX = 0x0800
/** Double, single, and the integers of 8 to 64 bits; classes 1 to 5 are cells, structures, objects, texts, sparse. */
const NUMERIC_CLASSES: readonly [number, number] = [6, 15]

/**
 * The numeric matrices of a MATLAB file of level 5 (`save -v6` or `-v7`), by name. Texts, cells and structures are
 * passed over.
 */
export function readMat(where: string, bytes: Uint8Array): Map<string, Matrix> {
  const little = checkHeader(where, bytes)
  const found = new Map<string, Matrix>()
  for (let at = HEADER; at < bytes.length; ) {
    const outer = elementAt(where, bytes, at, little)
    const element = outer.type === COMPRESSED ? unpacked(where, outer, little) : outer
    if (element.type === MATRIX) {
      const variable = matrixOf(where, element, little)
      if (variable !== undefined) found.set(...variable)
    } else if (element.type === 0 || element.type > 18) {
      throw damaged(where, `the element at byte ${at} must have a type from 1 to 18`, element.type)
    }
    at = outer.next
  }
  return found
}

/** Checks that the file is one of level 5; returns whether its numbers have their low bytes first. */
function checkHeader(where: string, bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes.subarray(0, 20))
  if (text.startsWith('MATLAB 7.3') || text.startsWith('\u0089HDF')) {
    throw new RlviError(
      where,
      'a MATLAB file of level 5 (version 7 or earlier) is needed',
      'version 7.3 (HDF5)',
      "save it again in MATLAB with save('file.mat', 'feat', 'actid', '-v7'), or as CSV",
    )
  }
  const order = String.fromCharCode(...bytes.subarray(126, HEADER))
  const little = order === 'IM'
  const version = little ? bytes[125] : bytes[124]
  if (bytes.length < HEADER || !(little || order === 'MI') || version !== 1) {
    throw new RlviError(
      where,
      'a MATLAB file of level 5 begins with a header of 128 bytes that ends in its version and byte order',
      bytes.length < HEADER ? `${bytes.length} bytes` : text,
      'is this another kind of file?',
    )
  }
  return little
}

/** Name and values of a real numeric matrix; undefined for any other variable. */
function matrixOf(where: string, { bytes }: Element, little: boolean): [string, Matrix] | undefined {
  const flags = elementAt(where, bytes, 0, little)
  const [word = 0] = numbersOf(where, flags, little)
  const kind = word & 0xff
  if (flags.bytes.length !== 8 || kind === 0) throw damaged(where, 'a matrix must begin with its class', word)
  if (kind < NUMERIC_CLASSES[0] || kind > NUMERIC_CLASSES[1] || (word & COMPLEX) !== 0) return undefined

  const sizes = elementAt(where, bytes, flags.next, little)
  const dimensions = numbersOf(where, sizes, little)
  const name = elementAt(where, bytes, sizes.next, little)
  const called = String.fromCharCode(...name.bytes.subarray(0, 64))
  const [rows = 0, cols = 0] = dimensions
  if (dimensions.some((size) => size < 0)) {
    throw damaged(where, `the sizes of ${called} must not be negative`, dimensions)
  }
  if (dimensions.length !== 2) return undefined
  const values = numbersOf(where, elementAt(where, bytes, name.next, little), little)
  if (values.length !== rows * cols) {
    throw damaged(where, `${called}, ${rows} x ${cols}, must have ${rows * cols} values`, values.length)
  }
  return [called, matrix(rows, cols, byRows(values, rows, cols))]
}

/** MATLAB stores column after column. */
function byRows(values: Float64Array, rows: number, cols: number): Float64Array {
  const out = new Float64Array(values.length)
  for (let j = 0; j < cols; j++) for (let i = 0; i < rows; i++) out[i * cols + j] = values[j * rows + i] ?? 0
  return out
}
