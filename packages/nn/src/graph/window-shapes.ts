import type { Checker } from './checker.js'
import { type Shape, sameShape, showShape } from './graph.js'
import type {
  AvgPool,
  AvgPoolGrad,
  Conv2d,
  Conv2dInputGrad,
  Conv2dWeightGrad,
  MaxPool,
  Pair,
  Window,
} from './ops.js'

/** How many places a window of that size has along an axis. */
export function windowCount(length: number, size: number, stride: number, padding: number): number {
  return Math.floor((length + 2 * padding - size) / stride) + 1
}

function outputSize([h, w]: Pair, [kh, kw]: Pair, op: Window): Pair {
  return [windowCount(h, kh, op.stride[0], op.padding[0]), windowCount(w, kw, op.stride[1], op.padding[1])]
}

function checkWindow(op: Window, kernel: Pair, size: Pair, check: Checker): void {
  check.rule(
    op.stride.every((s) => Number.isInteger(s) && s >= 1),
    'stride must be whole and at least 1',
    op.stride,
  )
  check.rule(
    op.padding.every((p) => Number.isInteger(p) && p >= 0),
    'padding must be whole and at least 0',
    op.padding,
  )
  const fits = kernel.every((k, i) => k >= 1 && k <= size[i] + 2 * op.padding[i])
  check.rule(
    fits,
    `the window must fit into the padded image, ${showShape(size)} + 2 x ${showShape(op.padding)}`,
    kernel,
  )
}

export function convShape(op: Conv2d, shapes: readonly Shape[], check: Checker): Shape {
  const [x, w, bias] = shapes
  check.shapes(x.length === 4 && w.length === 4, 'takes x [N, C, H, W] and weight [O, C, h, w]')
  check.shapes(x[1] === w[1], `the channels of x and of the weight must agree (${x[1]} and ${w[1]})`)
  if (bias) check.shapes(sameShape(bias, [w[0]]), `the bias must be ${showShape([w[0]])}`)
  const kernel: Pair = [w[2], w[3]]
  checkWindow(op, kernel, [x[2], x[3]], check)
  return [x[0], w[0], ...outputSize([x[2], x[3]], kernel, op)]
}

export function inputGradShape(op: Conv2dInputGrad, shapes: readonly Shape[], check: Checker): Shape {
  const [dy, w] = shapes
  check.shapes(
    dy.length === 4 && w.length === 4 && dy[1] === w[0],
    'takes dy [N, O, H, W] and weight [O, C, h, w]',
  )
  const kernel: Pair = [w[2], w[3]]
  checkWindow(op, kernel, op.size, check)
  check.shapes(sameShape(outputSize(op.size, kernel, op), dy.slice(2)), 'dy must be as large as the output')
  return [dy[0], w[1], ...op.size]
}

export function weightGradShape(op: Conv2dWeightGrad, shapes: readonly Shape[], check: Checker): Shape {
  const [x, dy] = shapes
  check.shapes(
    x.length === 4 && dy.length === 4 && x[0] === dy[0],
    'takes x [N, C, H, W] and dy [N, O, H, W]',
  )
  const size: Pair = [x[2], x[3]]
  checkWindow(op, op.kernel, size, check)
  check.shapes(sameShape(outputSize(size, op.kernel, op), dy.slice(2)), 'dy must be as large as the output')
  return [dy[1], x[1], ...op.kernel]
}

/** Also checks that padding is at most half the window, so that no window lies in the padding alone. */
export function poolShape(op: Omit<MaxPool | AvgPool, 'kind'>, x: Shape, check: Checker): Shape {
  check.shapes(x.length === 4, 'takes x [N, C, H, W]')
  checkPool(op, [x[2], x[3]], check)
  return [x[0], x[1], ...outputSize([x[2], x[3]], op.kernel, op)]
}

export function poolGradShape(op: AvgPoolGrad, dy: Shape, check: Checker): Shape {
  check.shapes(dy.length === 4, 'takes dy [N, C, H, W]')
  checkPool(op, op.size, check)
  check.shapes(
    sameShape(outputSize(op.size, op.kernel, op), dy.slice(2)),
    'dy must be as large as the output',
  )
  return [dy[0], dy[1], ...op.size]
}

function checkPool(op: Window & { readonly kernel: Pair }, size: Pair, check: Checker): void {
  checkWindow(op, op.kernel, size, check)
  const small = op.padding.every((p, i) => 2 * p <= op.kernel[i])
  check.rule(small, `padding must be at most half the window ${showShape(op.kernel)}`, op.padding)
}
