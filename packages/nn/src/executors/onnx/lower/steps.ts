import type { AdamStep, SgdStep } from '../../../graph/ops.js'
import type { Lowering, Rule } from '../lowering.js'

/** g + weightDecay w. */
function decayed(low: Lowering, g: string, w: string, weightDecay: number): string {
  const { emit } = low
  return weightDecay === 0 ? g : emit.op('Add', [g, emit.op('Mul', [w, emit.real(weightDecay)])])
}

export const sgdStep: Rule<SgdStep> = (low, { op, inputs, outputs: [nextW, nextV] }) => {
  const { emit } = low
  const [w, v, g, rate] = inputs.map((id) => low.plain(id))
  const d = decayed(low, g, w, op.weightDecay)
  const velocity = op.momentum === 0 ? d : emit.op('Add', [emit.op('Mul', [v, emit.real(op.momentum)]), d])
  low.put(nextV, 'plain', velocity)
  low.put(nextW, 'plain', emit.op('Sub', [w, emit.op('Mul', [velocity, rate])]))
}

export const adamStep: Rule<AdamStep> = (low, { op, inputs, outputs: [nextW, nextM, nextV] }) => {
  const { emit } = low
  const [w, m, v, g, rate, c1, c2] = inputs.map((id) => low.plain(id))
  const d = decayed(low, g, w, op.weightDecay)
  const moved = (old: string, beta: number, target: string): string =>
    emit.op('Add', [emit.op('Mul', [old, emit.real(beta)]), emit.op('Mul', [target, emit.real(1 - beta)])])
  const first = moved(m, op.beta1, d)
  const second = moved(v, op.beta2, emit.op('Mul', [d, d]))
  const spread = emit.op('Add', [emit.op('Sqrt', [emit.op('Div', [second, c2])]), emit.real(op.epsilon)])
  const step = emit.op('Mul', [emit.op('Div', [first, spread]), emit.op('Div', [rate, c1])])
  low.put(nextM, 'plain', first)
  low.put(nextV, 'plain', second)
  low.put(nextW, 'plain', emit.op('Sub', [w, step]))
}
