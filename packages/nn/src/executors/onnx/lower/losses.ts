import type { CrossEntropy, CrossEntropyGrad, LogSoftmax, MatMul } from '../../../graph/ops.js'
import type { Rule } from '../lowering.js'
import { hot } from './shapes.js'

export const matmul: Rule<MatMul> = (low, { op, inputs, outputs: [y] }) => {
  const names = inputs.map((id) => low.plain(id))
  const { transposeA, transposeB } = op
  const name =
    inputs.length === 2 && !transposeA && !transposeB
      ? low.emit.op('MatMul', names)
      : low.emit.op('Gemm', names, { transA: transposeA ? 1 : 0, transB: transposeB ? 1 : 0 })
  low.put(y, 'plain', name)
}

export const logSoftmax: Rule<LogSoftmax> = (low, { inputs: [x], outputs: [y] }) => {
  low.put(y, 'plain', low.emit.op('LogSoftmax', [low.plain(x)], { axis: 1 }))
}

export const crossEntropy: Rule<CrossEntropy> = (low, { inputs: [x, labels], outputs: [losses, logs] }) => {
  const { emit } = low
  const [n] = low.shape(losses)
  const logProbabilities = emit.op('LogSoftmax', [low.plain(x)], { axis: 1 })
  const column = emit.reshape(low.plain(labels), [n, 1])
  const own = emit.op('GatherElements', [logProbabilities, column], { axis: 1 })
  low.put(losses, 'plain', emit.op('Neg', [emit.reshape(own, [n])]))
  low.put(logs, 'plain', logProbabilities)
}

export const crossEntropyGrad: Rule<CrossEntropyGrad> = (low, { inputs, outputs: [dx] }) => {
  const { emit } = low
  const [logs, labels, weights] = inputs
  const [n, classes] = low.shape(logs)
  const gap = emit.op('Sub', [emit.op('Exp', [low.plain(logs)]), hot(low, labels, classes)])
  low.put(dx, 'plain', emit.op('Mul', [gap, emit.reshape(low.plain(weights), [n, 1])]))
}
