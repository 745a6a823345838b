import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'

/** Log-probabilities, a warp for each row, and with labels the losses. The largest logit is subtracted first. */
export function logSoftmaxKernel(
  program: Program,
  inputs: readonly number[],
  logProbabilities: Slot,
  losses?: Slot,
): KernelCall {
  const [logits, labels] = inputs
  const [rows, classes] = program.graph.tensors[logits].shape
  const expressions = new Expressions(program)
  const at = (k: string): { lines: readonly string[]; value: string } => {
    const block = new Block()
    const value = expressions.value(logits, [rows === 1 ? '0' : 'i', k], block)
    return { lines: block.lines, value }
  }
  const [most, total, write] = ['k', 'k', 'k'].map(at)
  const out = expressions.pointer(logProbabilities, 'write')
  const label = new Block()
  const loss =
    losses === undefined
      ? []
      : [
          ...(() => {
            const hit = expressions.value(labels, ['i'], label)
            return [
              ...label.lines,
              `if (k == ${hit}) store(${expressions.pointer(losses, 'write')} + i, -v);`,
            ]
          })(),
        ]
  const body = [
    'const int i = blockIdx.x * 4 + threadIdx.x / 32;',
    `if (i >= ${rows}) return;`,
    'float m = __int_as_float(0xff800000);',
    `for (int k = threadIdx.x % 32; k < ${classes}; k += 32) {`,
    ...most.lines,
    `m = max_(m, ${most.value});`,
    '}',
    'm = warp_max(m);',
    'float s = 0.f;',
    `for (int k = threadIdx.x % 32; k < ${classes}; k += 32) {`,
    ...total.lines,
    `s += expf(${total.value} - m);`,
    '}',
    's = logf(warp_sum(s));',
    `for (int k = threadIdx.x % 32; k < ${classes}; k += 32) {`,
    ...write.lines,
    `const float v = ${write.value} - m - s;`,
    `store(${out} + i * ${classes} + k, v);`,
    ...loss,
    '}',
  ]
  return kernelCall(expressions, body, [Math.ceil(rows / 4), 1, 1], 128)
}
