/** An ONNX model as plain data: the parts of the format that this package writes and reads. */

export interface Arrays {
  readonly float32: Float32Array
  readonly float64: Float64Array
  readonly int64: BigInt64Array
  readonly int32: Int32Array
  readonly uint8: Uint8Array
  readonly bool: Uint8Array
}

export type DataType = keyof Arrays

/** The format's numbers for the types (TensorProto.DataType). */
export const TYPE_CODES: Readonly<Record<DataType, number>> = {
  float32: 1,
  uint8: 2,
  int32: 6,
  int64: 7,
  bool: 9,
  float64: 11,
}

export interface OnnxTensor {
  readonly type: DataType
  readonly dims: readonly number[]
  readonly data: Arrays[DataType]
}

/** A size, or the name of a size that is only known when the model runs. */
export type Dimension = number | string

export interface Value {
  readonly name: string
  readonly type: DataType
  readonly shape: readonly Dimension[]
}

export type Attribute =
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'ints'; readonly value: readonly number[] }
  | { readonly kind: 'floats'; readonly value: readonly number[] }
  | { readonly kind: 'tensor'; readonly value: OnnxTensor }
  | { readonly kind: 'graph'; readonly value: OnnxGraph }

export interface OnnxNode {
  readonly op: string
  /** Empty for the standard operators. */
  readonly domain?: string
  /** An empty name leaves an optional input out. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, Attribute>>
}

export interface OnnxGraph {
  readonly name: string
  readonly inputs: readonly Value[]
  readonly outputs: readonly Value[]
  readonly nodes: readonly OnnxNode[]
  readonly initializers: ReadonlyMap<string, OnnxTensor>
}

export interface OnnxModel {
  readonly graph: OnnxGraph
  /** The version of the standard operators. */
  readonly opset: number
  readonly metadata?: Readonly<Record<string, string>>
}

export const int = (value: number): Attribute => ({ kind: 'int', value })
export const float = (value: number): Attribute => ({ kind: 'float', value })
export const text = (value: string): Attribute => ({ kind: 'text', value })
export const ints = (value: readonly number[]): Attribute => ({ kind: 'ints', value })
export const subgraph = (value: OnnxGraph): Attribute => ({ kind: 'graph', value })

export function float32(dims: readonly number[], values: ArrayLike<number>): OnnxTensor {
  return { type: 'float32', dims, data: Float32Array.from(values) }
}

export function int64(dims: readonly number[], values: readonly number[]): OnnxTensor {
  return { type: 'int64', dims, data: BigInt64Array.from(values, BigInt) }
}
