import { RlviError } from 'rlvi'
import { type Shape, showShape, type TensorType } from './graph.js'
import type { Op } from './ops.js'

/** Checks of one operation's inputs; each failure names the layer and the operation. */
export interface Checker {
  /** That many inputs (or between the two), all `f32` unless `integers` says otherwise. */
  count(least: number, most?: number): void
  integers(input: number): void
  rule(holds: boolean, rule: string, got: unknown): void
  /** A rule on the inputs' shapes, which the message then shows. */
  shapes(holds: boolean, rule: string): void
  broadcast(a: Shape, b: Shape): Shape
}

/** The checks of an operation that a layer makes. */
export function checker(op: Op, inputs: readonly TensorType[], layer: string): Checker {
  const where = layer === '' ? op.kind : `${layer} (${op.kind})`
  const fail = (rule: string, got: unknown): never => {
    throw new RlviError(where, rule, got)
  }
  const shown = (): string => inputs.map((input) => showShape(input.shape)).join(' and ')
  const integerInput = op.kind === 'oneHot' ? 0 : 1
  const hasIntegers = ['oneHot', 'take', 'crossEntropy', 'crossEntropyGrad'].includes(op.kind)
  return {
    count(least, most = least) {
      if (inputs.length < least || inputs.length > most) fail(`takes ${least} inputs`, inputs.length)
      if (op.kind === 'reshape') return
      inputs.forEach((input, i) => {
        const integers = hasIntegers && i === integerInput
        if (op.kind === 'take' && i === 0) return
        if (!integers && input.dtype !== 'f32') fail(`input ${i} must hold real numbers`, input.dtype)
      })
    },
    integers(input) {
      if (inputs[input].dtype !== 'i32') fail(`input ${input} must hold whole numbers`, inputs[input].dtype)
    },
    rule: (holds, rule, got) => void (holds || fail(rule, got)),
    shapes: (holds, rule) => void (holds || fail(rule, shown())),
    broadcast: (a, b) => broadcastShape(a, b) ?? fail('shapes must broadcast', shown()),
  }
}

/** Numpy's rule: from the last axis on, lengths are equal or one of them is 1. Undefined where it does not hold. */
export function broadcastShape(a: Shape, b: Shape): Shape | undefined {
  const rank = Math.max(a.length, b.length)
  const out: number[] = []
  for (let i = 0; i < rank; i++) {
    const p = a[a.length - rank + i] ?? 1
    const q = b[b.length - rank + i] ?? 1
    if (p !== q && p !== 1 && q !== 1) return undefined
    out.push(p === 1 ? q : p)
  }
  return out
}
