import type { Attribute, DataType, Dimension, OnnxNode, OnnxTensor } from '../../onnx/schema.js'

/** The type and shape of a value. */
export interface Known {
  readonly type: DataType
  readonly shape: readonly Dimension[]
}

/** What a node's inputs are; `constants` holds those that are fixed numbers, such as a new shape. */
export interface Inputs {
  readonly node: OnnxNode
  readonly known: readonly (Known | undefined)[]
  readonly constants: readonly (OnnxTensor | undefined)[]
}

/** Computes the results' types, or throws what is wrong, without saying where. */
export type Inference = (inputs: Inputs) => readonly Known[]

export function required({ known, node }: Inputs, i: number): Known {
  const value = known[i]
  if (value === undefined) throw new Error(`needs input ${i + 1}, has ${node.inputs.length}`)
  return value
}

type Kinds = { readonly [A in Attribute as A['kind']]: A['value'] }

export function attribute<K extends keyof Kinds>(
  node: OnnxNode,
  name: string,
  kind: K,
): Kinds[K] | undefined {
  const found = node.attributes?.[name]
  if (found === undefined) return undefined
  if (found.kind !== kind) throw new Error(`attribute ${name} must be of kind ${kind}, is ${found.kind}`)
  return found.value as Kinds[K]
}

export const show = (shape: readonly Dimension[]): string => `[${shape.join(', ')}]`

/** Sizes that are only known when the model runs agree with any. */
export const agree = (a: Dimension, b: Dimension): boolean =>
  typeof a === 'string' || typeof b === 'string' || a === b
