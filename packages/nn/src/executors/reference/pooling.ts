import type { Shape } from '../../graph/graph.js'
import type { AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad } from '../../graph/ops.js'
import type { FloatTensor, Make, Tensor } from './tensor.js'
import { eachTap } from './windows.js'

export function maxPool(op: MaxPool, x: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  out.data.fill(Number.NEGATIVE_INFINITY)
  eachPooled(op, x.shape, shape, (xi, yi) => {
    out.data[yi] = Math.max(out.data[yi], x.data[xi])
  })
  return out
}

export function maxPoolGrad(op: MaxPoolGrad, x: Tensor, y: Tensor, dy: Tensor, make: Make): FloatTensor {
  const out = make(x.shape)
  const given = new Uint8Array(y.data.length)
  eachPooled(op, x.shape, y.shape, (xi, yi) => {
    if (given[yi] || x.data[xi] !== y.data[yi]) return
    given[yi] = 1
    out.data[xi] += dy.data[yi]
  })
  return out
}

export function avgPool(op: AvgPool, x: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  eachPooled(op, x.shape, shape, (xi, yi) => {
    totals[yi] += x.data[xi]
  })
  const count = op.kernel[0] * op.kernel[1]
  for (let i = 0; i < totals.length; i++) out.data[i] = totals[i] / count
  return out
}

export function avgPoolGrad(op: AvgPoolGrad, dy: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  eachPooled(op, shape, dy.shape, (xi, yi) => {
    totals[xi] += dy.data[yi]
  })
  const count = op.kernel[0] * op.kernel[1]
  for (let i = 0; i < totals.length; i++) out.data[i] = totals[i] / count
  return out
}

/** Every entry of x with the output whose window holds it. */
function eachPooled(
  op: Omit<MaxPool, 'kind'>,
  [samples, channels, h, w]: Shape,
  [, , oh, ow]: Shape,
  visit: (xi: number, yi: number) => void,
): void {
  for (let plane = 0; plane < samples * channels; plane++) {
    eachTap(op, [h, w], op.kernel, [oh, ow], (xi, _, yi) => visit(plane * h * w + xi, plane * oh * ow + yi))
  }
}
