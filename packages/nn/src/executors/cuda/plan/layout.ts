import { type Shape, sizeOf } from '../../../graph/graph.js'

/**
 * How numbers are computed: `fp32` exactly as the reference's float32; `tf32` with products of 10-bit mantissas; `bf16` with
 * images kept in 16 bits. Parameters, sums and statistics are float32 in all of them.
 */
export type Precision = 'fp32' | 'tf32' | 'bf16'

export type Element = 'f32' | 'bf16' | 'i32'

/** Where the entries of a tensor lie in memory. */
export interface Layout {
  readonly element: Element
  readonly shape: Shape
  /** `rows`: row-major. `channelsLast`: [N, H, W, C], the channels filled up with zeros to a multiple of `padTo`. */
  readonly kind: 'rows' | 'channelsLast'
  /** How far apart neighbours along each axis of the shape are, in entries. */
  readonly strides: readonly number[]
  /** Entries in memory, zeros that fill up included. */
  readonly entries: number
}

/** Tensor cores read 16 bytes at a time: channels come in groups of as many. */
export function padTo(element: Element): number {
  return element === 'bf16' ? 8 : 4
}

export function bytesOf({ element, entries }: Layout): number {
  return entries * (element === 'bf16' ? 2 : 4)
}

const roundUp = (n: number, to: number): number => Math.ceil(n / to) * to

export function rows(shape: Shape, element: Element = 'f32'): Layout {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride
    stride *= shape[axis]
  }
  return { element, shape, kind: 'rows', strides, entries: sizeOf(shape) }
}

/** Images, or with `filters` a convolution's weight, whose number of filters is filled up as well. */
export function channelsLast(shape: Shape, element: Element, options: { filters?: boolean } = {}): Layout {
  const [n, c, h, w] = shape
  const channels = roundUp(c, padTo(element))
  const samples = options.filters ? roundUp(n, padTo(element)) : n
  return {
    element,
    shape,
    kind: 'channelsLast',
    strides: [h * w * channels, 1, w * channels, channels],
    entries: samples * h * w * channels,
  }
}

/** The channels in memory. */
export function channelsOf({ strides }: Layout): number {
  return strides[3]
}

export function sameLayout(a: Layout, b: Layout): boolean {
  return (
    a.element === b.element &&
    a.kind === b.kind &&
    a.entries === b.entries &&
    a.shape.length === b.shape.length &&
    a.shape.every((length, axis) => length === b.shape[axis])
  )
}

/** The element type of images. */
export function imageElement(precision: Precision): Element {
  return precision === 'bf16' ? 'bf16' : 'f32'
}
