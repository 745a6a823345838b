import type { Op } from '../../graph/ops.js'
import type { Tensor } from './tensor.js'

/** What a card rounds: `tf32` factors of products, `bf16` images, filters and their gradients as well. */
export type Rounding = 'tf32' | 'bf16'

/** Bits of a float32 that are left out. */
const DROPPED: Readonly<Record<Rounding, number>> = { tf32: 13, bf16: 16 }

const convolutions: ReadonlySet<Op['kind']> = new Set<Op['kind']>([
  'conv2d',
  'conv2dInputGrad',
  'conv2dWeightGrad',
])
const reductions: ReadonlySet<Op['kind']> = new Set<Op['kind']>(['reduceSum', 'reduceMean', 'reduceMax'])
const steps: ReadonlySet<Op['kind']> = new Set<Op['kind']>(['sgdStep', 'adamStep'])

/** An operation's inputs as they are multiplied. A bias is added, not multiplied. */
export function roundedInputs(op: Op, inputs: readonly Tensor[], rounding: Rounding): readonly Tensor[] {
  const isConvolution = convolutions.has(op.kind)
  if (!isConvolution && op.kind !== 'matmul') return inputs
  const width = isConvolution ? rounding : 'tf32'
  return inputs.map((tensor, i) => (i < 2 ? rounded(tensor, width) : tensor))
}

/** An operation's results as they are stored: images in 16 bits, parameters and sums never. */
export function roundedResults(op: Op, results: readonly Tensor[], rounding: Rounding): readonly Tensor[] {
  if (rounding !== 'bf16' || steps.has(op.kind) || reductions.has(op.kind)) return results
  return results.map((tensor) => (tensor.shape.length === 4 ? rounded(tensor, 'bf16') : tensor))
}

/** To the nearest number of fewer bits, of two equally near ones to the even one. */
function rounded({ shape, data }: Tensor, width: Rounding): Tensor {
  if (data instanceof Int32Array) return { shape, data }
  const floats = Float32Array.from(data)
  const bits = new Uint32Array(floats.buffer)
  const dropped = DROPPED[width]
  const half = 2 ** (dropped - 1) - 1
  for (let i = 0; i < bits.length; i++) {
    if (!Number.isFinite(floats[i])) continue
    bits[i] = ((bits[i] + half + ((bits[i] >>> dropped) & 1)) >>> dropped) << dropped
  }
  const out = data.slice()
  out.set(floats)
  return { shape, data: out }
}
