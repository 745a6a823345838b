import { describe, expect, it } from 'vitest'
import { randomGraph } from '../../testing/random-graph.js'
import { agreementLaws } from '../agreement.laws.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'
import { referenceExecutor } from './reference.js'

describe('reference executor in float64', () => {
  goldenLaws(() => referenceExecutor(), { once: 1e-9, later: 1e-9 })
  executorLaws(() => referenceExecutor())
})

describe('reference executor in float32', () => {
  goldenLaws(() => referenceExecutor({ precision: 'float32' }), { once: 1e-5, later: 1e-4 })
  agreementLaws(() => referenceExecutor({ precision: 'float32' }), 1e-4)
})

describe('random graphs', () => {
  it('have every primitive operation among them', () => {
    const kinds = new Set<string>()
    for (let seed = 0; seed < 400; seed++) {
      for (const { op } of randomGraph(seed).graph.nodes) kinds.add(op.kind)
    }
    expect([...kinds].sort()).toEqual(
      [
        ...[
          'abs',
          'adamStep',
          'add',
          'avgPool',
          'avgPoolGrad',
          'batchNormEval',
          'batchNormGrad',
          'batchNormTrain',
        ],
        ...[
          'broadcastTo',
          'concat',
          'constant',
          'conv2d',
          'conv2dInputGrad',
          'conv2dWeightGrad',
          'crossEntropy',
        ],
        ...[
          'crossEntropyGrad',
          'div',
          'equal',
          'exp',
          'greater',
          'greaterEqual',
          'log',
          'logSoftmax',
          'matmul',
        ],
        ...[
          'maxPool',
          'maxPoolGrad',
          'maximum',
          'minimum',
          'mul',
          'neg',
          'oneHot',
          'reduceMax',
          'reduceMean',
        ],
        ...['reduceSum', 'relu', 'reluGrad', 'reshape', 'sgdStep', 'sigmoid', 'slice', 'smallest', 'sqrt'],
        ...['stopGradient', 'sub', 'take', 'tanh', 'transpose', 'where'],
      ].sort(),
    )
  })
})
