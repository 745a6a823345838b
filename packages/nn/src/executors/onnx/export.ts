import { RlviError } from 'rlvi'
import { type Graph, sameShape, showShape } from '../../graph/graph.js'
import { evaluation } from '../../models/graphs.js'
import type { Model } from '../../models/model.js'
import type { StoredTensor } from '../../models/safetensors.js'
import { readOnnx } from '../../onnx/read.js'
import { float32, int64, type OnnxModel, type OnnxTensor, type Value } from '../../onnx/schema.js'
import { writeOnnx } from '../../onnx/write.js'
import { Emitter } from './emitter.js'
import { type ModelInfo, metadataOf } from './info.js'
import { lower, STANDARD } from './lower/rules.js'
import { OPSET } from './model.js'

/**
 * A trained network as an ONNX file of standard operators, for any runtime: `images` [batch, C, H, W] in, normalised as
 * `info` says; `logits` and `probabilities` [batch, classes] out. The weights keep their names. What `rlvi predict` needs
 * to know is in the file's metadata.
 *
 * @example
 * const normalisation = { mean: [0.1307], sd: [0.3081] }
 * await writeFile('digits.onnx', exportOnnx(lenet(), await training.weights(), { classes, normalisation }))
 */
export function exportOnnx(
  model: Model,
  weights: ReadonlyMap<string, StoredTensor>,
  info: Omit<ModelInfo, 'network' | 'image'>,
): Uint8Array {
  if (info.classes.length !== model.classes) {
    throw new RlviError('export', `needs ${model.classes} names of classes`, info.classes.length)
  }
  const [one, other] = [2, 3].map((batch) => translated(evaluation(model, batch), weights))
  const metadata = metadataOf({ ...info, network: model.name, image: model.image })
  return writeOnnx({ ...generalised(one, other), metadata })
}

/** The weights of an ONNX file, as `loadWeights` takes them. */
export function onnxWeights(file: Uint8Array): ReadonlyMap<string, StoredTensor> {
  const weights = new Map<string, StoredTensor>()
  for (const [name, { dims, data }] of readOnnx(file).graph.initializers) {
    if (data instanceof Float32Array || data instanceof Float64Array) {
      weights.set(name, { shape: dims, values: Float32Array.from(data) })
    }
  }
  return weights
}

function translated(graph: Graph, weights: ReadonlyMap<string, StoredTensor>): OnnxModel {
  const mask = graph.feeds.find(({ dropout }) => dropout)
  if (mask) {
    throw new RlviError(
      'export',
      'the network must not drop out in evaluation',
      mask.name,
      'leave out dropoutAlways',
    )
  }
  const emit = new Emitter()
  const initializers = new Map<string, OnnxTensor>()
  const names = new Map<number, string>()
  for (const { name, tensor } of graph.variables) {
    const { shape } = graph.tensors[tensor]
    const stored = weights.get(name)
    if (!stored || !sameShape(stored.shape, shape) || stored.values instanceof BigInt64Array) {
      const got = stored ? `${showShape(stored.shape)} of ${stored.values.constructor.name}` : 'none'
      throw new RlviError('export', `needs the weights ${name} ${showShape(shape)}`, got)
    }
    initializers.set(name, float32(shape, stored.values))
    names.set(tensor, name)
  }
  const inputs = graph.feeds.map(({ tensor }): Value => {
    names.set(tensor, 'images')
    return { name: 'images', type: 'float32', shape: graph.tensors[tensor].shape }
  })
  const find = lower(graph, emit, names, STANDARD)
  const outputs = graph.fetches.map(({ name, tensor }): Value => {
    emit.nodes.push({ op: 'Identity', inputs: [find(tensor)], outputs: [name] })
    return { name, type: 'float32', shape: graph.tensors[tensor].shape }
  })
  for (const [name, tensor] of emit.initializers) initializers.set(name, tensor)
  return { opset: OPSET, graph: { name: 'network', inputs, outputs, nodes: emit.nodes, initializers } }
}

/** One model for all batch sizes out of those for two: what differs between them is the batch. */
function generalised(one: OnnxModel, other: OnnxModel): OnnxModel {
  const open = (values: readonly Value[], others: readonly Value[]): Value[] =>
    values.map((value, i) => ({
      ...value,
      shape: value.shape.map((length, axis) => (length === others[i].shape[axis] ? length : 'batch')),
    }))
  const reshaped = new Set(one.graph.nodes.flatMap(({ op, inputs }) => (op === 'Reshape' ? [inputs[1]] : [])))
  const initializers = new Map<string, OnnxTensor>()
  for (const [name, tensor] of one.graph.initializers) {
    if (tensor.type !== 'int64') {
      initializers.set(name, tensor)
      continue
    }
    const twin = other.graph.initializers.get(name)
    const lengths = Array.from(tensor.data, Number)
    const differ = lengths.filter((length, i) => length !== Number(twin?.data[i]))
    if (differ.length > 1 || (differ.length === 1 && !reshaped.has(name))) {
      throw new RlviError(
        'export',
        'the network must work for any batch size',
        name,
        'reshape by [batch, ...] only',
      )
    }
    const general = lengths.map((length, i) => (length === Number(twin?.data[i]) ? length : -1))
    initializers.set(name, differ.length === 1 ? int64(tensor.dims, general) : tensor)
  }
  const { graph } = one
  return {
    ...one,
    graph: {
      ...graph,
      initializers,
      inputs: open(graph.inputs, other.graph.inputs),
      outputs: open(graph.outputs, other.graph.outputs),
    },
  }
}
