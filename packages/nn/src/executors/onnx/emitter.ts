import {
  type Attribute,
  type DataType,
  float32,
  int,
  int64,
  ints,
  type OnnxNode,
  type OnnxTensor,
  text,
} from '../../onnx/schema.js'

type Given = number | string | readonly number[] | Attribute

/** The operators of ONNX Runtime for images whose channels lie in blocks. */
export const BLOCKED = 'com.microsoft.nchwc'

/** Collects ONNX nodes and constants. Values go by generated names, equal constants are one. */
export class Emitter {
  readonly nodes: OnnxNode[] = []
  readonly initializers: Map<string, OnnxTensor> = new Map()
  readonly #known: Map<string, string> = new Map()
  readonly #prefix: string
  #count = 0

  constructor(prefix = '') {
    this.#prefix = prefix
  }

  /** A node with one output, whose name is returned. Numbers and lists of numbers are whole-number attributes. */
  op(
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Given>> = {},
    domain = '',
  ): string {
    return this.ops(op, 1, inputs, attributes, domain)[0]
  }

  /** A node with several outputs. */
  ops(
    op: string,
    outputs: number,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Given>> = {},
    domain = '',
  ): string[] {
    const names = Array.from({ length: outputs }, () => this.#fresh(op))
    const given = Object.entries(attributes).map(([name, value]) => [name, attribute(value)] as const)
    this.nodes.push({ op, domain, inputs, outputs: names, attributes: Object.fromEntries(given) })
    return names
  }

  /** A list of whole numbers, such as a shape or axes. */
  ints(values: readonly number[]): string {
    return this.#constant(`ints ${values}`, () => int64([values.length], values))
  }

  /** A real number. */
  real(value: number): string {
    return this.#constant(`real ${value}`, () => float32([], [value]))
  }

  reals(dims: readonly number[], values: ArrayLike<number>): string {
    return this.#constant(`reals ${dims} ${Array.prototype.join.call(values)}`, () => float32(dims, values))
  }

  whole(dims: readonly number[], values: readonly number[]): string {
    const tensor: OnnxTensor = { type: 'int32', dims, data: Int32Array.from(values) }
    return this.#constant(`whole ${dims} ${values}`, () => tensor)
  }

  reshape(x: string, shape: readonly number[]): string {
    return this.op('Reshape', [x, this.ints(shape)])
  }

  transpose(x: string, perm: readonly number[]): string {
    return this.op('Transpose', [x], { perm })
  }

  cast(x: string, to: DataType): string {
    return this.op('Cast', [x], {
      to: { float32: 1, int32: 6, int64: 7, bool: 9, uint8: 2, float64: 11 }[to],
    })
  }

  /** Sum or mean over axes; newer opsets take the axes of every reduction as an input, this one of the sum only. */
  reduce(
    op: 'ReduceSum' | 'ReduceMean' | 'ReduceMax',
    x: string,
    axes: readonly number[],
    keep = false,
  ): string {
    const keepdims = keep ? 1 : 0
    if (op === 'ReduceSum') return this.op(op, [x, this.ints(axes)], { keepdims })
    return this.op(op, [x], { axes, keepdims })
  }

  #constant(key: string, make: () => OnnxTensor): string {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const name = this.#fresh('constant')
    this.initializers.set(name, make())
    this.#known.set(key, name)
    return name
  }

  #fresh(op: string): string {
    this.#count += 1
    return `${this.#prefix}${op}:${this.#count}`
  }
}

function attribute(value: Given): Attribute {
  if (typeof value === 'number') return int(value)
  if (typeof value === 'string') return text(value)
  return 'kind' in value ? value : ints(value)
}
