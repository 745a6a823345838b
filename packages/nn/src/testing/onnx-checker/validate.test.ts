import { describe, expect, it } from 'vitest'
import type { OnnxModel, OnnxNode } from '../../onnx/schema.js'
import { small } from '../small-onnx.js'
import { validate } from './validate.js'

describe('the validator', () => {
  const relu: OnnxNode = { op: 'Relu', inputs: ['x'], outputs: ['y'] }
  const asX = [{ name: 'y', type: 'float32', shape: ['batch', 2] }] as const
  const refuses = (model: OnnxModel, message: string): void => expect(() => validate(model)).toThrow(message)

  it('accepts the small model', () => {
    expect(() => validate(small([relu], { outputs: asX }))).not.toThrow()
  })

  it('refuses an opset it does not know', () => {
    refuses({ ...small(), opset: 9 }, 'the opset must be from 13 to 21, got 9')
  })

  it('refuses names given twice, missing, or given later, and so cycles', () => {
    refuses(small([relu, relu], { outputs: asX }), 'names must differ, got "y"')
    refuses(small([{ ...relu, inputs: ['z'] }]), 'inputs must be given by an earlier node, got "z"')
    const a: OnnxNode = { op: 'Relu', inputs: ['b1'], outputs: ['a1'] }
    const b: OnnxNode = { op: 'Relu', inputs: ['a1'], outputs: ['b1'] }
    refuses(small([a, b]), 'inputs must be given by an earlier node, got "b1"')
    refuses(small([relu], { outputs: [{ ...asX[0], name: 'z' }] }), 'must compute its outputs, got "z"')
  })

  it('refuses operators it does not know and shapes that do not fit', () => {
    refuses(small([{ ...relu, op: 'Rleu' }]), 'not an operator that this package knows')
    refuses(small([relu]), 'is declared as float32 [batch, 3], got "float32 [batch, 2]"')
    refuses(
      small([{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }]),
      'cannot multiply [batch, 2] by [3, 2]',
    )
    refuses(small([{ op: 'Add', inputs: ['w', 'b'], outputs: ['y'] }]), '[3, 2] and [3] do not broadcast')
    refuses(small([{ op: 'Reshape', inputs: ['w', 'axes'], outputs: ['y'] }]), 'is declared as')
    refuses(small([{ op: 'Add', inputs: ['w', 'axes'], outputs: ['y'] }]), 'types must agree')
    refuses(small([{ op: 'Conv', inputs: ['x', 'w'], outputs: ['y'] }]), 'input 1 must be [N, C, H, W]')
  })

  it('refuses constants whose size is not that of their shape', () => {
    const initializers = new Map([['w', { type: 'float32', dims: [3], data: new Float32Array(2) } as const]])
    refuses(small([relu], { initializers }), 'needs 3 values for [3], got 2')
  })
})
