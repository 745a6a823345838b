import { type Graph, sizeOf } from '../../graph/graph.js'

/** Multiplications of a run, about: those of convolutions and matrix products, which outweigh all others. */
export function multiplications(graph: Graph): number {
  const size = (id: number): number => sizeOf(graph.tensors[id].shape)
  return graph.nodes.reduce((sum, { op, inputs, outputs }) => {
    const [first, second] = inputs.map((id) => graph.tensors[id].shape)
    switch (op.kind) {
      case 'matmul':
        return sum + size(outputs[0]) * first[op.transposeA ? 0 : 1]
      case 'conv2d':
        return sum + size(outputs[0]) * sizeOf(second.slice(1))
      case 'conv2dInputGrad':
        return sum + size(inputs[0]) * sizeOf(second.slice(1))
      case 'conv2dWeightGrad':
        return sum + size(outputs[0]) * second[0] * second[2] * second[3]
      default:
        return sum
    }
  }, 0)
}
