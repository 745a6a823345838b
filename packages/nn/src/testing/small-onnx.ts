import { float, float32, int, int64, type OnnxGraph, type OnnxModel, type OnnxNode } from '../onnx/schema.js'

/** relu(x W + b) with a batch size that is open. */
export function small(nodes?: readonly OnnxNode[], changes: Partial<OnnxGraph> = {}): OnnxModel {
  const graph: OnnxGraph = {
    name: 'small',
    inputs: [{ name: 'x', type: 'float32', shape: ['batch', 2] }],
    outputs: [{ name: 'y', type: 'float32', shape: ['batch', 3] }],
    nodes: nodes ?? [
      {
        op: 'Gemm',
        inputs: ['x', 'w', 'b'],
        outputs: ['h'],
        attributes: { transB: int(1), alpha: float(0.5) },
      },
      { op: 'Relu', inputs: ['h'], outputs: ['y'] },
    ],
    initializers: new Map([
      ['w', float32([3, 2], [1, 2, 3, 4, 5, 6])],
      ['b', float32([3], [0, -100, 0.5])],
      ['axes', int64([1], [-1])],
    ]),
    ...changes,
  }
  return { opset: 17, graph, metadata: { network: 'small', 'a name': 'ü "quoted"' } }
}
