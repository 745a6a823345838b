import type { Node } from '../../../graph/graph.js'
import type { BatchNormGrad, BatchNormTrain, Reduce } from '../../../graph/ops.js'
import { scaleGradKernel, statisticsKernel } from '../source/batch-norm.js'
import { type Convolution, plainConvolution } from '../source/convolution.js'
import { logSoftmaxKernel } from '../source/losses.js'
import { plainProduct } from '../source/product.js'
import { reduceKernel } from '../source/reduce.js'
import { smallestKernels } from '../source/smallest.js'
import type { Draft } from './draft.js'
import { rows } from './layout.js'
import { recomputedFor, runningStatistics } from './patterns.js'

/** Adds what computes a node's results, as far as they lie in memory, to the plan. */
export function lower(draft: Draft, node: Node): void {
  const { op, inputs, outputs, layer } = node
  const [x, y] = inputs
  switch (op.kind) {
    case 'reduceSum':
    case 'reduceMean':
    case 'reduceMax':
      draft.kernel(
        layer,
        reduceKernel(draft, op as Reduce, x, draft.result(node), draft.scratch, draft.order(x)),
      )
      break
    case 'smallest': {
      const scratch = (entries: number) => draft.newSlot(rows([entries], 'i32'))
      draft.kernel(layer, ...smallestKernels(draft, inputs, draft.result(node), scratch))
      break
    }
    case 'logSoftmax':
      draft.kernel(layer, logSoftmaxKernel(draft, inputs, draft.result(node)))
      break
    case 'crossEntropy': {
      const losses = draft.result(node, 0)
      draft.kernel(layer, logSoftmaxKernel(draft, inputs, draft.result(node, 1), losses))
      break
    }
    case 'matmul':
      product(draft, node)
      break
    case 'conv2d': {
      const hasBias = inputs.length === 3
      const made = hasBias ? draft.rawResult(node) : draft.result(node)
      const operands = { x: draft.image(x), w: draft.filter(y), y: made }
      convolution(draft, layer, { ...windowOf(op), direction: 'forward', ...operands })
      if (hasBias && draft.inMemory.has(outputs[0])) draft.map(node)
      break
    }
    case 'conv2dInputGrad': {
      const operands = { y: draft.image(x), w: draft.filter(y), x: draft.result(node) }
      convolution(draft, layer, { ...windowOf(op), direction: 'input', ...operands })
      break
    }
    case 'conv2dWeightGrad': {
      const operands = { x: draft.image(x), y: draft.image(y), w: draft.result(node) }
      convolution(draft, layer, { ...windowOf(op), direction: 'weight', ...operands })
      break
    }
    case 'batchNormTrain':
      batchNorm(draft, node as Node & { op: BatchNormTrain })
      break
    case 'batchNormGrad':
      batchNormGrad(draft, node as Node & { op: BatchNormGrad })
      break
    default:
      // A product's relu is there already; running statistics are where they belong.
      if (draft.inMemory.has(outputs[0]) && !draft.slot(outputs[0]) && !draft.written.has(outputs[0]))
        draft.map(node)
  }
}

function convolution(draft: Draft, layer: string, task: Convolution): void {
  const plain = plainConvolution(draft, task, draft.scratch)
  draft.launches.push({ kind: 'convolution', layer, convolution: task, plain })
}

function windowOf({
  stride,
  padding,
}: Pick<Convolution, 'stride' | 'padding'>): Pick<Convolution, 'stride' | 'padding'> {
  return { stride, padding }
}

function product(draft: Draft, node: Node): void {
  const { op, inputs, outputs, layer } = node
  if (op.kind !== 'matmul') return
  const { graph, index } = draft
  const [a, b, bias] = inputs.map((id) => draft.slot(id))
  const [rowCount, columns] = graph.tensors[outputs[0]].shape
  const shape = graph.tensors[inputs[0]].shape
  // A relu that is all that becomes of the product is done by the same call.
  const readers = index.readers(outputs[0])
  const isWanted = index.isFetched(outputs[0]) || index.updatesBy(outputs[0]).length > 0
  const next = readers.length === 1 && !isWanted && readers[0].op.kind === 'relu' ? readers[0] : undefined
  const relu = next !== undefined && draft.inMemory.has(next.outputs[0])
  const out = draft.result(node)
  if (relu) draft.lies(next.outputs[0], out)
  const task = {
    rows: rowCount,
    columns,
    inner: op.transposeA ? shape[0] : shape[1],
    transposeA: op.transposeA,
    transposeB: op.transposeB,
    relu,
    a: a!,
    b: b!,
    ...(bias ? { bias } : {}),
    out,
  }
  draft.launches.push({ kind: 'product', layer, product: task, plain: plainProduct(draft, task) })
}

function batchNorm(draft: Draft, node: Node & { readonly op: BatchNormTrain }): void {
  const [mean, variance] = [draft.result(node, 1), draft.result(node, 2)]
  // The kernel of the batch's statistics writes the running ones at once.
  const updates = runningStatistics(draft.index, node).map(({ variable, tensor }) => {
    draft.updated.add(variable)
    draft.written.add(tensor)
    return { tensor, variable: draft.variables.get(variable)! }
  })
  const walked = draft.walked(node.inputs[0])
  draft.kernel(node.layer, statisticsKernel(draft, node, walked, [mean, variance], updates, draft.scratch))
  if (draft.inMemory.has(node.outputs[0])) draft.map(node)
}

function batchNormGrad(draft: Draft, node: Node & { readonly op: BatchNormGrad }): void {
  const slots = [draft.result(node, 1), draft.result(node, 2)]
  const again = recomputedFor(draft.index, node, (tensor) => draft.slot(tensor) !== undefined)
  const walked = draft.walked(node.inputs[1])
  draft.kernel(node.layer, scaleGradKernel(draft, node, walked, slots, draft.scratch, again))
  if (draft.inMemory.has(node.outputs[0])) draft.map(node, again)
}
