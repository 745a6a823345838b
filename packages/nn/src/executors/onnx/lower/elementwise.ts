import { type Shape, sameShape, sizeOf } from '../../../graph/graph.js'
import type { Binary, ReluGrad, Unary, Where } from '../../../graph/ops.js'
import { float } from '../../../onnx/schema.js'
import { BLOCKED } from '../emitter.js'
import type { Layout, Lowering, Rule } from '../lowering.js'

const UNARY = {
  neg: 'Neg',
  exp: 'Exp',
  log: 'Log',
  sqrt: 'Sqrt',
  abs: 'Abs',
  relu: 'Relu',
  sigmoid: 'Sigmoid',
  tanh: 'Tanh',
  stopGradient: 'Identity',
} as const

/** The layout in which an entry-wise operation of tensors of one shape costs no reordering. */
function common(low: Lowering, ids: readonly number[]): Layout {
  for (const layout of ['blocked', 'phased'] as const) {
    if (ids.some((id) => low.only(id, layout))) return layout
  }
  return 'plain'
}

const named = (low: Lowering, id: number, layout: Layout): string =>
  layout === 'plain' ? low.plain(id) : layout === 'blocked' ? low.blocked(id) : low.phased(id)

export const unary: Rule<Unary> = (low, { op, inputs: [x], outputs: [y] }) => {
  const affine = low.deferred(x)
  if (op.kind === 'relu' && affine) return low.put(y, 'blocked', low.write(affine, low.shape(x), 'Relu'))
  const layout = common(low, [x])
  low.put(y, layout, low.emit.op(UNARY[op.kind], [named(low, x, layout)]))
}

const BINARY = { add: 'Add', sub: 'Sub', mul: 'Mul', div: 'Div', maximum: 'Max', minimum: 'Min' } as const
const COMPARE = { greater: 'Greater', greaterEqual: 'GreaterOrEqual', equal: 'Equal' } as const

export const binary: Rule<Binary> = (low, { op, inputs: [a, b], outputs: [y] }) => {
  const [left, right, shape] = [a, b, y].map((id) => low.shape(id))
  const alike = sameShape(left, right)
  if (op.kind === 'add' && alike && (low.deferred(a) || low.deferred(b))) {
    const [inner, other] = low.deferred(a) ? [a, b] : [b, a]
    const affine = low.deferred(inner)
    if (affine && affine.sum === undefined && inner !== other) return low.defer(y, { ...affine, sum: other })
  }
  if (op.kind === 'mul') {
    const [images, factors] = sameShape(left, shape) ? [a, b] : [b, a]
    if (low.only(images, 'blocked') && isPerChannel(low.shape(factors), shape)) {
      return low.put(y, 'blocked', scaled(low, images, factors))
    }
  }
  const layout = alike
    ? common(low, [a, b])
    : sizeOf(left) === 1
      ? common(low, [b])
      : sizeOf(right) === 1
        ? common(low, [a])
        : 'plain'
  // A number keeps its own layout; its rank must not exceed that of the images.
  const name = (id: number): string => named(low, id, sizeOf(low.shape(id)) === 1 ? 'plain' : layout)
  const inputs = [name(a), name(b)]
  if (op.kind in COMPARE) {
    const hits = low.emit.op(COMPARE[op.kind as keyof typeof COMPARE], inputs)
    return low.put(y, layout, low.emit.cast(hits, 'float32'))
  }
  low.put(y, layout, low.emit.op(BINARY[op.kind as keyof typeof BINARY], inputs))
}

/** [N, C, 1, 1] beside [N, C, H, W]. */
function isPerChannel(factors: Shape, images: Shape): boolean {
  return factors.length === 4 && sameShape(factors, [images[0], images[1], 1, 1])
}

/** Images times a number for each sample and channel, such as a mask of dropped channels. */
function scaled(low: Lowering, images: number, factors: number): string {
  const [n, c, h, w] = low.shape(images)
  const { emit } = low
  const flat = emit.reshape(low.blocked(images), [1, n * c, h, w])
  const slope = emit.reshape(low.plain(factors), [n * c, 1, 1, 1])
  const y = emit.op('Conv', [flat, slope], { kernel_shape: [1, 1], group: n * c }, BLOCKED)
  return emit.reshape(y, [n, c, h, w])
}

export const where: Rule<Where> = (low, { inputs: [mask, a, b], outputs: [y] }) => {
  const taken = low.emit.cast(low.plain(mask), 'bool')
  low.put(y, 'plain', low.emit.op('Where', [taken, low.plain(a), low.plain(b)]))
}

export const reluGrad: Rule<ReluGrad> = (low, { inputs: [y, dy], outputs: [dx] }) => {
  const layout = common(low, [y, dy])
  // A very steep sigmoid, cut off at 0 and 1: eight times faster than the runtime's sign.
  const steep = { alpha: float(3e38), beta: float(0) }
  const above = low.emit.op('HardSigmoid', [named(low, y, layout)], steep)
  low.put(dx, layout, low.emit.op('Mul', [named(low, dy, layout), above]))
}
