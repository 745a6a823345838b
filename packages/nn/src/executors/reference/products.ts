import type { Shape } from '../../graph/graph.js'
import type { Conv2d, Conv2dInputGrad, Conv2dWeightGrad, MatMul, Window } from '../../graph/ops.js'
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
  const { entries, places, windows } = taps(op, x.shape, weight.shape, shape)
  eachPlane(x.shape, weight.shape, shape, (xAt, wAt, yAt) => {
    for (let t = 0; t < entries.length; t++) {
      totals[yAt + windows[t]] += x.data[xAt + entries[t]] * weight.data[wAt + places[t]]
    }
  })
  const plane = shape[2] * shape[3]
  for (let i = 0; i < totals.length; i++) {
    out.data[i] = totals[i] + (bias ? bias.data[Math.floor(i / plane) % shape[1]] : 0)
  }
  return out
}

// The gradients are the same sum of products x w dy, seen from x and from w.

export function conv2dInputGrad(
  op: Conv2dInputGrad,
  dy: Tensor,
  weight: Tensor,
  shape: Shape,
  make: Make,
): FloatTensor {
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  const { entries, places, windows } = taps(op, shape, weight.shape, dy.shape)
  eachPlane(shape, weight.shape, dy.shape, (xAt, wAt, yAt) => {
    for (let t = 0; t < entries.length; t++) {
      totals[xAt + entries[t]] += dy.data[yAt + windows[t]] * weight.data[wAt + places[t]]
    }
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
  const { entries, places, windows } = taps(op, x.shape, shape, dy.shape)
  eachPlane(x.shape, shape, dy.shape, (xAt, wAt, yAt) => {
    for (let t = 0; t < entries.length; t++) {
      totals[wAt + places[t]] += x.data[xAt + entries[t]] * dy.data[yAt + windows[t]]
    }
  })
  out.data.set(totals)
  return out
}

/** Which entry of an image's plane meets which place of the kernel in which window: the same list for every plane. */
function taps(
  op: Window,
  [, , h, w]: Shape,
  [, , kh, kw]: Shape,
  [, , oh, ow]: Shape,
): {
  readonly entries: readonly number[]
  readonly places: readonly number[]
  readonly windows: readonly number[]
} {
  const entries: number[] = []
  const places: number[] = []
  const windows: number[] = []
  eachTap(op, [h, w], [kh, kw], [oh, ow], (entry, place, window) => {
    entries.push(entry)
    places.push(place)
    windows.push(window)
  })
  return { entries, places, windows }
}

/** Calls `visit` with where the planes of x, weight and y begin, for each sample, filter and channel. */
function eachPlane(
  [samples, channels, h, w]: Shape,
  [filters, , kh, kw]: Shape,
  [, , oh, ow]: Shape,
  visit: (xAt: number, wAt: number, yAt: number) => void,
): void {
  for (let n = 0; n < samples; n++) {
    for (let o = 0; o < filters; o++) {
      for (let c = 0; c < channels; c++) {
        visit((n * channels + c) * h * w, (o * channels + c) * kh * kw, (n * filters + o) * oh * ow)
      }
    }
  }
}
