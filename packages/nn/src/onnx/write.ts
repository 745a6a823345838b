import { bytes, type Message, message, putBytes, putFloat, putInt, putMessage, putText } from './protobuf.js'
import {
  type Attribute,
  type OnnxGraph,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  TYPE_CODES,
  type Value,
} from './schema.js'

/** The version of the file format: 8 is what opset 17 came with, so that older runtimes read the file too. */
const IR_VERSION = 8

/** The bytes of an ONNX file. */
export function writeOnnx(model: OnnxModel): Uint8Array {
  const out = message()
  putInt(out, 1, IR_VERSION)
  putText(out, 2, 'rlvi')
  putMessage(out, 7, graphMessage(model.graph))
  for (const [domain, version] of opsets(model)) {
    const opset = message()
    if (domain !== '') putText(opset, 1, domain)
    putInt(opset, 2, version)
    putMessage(out, 8, opset)
  }
  for (const [name, value] of Object.entries(model.metadata ?? {})) {
    const entry = message()
    putText(entry, 1, name)
    putText(entry, 2, value)
    putMessage(out, 14, entry)
  }
  return bytes(out)
}

function opsets(model: OnnxModel): Map<string, number> {
  const found = new Map([['', model.opset]])
  const visit = (graph: OnnxGraph): void => {
    for (const node of graph.nodes) {
      if (node.domain !== undefined && node.domain !== '') found.set(node.domain, 1)
      for (const attribute of Object.values(node.attributes ?? {}))
        if (attribute.kind === 'graph') visit(attribute.value)
    }
  }
  visit(model.graph)
  return found
}

function graphMessage(graph: OnnxGraph): Message {
  const out = message()
  graph.nodes.forEach((node, i) => {
    putMessage(out, 1, nodeMessage(node, `${node.op}_${i}`))
  })
  putText(out, 2, graph.name)
  for (const [name, tensor] of graph.initializers) putMessage(out, 5, tensorMessage(tensor, name))
  for (const value of graph.inputs) putMessage(out, 11, valueMessage(value))
  for (const value of graph.outputs) putMessage(out, 12, valueMessage(value))
  return out
}

function nodeMessage(node: OnnxNode, name: string): Message {
  const out = message()
  for (const input of node.inputs) putText(out, 1, input)
  for (const output of node.outputs) putText(out, 2, output)
  putText(out, 3, name)
  putText(out, 4, node.op)
  for (const [attribute, value] of Object.entries(node.attributes ?? {}))
    putMessage(out, 5, attributeMessage(attribute, value))
  if (node.domain !== undefined && node.domain !== '') putText(out, 7, node.domain)
  return out
}

/** Per kind: the number of the kind (AttributeProto.AttributeType), written last. */
const KINDS = { float: 1, int: 2, text: 3, tensor: 4, graph: 5, floats: 6, ints: 7 } as const

function attributeMessage(name: string, attribute: Attribute): Message {
  const out = message()
  putText(out, 1, name)
  if (attribute.kind === 'float') putFloat(out, 2, attribute.value)
  else if (attribute.kind === 'int') putInt(out, 3, attribute.value)
  else if (attribute.kind === 'text') putText(out, 4, attribute.value)
  else if (attribute.kind === 'tensor') putMessage(out, 5, tensorMessage(attribute.value))
  else if (attribute.kind === 'graph') putMessage(out, 6, graphMessage(attribute.value))
  else if (attribute.kind === 'floats') for (const value of attribute.value) putFloat(out, 7, value)
  else for (const value of attribute.value) putInt(out, 8, value)
  putInt(out, 20, KINDS[attribute.kind])
  return out
}

function tensorMessage(tensor: OnnxTensor, name?: string): Message {
  const out = message()
  for (const size of tensor.dims) putInt(out, 1, size)
  putInt(out, 2, TYPE_CODES[tensor.type])
  if (name !== undefined) putText(out, 8, name)
  // The format's raw data are little-endian, as are all machines that Node runs on.
  const { buffer, byteOffset, byteLength } = tensor.data
  putBytes(out, 9, new Uint8Array(buffer, byteOffset, byteLength))
  return out
}

function valueMessage(value: Value): Message {
  const shape = message()
  for (const size of value.shape) {
    const dimension = message()
    if (typeof size === 'number') putInt(dimension, 1, size)
    else putText(dimension, 2, size)
    putMessage(shape, 1, dimension)
  }
  const tensor = message()
  putInt(tensor, 1, TYPE_CODES[value.type])
  putMessage(tensor, 2, shape)
  const type = message()
  putMessage(type, 1, tensor)
  const out = message()
  putText(out, 1, value.name)
  putMessage(out, 2, type)
  return out
}
