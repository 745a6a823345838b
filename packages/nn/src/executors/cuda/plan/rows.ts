import { sizeOf } from '../../../graph/graph.js'
import type { AdamStep, SgdStep } from '../../../graph/ops.js'
import type { PlannedRow } from './launch.js'
import { channelsOf } from './layout.js'
import type { Slot } from './slots.js'

/** Copies a slot as it is. */
export function copyRow(from: Slot, to: Slot): PlannedRow {
  return { reads: [from], writes: [to], addresses: [from, to], sizes: [from.layout.entries, 0, 1, 1, 0, 0] }
}

/** A row-major filter to one with its channels last, filled up with zeros. */
export function filterRow(from: Slot, to: Slot): PlannedRow {
  const { layout } = to
  const [o, c, h, w] = layout.shape
  return {
    reads: [from],
    writes: [to],
    addresses: [from, to],
    sizes: [layout.entries, layout.element === 'f32' ? 1 : 2, c, h * w, channelsOf(layout), o],
  }
}

/** An optimizer's step from its inputs to its results, which may be the same memory. */
export function stepRow(op: SgdStep | AdamStep, given: readonly Slot[], out: readonly Slot[]): PlannedRow {
  const gradient = given[op.kind === 'sgdStep' ? 2 : 3]
  const [, c = 1, h = 1, w = 1] = gradient.layout.shape
  const isPlain = gradient.layout.kind === 'rows'
  const kind = isPlain ? 0 : gradient.layout.element === 'f32' ? 1 : 2
  const stride = isPlain ? 0 : channelsOf(gradient.layout)
  const sizes = [sizeOf(given[0].layout.shape), kind, c, h * w, stride, 0] as const
  if (op.kind === 'sgdStep') {
    const [value, velocity, , rate] = given
    const addresses = [value, velocity, gradient, rate, ...out]
    return { reads: given, writes: out, addresses, sizes, reals: [op.momentum, op.weightDecay] }
  }
  const [value, first, second, , ...scalars] = given
  return {
    reads: given,
    writes: out,
    addresses: [value, first, gradient, second],
    lists: [scalars, out],
    sizes,
    reals: [op.beta1, op.beta2, op.epsilon, op.weightDecay, 1 - op.beta1, 1 - op.beta2],
  }
}
