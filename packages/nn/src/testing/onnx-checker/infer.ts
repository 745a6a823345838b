import { type DataType, type Dimension, TYPE_CODES } from '../../onnx/schema.js'
import { inferImages } from './infer-images.js'
import { agree, attribute, type Inference, type Inputs, type Known, required, show } from './known.js'

/** The results of the operators that this package writes, by the rules of the ONNX specification. */
export function infer(inputs: Inputs): readonly Known[] {
  const { node } = inputs
  const rule = RULES[node.op] ?? inferImages(node)
  if (rule === undefined) throw new Error('not an operator that this package knows')
  return rule(inputs)
}

/** Whole numbers of an input that must be constant. */
function numbers({ constants }: Inputs, i: number): number[] {
  const value = constants[i]
  if (value?.type !== 'int64') throw new Error(`input ${i + 1} must be constant whole numbers`)
  return Array.from(value.data, Number)
}

export function size(shape: readonly Dimension[]): number | undefined {
  return shape.reduce<number | undefined>(
    (product, length) => (product === undefined || typeof length === 'string' ? undefined : product * length),
    1,
  )
}

function broadcast(a: readonly Dimension[], b: readonly Dimension[]): Dimension[] {
  const rank = Math.max(a.length, b.length)
  return Array.from({ length: rank }, (_, i) => {
    const [x, y] = [a[i - rank + a.length] ?? 1, b[i - rank + b.length] ?? 1]
    if (x !== 1 && y !== 1 && !agree(x, y)) throw new Error(`${show(a)} and ${show(b)} do not broadcast`)
    return x === 1 ? y : y === 1 || typeof y === 'string' ? x : y
  })
}

const same: Inference = (inputs) => [required(inputs, 0)]

function together(inputs: Inputs): Known {
  const all = inputs.known.map((_, i) => required(inputs, i))
  return all.reduce((a, b) => {
    if (a.type !== b.type) throw new Error(`types must agree, are ${a.type} and ${b.type}`)
    return { type: a.type, shape: broadcast(a.shape, b.shape) }
  })
}

const entrywise: Inference = (inputs) => [together(inputs)]
const compare: Inference = (inputs) => [{ ...together(inputs), type: 'bool' }]

const reduce: Inference = (inputs) => {
  const { type, shape } = required(inputs, 0)
  const { node } = inputs
  const axes = node.inputs.length > 1 ? numbers(inputs, 1) : attribute(node, 'axes', 'ints')
  const keep = attribute(node, 'keepdims', 'int') !== 0
  const over = new Set((axes ?? shape.map((_, axis) => axis)).map((axis) => inRange(axis, shape.length)))
  const left = shape.map((length, axis) => (over.has(axis) ? 1 : length))
  return [{ type, shape: keep ? left : left.filter((_, axis) => !over.has(axis)) }]
}

function inRange(axis: number, rank: number): number {
  const place = axis < 0 ? axis + rank : axis
  if (!(place >= 0 && place < rank)) throw new Error(`axis ${axis} must be one of ${rank}`)
  return place
}

const reshape: Inference = (inputs) => {
  const { type, shape } = required(inputs, 0)
  const wanted = numbers(inputs, 1).map((length, i) => (length === 0 ? shape[i] : length))
  const total = size(shape)
  const rest = size(wanted.filter((length) => length !== -1))
  if (total === undefined || rest === undefined) {
    return [{ type, shape: wanted.map((length) => (length === -1 ? 'any' : length)) }]
  }
  const result = wanted.map((length) => (length === -1 ? total / rest : length))
  if (
    size(result) !== total ||
    result.some((length) => !Number.isInteger(length) && typeof length === 'number')
  ) {
    throw new Error(`${show(shape)} has other entries than ${show(wanted)}`)
  }
  return [{ type, shape: result }]
}

const transpose: Inference = (inputs) => {
  const { type, shape } = required(inputs, 0)
  const perm = attribute(inputs.node, 'perm', 'ints') ?? shape.map((_, i) => shape.length - 1 - i)
  if ([...perm].sort((a, b) => a - b).join() !== shape.map((_, i) => i).join()) {
    throw new Error(`perm ${show(perm)} must hold each axis of ${show(shape)} once`)
  }
  return [{ type, shape: perm.map((axis) => shape[axis]) }]
}

const concat: Inference = (inputs) => {
  const all = inputs.known.map((_, i) => required(inputs, i))
  const [{ type, shape }] = all
  const axis = inRange(attribute(inputs.node, 'axis', 'int') ?? 0, shape.length)
  const fits = all.every(
    (part) =>
      part.type === type &&
      part.shape.length === shape.length &&
      part.shape.every((length, i) => i === axis || agree(length, shape[i])),
  )
  if (!fits) throw new Error(`parts must agree but for axis ${axis}: ${all.map((part) => show(part.shape))}`)
  const lengths = all.map((part) => part.shape[axis])
  const sum = size(lengths) === undefined ? 'any' : lengths.reduce<number>((a, b) => a + Number(b), 0)
  return [{ type, shape: shape.map((length, i) => (i === axis ? sum : length)) }]
}

const slice: Inference = (inputs) => {
  const { type, shape } = required(inputs, 0)
  const [starts, ends] = [numbers(inputs, 1), numbers(inputs, 2)]
  const result = [...shape]
  numbers(inputs, 3).forEach((given, i) => {
    const axis = inRange(given, shape.length)
    const length = shape[axis]
    if (typeof length === 'string') return
    const clip = (at: number): number => Math.min(Math.max(at < 0 ? at + length : at, 0), length)
    result[axis] = Math.max(0, clip(ends[i]) - clip(starts[i]))
  })
  return [{ type, shape: result }]
}

const pad: Inference = (inputs) => {
  const { type, shape } = required(inputs, 0)
  const pads = numbers(inputs, 1)
  if (pads.length !== 2 * shape.length) throw new Error(`needs ${2 * shape.length} pads, has ${pads.length}`)
  const padded = shape.map((length, i) =>
    typeof length === 'string' ? length : length + pads[i] + pads[i + shape.length],
  )
  return [{ type, shape: padded }]
}

const gather: Inference = (inputs) => {
  const [{ type, shape }, rows] = [required(inputs, 0), required(inputs, 1)]
  if (rows.type !== 'int64' && rows.type !== 'int32')
    throw new Error(`indices must be whole, are ${rows.type}`)
  const axis = inRange(attribute(inputs.node, 'axis', 'int') ?? 0, shape.length)
  return [{ type, shape: [...shape.slice(0, axis), ...rows.shape, ...shape.slice(axis + 1)] }]
}

const topK: Inference = (inputs) => {
  const { type, shape } = required(inputs, 0)
  const [k] = numbers(inputs, 1)
  const axis = inRange(attribute(inputs.node, 'axis', 'int') ?? -1, shape.length)
  const kept = shape.map((length, i) => (i === axis ? k : length))
  return [
    { type, shape: kept },
    { type: 'int64', shape: kept },
  ]
}

const matmul: Inference = (inputs) => {
  const [a, b] = [required(inputs, 0), required(inputs, 1)]
  const inner = a.shape[a.shape.length - 1]
  if (a.shape.length < 2 || b.shape.length < 2 || !agree(inner, b.shape[b.shape.length - 2])) {
    throw new Error(`cannot multiply ${show(a.shape)} by ${show(b.shape)}`)
  }
  const outer = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2))
  return [{ type: a.type, shape: [...outer, a.shape[a.shape.length - 2], b.shape[b.shape.length - 1]] }]
}

const gemm: Inference = (inputs) => {
  const turned = (i: number, name: string): readonly Dimension[] => {
    const { shape } = required(inputs, i)
    if (shape.length !== 2) throw new Error(`input ${i + 1} must be a matrix, is ${show(shape)}`)
    return attribute(inputs.node, name, 'int') === 1 ? [shape[1], shape[0]] : shape
  }
  const [a, b] = [turned(0, 'transA'), turned(1, 'transB')]
  if (!agree(a[1], b[0])) throw new Error(`cannot multiply ${show(a)} by ${show(b)}`)
  if (inputs.known[2]) broadcast(inputs.known[2].shape, [a[0], b[1]])
  return [{ type: required(inputs, 0).type, shape: [a[0], b[1]] }]
}

const cast: Inference = (inputs) => {
  const to = attribute(inputs.node, 'to', 'int')
  const found = Object.entries(TYPE_CODES).find(([, code]) => code === to)
  if (!found) throw new Error(`cannot cast to type ${to}`)
  return [{ type: found[0] as DataType, shape: required(inputs, 0).shape }]
}

const where: Inference = (inputs) => {
  const [mask, a, b] = [0, 1, 2].map((i) => required(inputs, i))
  if (mask.type !== 'bool' || a.type !== b.type) throw new Error(`needs a mask and two of one type`)
  return [{ type: a.type, shape: broadcast(mask.shape, broadcast(a.shape, b.shape)) }]
}

const UNARY =
  'Neg Exp Log Sqrt Abs Relu Sigmoid Tanh Identity Sign HardSigmoid Reciprocal Floor Softmax LogSoftmax'
const named = (names: string, rule: Inference): [string, Inference][] =>
  names.split(' ').map((name) => [name, rule])

const RULES: Readonly<Record<string, Inference | undefined>> = Object.fromEntries([
  ...named(`${UNARY} ScatterElements`, same),
  ...named('Add Sub Mul Div Max Min Sum', entrywise),
  ...named('Greater GreaterOrEqual Equal Less', compare),
  ...named('ReduceSum ReduceMean ReduceMax', reduce),
  ['Where', where],
  ['Cast', cast],
  ['Reshape', reshape],
  ['Transpose', transpose],
  ['Expand', (i) => [{ ...required(i, 0), shape: broadcast(required(i, 0).shape, numbers(i, 1)) }]],
  ['Concat', concat],
  ['Slice', slice],
  ['Pad', pad],
  ['Gather', gather],
  ['GatherElements', (i) => [{ ...required(i, 0), shape: required(i, 1).shape }]],
  ['TopK', topK],
  ['MatMul', matmul],
  ['Gemm', gemm],
] satisfies [string, Inference][])
