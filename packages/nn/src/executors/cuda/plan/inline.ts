import { type Graph, type Node, sizeOf } from '../../../graph/graph.js'
import type { Op } from '../../../graph/ops.js'

/** Operations with a kernel, or a library's call, of their own: their results lie in memory. */
const ownKernel: ReadonlySet<Op['kind']> = new Set<Op['kind']>([
  'reduceSum',
  'reduceMean',
  'reduceMax',
  'smallest',
  'matmul',
  'conv2d',
  'conv2dInputGrad',
  'conv2dWeightGrad',
  'logSoftmax',
  'crossEntropy',
  'sgdStep',
  'adamStep',
])

/** Which of their inputs must lie in memory; the others are computed where they are read. */
const operands: Partial<Record<Op['kind'], (input: number) => boolean>> = {
  matmul: () => true,
  conv2d: (input) => input < 2,
  conv2dInputGrad: () => true,
  conv2dWeightGrad: () => true,
  logSoftmax: () => true,
  crossEntropy: (input) => input === 0,
  smallest: () => true,
  sgdStep: () => true,
  adamStep: () => true,
}

const special: ReadonlySet<Op['kind']> = new Set<Op['kind']>(['exp', 'log', 'sqrt', 'sigmoid', 'tanh', 'div'])
const pools: ReadonlySet<Op['kind']> = new Set<Op['kind']>([
  'maxPool',
  'avgPool',
  'maxPoolGrad',
  'avgPoolGrad',
])

/** More operations than this are not put into one kernel. */
const MOST_OPERATIONS = 40

interface Cost {
  /** Entries that are loaded for one entry of the result, small inputs left aside. */
  readonly loads: number
  readonly operations: number
  readonly special: boolean
}

/**
 * Which computed tensors lie in memory. A tensor is computed in the kernels that read it where that costs no more than loading it
 * would, or where there is only one such kernel; the rest is written once.
 */
export function tensorsInMemory(graph: Graph): ReadonlySet<number> {
  const uses = new Map<number, { node: Node; input: number }[]>()
  for (const node of graph.nodes) {
    node.inputs.forEach((id, input) => {
      // The gradient of a pooling finds the maximum itself.
      if (node.op.kind === 'maxPoolGrad' && input === 1) return
      uses.set(id, [...(uses.get(id) ?? []), { node, input }])
    })
  }
  const wanted = new Set([...graph.fetches, ...graph.updates].map(({ tensor }) => tensor))
  const inMemory = new Set<number>()
  const costs = new Map<number, Cost>()
  const size = (id: number): number => sizeOf(graph.tensors[id].shape)

  for (const node of graph.nodes) {
    node.outputs.forEach((id, output) => {
      const own = isOwn(node, output) && !(node.op.kind === 'conv2d' && node.inputs.length === 3)
      const cost = own ? undefined : costOf(node, id)
      if (!own && cost && !wanted.has(id) && mayInline(id, cost)) costs.set(id, cost)
      else inMemory.add(id)
    })
  }
  return inMemory

  function costOf(node: Node, id: number): Cost {
    if (node.op.kind === 'constant') return { loads: 0, operations: 0, special: false }
    // The product lies in memory; what is left is to add the bias.
    if (node.op.kind === 'conv2d') return { loads: 1, operations: 1, special: false }
    let [loads, operations, isSpecial] = [0, 1, special.has(node.op.kind)]
    for (const input of node.inputs) {
      const inlined = costs.get(input)
      const isLarge = 4 * size(input) >= size(id)
      const times =
        node.op.kind === 'maxPool' || node.op.kind === 'avgPool' ? node.op.kernel[0] * node.op.kernel[1] : 1
      loads += (inlined ? inlined.loads : isLarge ? 1 : 0) * times
      operations += inlined?.operations ?? 0
      isSpecial ||= inlined?.special ?? false
    }
    return { loads, operations, special: isSpecial }
  }

  function mayInline(id: number, cost: Cost): boolean {
    const readers = uses.get(id) ?? []
    if (cost.operations === 0) return true
    if (readers.some(({ node, input }) => operands[node.op.kind]?.(input) ?? false)) return false
    if (cost.operations > MOST_OPERATIONS) return false
    if (cost.loads <= 1 && cost.operations <= 4 && !cost.special && !isPooled(id)) return true
    if (readers.length !== 1) return false
    const [{ node }] = readers
    if (pools.has(node.op.kind)) return cost.loads <= 1
    const isRepeated = size(node.outputs[0]) >= 4 * size(id)
    return !isRepeated || (cost.operations <= 3 && !isPooled(id))
  }

  function isPooled(id: number): boolean {
    return graph.nodes.some((node) => pools.has(node.op.kind) && node.outputs.includes(id))
  }
}

function isOwn({ op }: Node, output: number): boolean {
  if (op.kind === 'batchNormTrain' || op.kind === 'batchNormGrad') return output > 0
  return ownKernel.has(op.kind)
}
