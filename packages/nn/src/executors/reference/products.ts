import type { Shape } from '../../graph/graph.js'
import type { Conv2d, Conv2dInputGrad, Conv2dWeightGrad, MatMul } from '../../graph/ops.js'
import type { FloatTensor, Make, Tensor } from './tensor.js'
import { eachTap } from './windows.js'

export function matmul(op: MatMul, a: Tensor, b: Tensor, bias: Tensor | undefined, make: Make): FloatTensor {
  const [rows, inner] = op.transposeA ? [a.shape[1], a.shape[0]] : [a.shape[0], a.shape[1]]
  const columns = op.transposeB ? b.shape[0] : b.shape[1]
  const out = make([rows, columns])
  const [ai, ak] = op.transposeA ? [1, rows] : [inner, 1]
  const [bk, bj] = op.transposeB ? [1, inner] : [columns, 1]
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let total = bias ? bias.data[j] : 0
      for (let k = 0; k < inner; k++) total += a.data[i * ai + k * ak] * b.data[k * bk + j * bj]
      out.data[i * columns + j] = total
    }
  }
  return out
}

export function conv2d(
  op: Conv2d,
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  shape: Shape,
  make: Make,
): FloatTensor {
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  eachProduct(op, x.shape, weight.shape, shape, (xi, wi, yi) => {
    totals[yi] += x.data[xi] * weight.data[wi]
  })
  const plane = shape[2] * shape[3]
  for (let i = 0; i < totals.length; i++) {
    out.data[i] = totals[i] + (bias ? bias.data[Math.floor(i / plane) % shape[1]] : 0)
  }
  return out
}

export function conv2dInputGrad(
  op: Conv2dInputGrad,
  dy: Tensor,
  weight: Tensor,
  shape: Shape,
  make: Make,
): FloatTensor {
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  eachProduct(op, shape, weight.shape, dy.shape, (xi, wi, yi) => {
    totals[xi] += dy.data[yi] * weight.data[wi]
  })
  out.data.set(totals)
  return out
}

export function conv2dWeightGrad(
  op: Conv2dWeightGrad,
  x: Tensor,
  dy: Tensor,
  shape: Shape,
  make: Make,
): FloatTensor {
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  eachProduct(op, x.shape, shape, dy.shape, (xi, wi, yi) => {
    totals[wi] += x.data[xi] * dy.data[yi]
  })
  out.data.set(totals)
  return out
}

/** Every product x[xi] w[wi] that a convolution adds to y[yi]: its gradients are the same sum, seen from x and w. */
function eachProduct(
  op: Pick<Conv2d, 'stride' | 'padding'>,
  [samples, channels, h, w]: Shape,
  [filters, , kh, kw]: Shape,
  [, , oh, ow]: Shape,
  visit: (xi: number, wi: number, yi: number) => void,
): void {
  for (let n = 0; n < samples; n++) {
    for (let o = 0; o < filters; o++) {
      for (let c = 0; c < channels; c++) {
        const xAt = (n * channels + c) * h * w
        const yAt = (n * filters + o) * oh * ow
        const wAt = (o * channels + c) * kh * kw
        eachTap(op, [h, w], [kh, kw], [oh, ow], (xi, wi, yi) => visit(xAt + xi, wAt + wi, yAt + yi))
      }
    }
  }
}
