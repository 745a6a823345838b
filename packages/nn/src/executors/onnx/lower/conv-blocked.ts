import type { Node } from '../../../graph/graph.js'
import type { Conv2d, Conv2dInputGrad, Conv2dWeightGrad } from '../../../graph/ops.js'
import { BLOCKED } from '../emitter.js'
import type { Lowering } from '../lowering.js'

/** Convolutions on blocked images. Each function says false where the shape does not allow it. */

/** A few input channels (an image's colours) are read from plain rows; otherwise they must fill whole blocks. */
const takesPlain = (low: Lowering, channels: number): boolean => channels < low.block

export function blockedConv(low: Lowering, { op, inputs, outputs: [y] }: Node & { op: Conv2d }): boolean {
  const [x, weight, bias] = inputs
  const [o, c, kh, kw] = low.shape(weight)
  if (!low.canBlock(low.shape(y)) || (c % low.block > 0 && !takesPlain(low, c))) return false
  const { emit, block } = low
  const few = takesPlain(low, c)
  const [blocks, places] = [o / block, kh * kw]
  // First the output channels go last, then the places before the input channels: the runtime is quick at moves of one axis.
  const last = emit.transpose(emit.reshape(low.plain(weight), [blocks, block, c * places]), [0, 2, 1])
  const inner = emit.reshape(last, [(blocks * c) / (few ? c : block), few ? c : block, places, block])
  const kernels = few ? inner : emit.transpose(inner, [0, 2, 1, 3])
  const names = [few ? low.plain(x) : low.blocked(x), emit.reshape(kernels, [o, c, kh, kw])]
  if (bias !== undefined) names.push(low.plain(bias))
  const pads = [...op.padding, ...op.padding]
  low.put(y, 'blocked', emit.op('Conv', names, { kernel_shape: [kh, kw], strides: op.stride, pads }, BLOCKED))
  return true
}

/**
 * The gradient by the images is a convolution of dy with kernels turned by 180 degrees. With a stride s it is s x s such
 * convolutions, one for each place of an image's entry in a cell of s x s, put together afterwards.
 */
export function blockedInputGrad(
  low: Lowering,
  { op, inputs: [dy, weight], outputs: [dx] }: Node & { op: Conv2dInputGrad },
): boolean {
  const [o, c, kh, kw] = low.shape(weight)
  const [n, , h, w] = low.shape(dx)
  if (!low.canBlock(low.shape(dx)) || !low.canBlock(low.shape(dy))) return false
  const rows = placesOf(op.stride[0], kh, op.padding[0], low.shape(dy)[2], h)
  const columns = placesOf(op.stride[1], kw, op.padding[1], low.shape(dy)[3], w)
  if (![rows, columns].every(fits)) return false
  const { emit, block } = low
  const places = emit.transpose(emit.reshape(low.plain(weight), [o * c, kh * kw]), [1, 0])
  const [cellRows, cellColumns] = [Math.ceil(h / op.stride[0]), Math.ceil(w / op.stride[1])]

  const piece = (row: Place, column: Place): string | undefined => {
    if (row.taps.length === 0 || column.taps.length === 0) return undefined
    const chosen = row.taps.flatMap((i) => column.taps.map((j) => i * kw + j))
    const turned = emit.op('Gather', [places, emit.ints(chosen)], { axis: 0 })
    const split = emit.reshape(turned, [chosen.length, o / block, block, c / block, block])
    const kernels = emit.transpose(split, [3, 1, 0, 2, 4])
    const shape = [c, o, row.taps.length, column.taps.length]
    return emit.op(
      'Conv',
      [low.blocked(dy), emit.reshape(kernels, shape)],
      { kernel_shape: shape.slice(2), pads: [row.before, column.before, row.after, column.after] },
      BLOCKED,
    )
  }
  if (rows.length === 1 && columns.length === 1) {
    low.put(dx, 'blocked', piece(rows[0], columns[0]) as string)
    return true
  }
  const lines = rows.map((row) =>
    interleave(
      low,
      columns.map((column) => piece(row, column)),
      [(n * c) / block, cellRows, cellColumns, block],
    ),
  )
  const whole = interleave(low, lines, [(n * c) / block, cellRows, cellColumns * columns.length * block])
  if (whole === undefined) return false
  const shape = [(n * c) / block, cellRows * rows.length, cellColumns * columns.length, block]
  let image = emit.reshape(whole, shape)
  if (shape[1] > h || shape[2] > w) {
    image = emit.op('Slice', [image, emit.ints([0, 0]), emit.ints([h, w]), emit.ints([1, 2])])
  }
  low.put(dx, 'blocked', emit.reshape(image, [n, c, h, w]))
  return true
}

interface Place {
  /** Entries of the kernel that reach this place, turned round. */
  readonly taps: readonly number[]
  readonly before: number
  readonly after: number
}

/** For each place in a cell of `stride`: which entries of the kernel reach it, and how dy must be padded. */
function placesOf(stride: number, kernel: number, padding: number, dy: number, size: number): Place[] {
  return Array.from({ length: stride }, (_, place) => {
    const first = (place + padding) % stride
    const shift = Math.floor((place + padding) / stride)
    const taps: number[] = []
    for (let tap = first; tap < kernel; tap += stride) taps.unshift(tap)
    const cells = Math.ceil(size / stride)
    return { taps, before: taps.length - 1 - shift, after: cells + shift - dy }
  })
}

/** Padding cannot be negative; and either one place alone has entries, or all have. */
function fits(line: readonly Place[]): boolean {
  const reached = line.filter(({ taps }) => taps.length > 0)
  if (reached.length > 1 && reached.length < line.length) return false
  return reached.every(({ before, after }) => before >= 0 && after >= 0)
}

/** Puts pieces [..., width] next to each other along the last axis; one that is missing is zeros. */
function interleave(
  low: Lowering,
  pieces: readonly (string | undefined)[],
  shape: readonly number[],
): string | undefined {
  const { emit } = low
  if (pieces.every((piece) => piece === undefined)) return undefined
  const wide = pieces.map((piece) => (piece === undefined ? undefined : emit.reshape(piece, shape)))
  const width = shape[shape.length - 1]
  const present = wide.flatMap((piece, i) => (piece === undefined ? [] : [i]))
  if (present.length === 1) {
    const pads = [...shape.map(() => 0), ...shape.map(() => 0)]
    pads[shape.length - 1] = present[0] * width
    pads[2 * shape.length - 1] = (pieces.length - 1 - present[0]) * width
    return emit.op('Pad', [wide[present[0]] as string, emit.ints(pads)])
  }
  return emit.op('Concat', wide as string[], { axis: shape.length - 1 })
}

/** Products that a partial sum should have at least, so that writing it costs little: else samples are put together. */
const ENOUGH = 200

/**
 * The gradient by the kernels, without copying windows: each channel of a plain image, its rows under those of the channel
 * before, is convolved with dy as it lies in blocks, a kernel of dy's size. A step down of one channel's rows gives the next
 * channel. Each row of the true kernel is one such convolution; the samples are groups, whose results are added up.
 */
export function blockedWeightGrad(
  low: Lowering,
  { op, inputs: [x, dy], outputs: [dw] }: Node & { op: Conv2dWeightGrad },
): boolean {
  const [n, c, h, w] = low.shape(x)
  const [, o, rows, columns] = low.shape(dy)
  const [kh, kw] = op.kernel
  const [ph, pw] = op.padding
  if (!low.canBlock(low.shape(dy))) return false
  const { emit, block } = low
  const span = (rows - 1) * op.stride[0] + 1
  if (ph >= span) return false
  const samples = n < block ? n : Math.ceil(n / block) * block
  const sizes = [1, 2, 4, 8].filter((size) => size < block && samples % size === 0)
  const together = sizes.find((size) => size * rows * columns >= ENOUGH) ?? sizes[sizes.length - 1]
  const groups = samples / together
  // One channel's rows, with zeros under them that the windows above and below may reach into.
  const height = Math.max(span, ph > 0 ? h + ph : 1)
  const width = (columns - 1) * op.stride[1] + kw

  let kernels = low.blocked(dy)
  if (samples > n) {
    kernels = emit.op('Pad', [kernels, emit.ints([0, 0, 0, 0, samples - n, 0, 0, 0])])
  }
  if (together > 1 && o > block) {
    const split = emit.reshape(kernels, [groups, together, o / block, rows * columns * block])
    kernels = emit.transpose(split, [0, 2, 1, 3])
  }
  kernels = emit.reshape(kernels, [groups * o, together, rows, columns])

  /** The image with its row `from` first. */
  const image = (from: number): string => {
    const pads = [0, 0, -from, pw, samples - n, 0, height - h + from, width - w - pw]
    const padded = emit.op('Pad', [low.plain(x), emit.ints(pads)])
    return emit.reshape(padded, [1, samples, c * height, width])
  }
  const whole = image(0)
  const lines = Array.from({ length: kh }, (_, i) => {
    const above = Math.max(0, ph - i)
    const input = i <= ph ? whole : image(i - ph)
    const sums = emit.op(
      'Conv',
      [input, kernels],
      {
        kernel_shape: [rows, columns],
        dilations: op.stride,
        strides: [height, 1],
        pads: [above, 0, 0, 0],
        group: groups,
      },
      BLOCKED,
    )
    const flat = emit.reshape(sums, [groups, (o / block) * c * kw * block])
    // As a product with ones: many times faster than a sum over the first axis.
    const ones = emit.reals([1, groups], new Array<number>(groups).fill(1))
    return emit.reshape(emit.op('MatMul', [ones, flat]), [1, o / block, c, kw * block])
  })
  const all = lines.length === 1 ? lines[0] : emit.op('Concat', lines, { axis: 0 })
  const byChannel = emit.reshape(emit.transpose(all, [1, 2, 0, 3]), [o / block, c * kh * kw, block])
  low.put(dw, 'plain', emit.reshape(emit.transpose(byChannel, [0, 2, 1]), [o, c, kh, kw]))
  return true
}
