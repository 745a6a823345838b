import { RlviError } from 'rlvi'
import { type Graph, type Node, type Shape, sizeOf } from '../../../graph/graph.js'
import { type Layout, rows, sameLayout } from '../plan/layout.js'
import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { avgPoolGrad, maxPoolGrad, pool, type Writer } from './pools.js'
import { broadcastIndex, literal, offsetOf, replaced, unary, unravel } from './text.js'

/** What kernels are written from: the graph, and which of its tensors lie in memory. */
export interface Program {
  readonly graph: Graph
  /** From so many entries on, a thread takes several neighbours; fewer are spread over as many threads as there are entries. */
  readonly wideFrom: number
  producer(tensor: number): { readonly node: Node; readonly output: number } | undefined
  slot(tensor: number): Slot | undefined
  /** Where a node's result lies before the bias is added, for convolutions with one. */
  raw(node: Node): Slot
  constant(values: readonly number[], shape: Shape): Slot
}

/** How a kernel goes through memory: `lanes` neighbours along the last axis of `layout` at a time. */
export interface Walk {
  readonly layout: Layout
  readonly lanes: number
  /** The index of the entry by the axes of the shape, as C names. */
  readonly index: readonly string[]
}

/**
 * Writes the C code of tensors as functions of an index: a tensor that lies in memory is loaded, any other is computed from its
 * inputs in place. This is what fuses element-wise chains, broadcasts, windows and changes of shape into the kernel that
 * needs them.
 */
export class Expressions implements Writer {
  readonly #program: Program
  readonly #slots: Slot[] = []
  readonly #written = new Set<number>()
  /** Loads of whole vectors, to be put before the loop over lanes. */
  readonly hoisted: string[] = []
  readonly #hoistedNames = new Map<string, string>()
  readonly #recomputed: ReadonlySet<number>
  readonly #given: Map<number, string> = new Map()
  readonly #walk: Walk | undefined
  /** Whether loads may be put before the loop over lanes. */
  hoists = true
  #names = 0

  constructor(
    program: Program,
    options: {
      walk?: Walk
      /** Tensors that lie in memory, but are computed again because that needs nothing that is not loaded anyway. */
      recomputed?: ReadonlySet<number>
    } = {},
  ) {
    this.#program = program
    this.#recomputed = options.recomputed ?? new Set()
    this.#walk = options.walk
  }

  /** The slots that the kernel takes, in the order of its parameters. */
  get slots(): readonly Slot[] {
    return this.#slots
  }

  get written(): ReadonlySet<number> {
    return this.#written
  }

  /** The parameter that points to a slot. */
  pointer(slot: Slot, access: 'read' | 'write' = 'read'): string {
    let at = this.#slots.findIndex((other) => other.id === slot.id)
    if (at < 0) at = this.#slots.push(slot) - 1
    if (access === 'write') this.#written.add(slot.id)
    return `p${at}`
  }

  /** The kernel's parameters in C. */
  parameters(): string {
    return this.#slots
      .map(({ id, layout }, i) => {
        const type = layout.element === 'f32' ? 'float' : layout.element === 'i32' ? 'int' : 'bf16'
        return this.#written.has(id) ? `${type}* p${i}` : `const ${type}* __restrict__ p${i}`
      })
      .join(', ')
  }

  name(): string {
    return `t${this.#names++}`
  }

  /** A tensor's value is a C name from here on. */
  give(tensor: number, name: string): void {
    this.#given.set(tensor, name)
  }

  /** The C name of a tensor's entry. */
  value(tensor: number, index: readonly string[], block: Block): string {
    const given = this.#given.get(tensor)
    if (given !== undefined) return given
    const key = `${tensor}[${index.join(',')}]`
    const known = block.recall(key)
    if (known !== undefined) return known
    const slot = this.#recomputed.has(tensor) ? undefined : this.#program.slot(tensor)
    const made = slot ? this.load(slot, index, block) : this.#computed(tensor, index, block)
    block.remember(key, made)
    return made
  }

  /** An entry of a slot. */
  load(slot: Slot, index: readonly string[], block: Block): string {
    const hoisted = this.#hoist(slot, index)
    if (hoisted !== undefined) return hoisted
    const pointer = this.pointer(slot)
    const key = `${pointer}[${index.join(',')}]`
    const known = block.recall(key)
    if (known !== undefined) return known
    const name = this.#assign(
      block,
      `load(${pointer} + ${offsetOf(slot.layout, index)})`,
      slot.layout.element === 'i32',
    )
    block.remember(key, name)
    return name
  }

  /** Neighbours are loaded together where the walk goes along the slot itself, or a vector along its channels. */
  #hoist(slot: Slot, index: readonly string[]): string | undefined {
    const walk = this.#walk
    if (!walk || walk.lanes === 1 || !this.hoists) return undefined
    const { layout } = slot
    const whole =
      walk.layout.kind === layout.kind &&
      sameLayout({ ...walk.layout, element: layout.element }, layout) &&
      index.every((name, axis) => name === walk.index[axis])
    const last = walk.layout.kind === 'channelsLast' ? 1 : walk.layout.shape.length - 1
    const vector =
      layout.kind === 'rows' &&
      layout.shape.length === 1 &&
      layout.shape[0] % walk.lanes === 0 &&
      index[0] === walk.index[last]
    if (!whole && !vector) return undefined
    if (layout.element === 'i32') return undefined
    const pointer = this.pointer(slot)
    const key = `${pointer}:${whole}`
    const known = this.#hoistedNames.get(key)
    if (known !== undefined) return known
    const name = this.name()
    this.hoisted.push(
      `float ${name}[${walk.lanes}]; loads<${walk.lanes}>(${pointer} + ${whole ? 'p' : 'first'}, ${name});`,
    )
    this.#hoistedNames.set(key, `${name}[l]`)
    return `${name}[l]`
  }

  #assign(block: Block, expression: string, whole = false): string {
    const name = this.name()
    block.lines.push(`const ${whole ? 'int' : 'float'} ${name} = ${expression};`)
    return name
  }

  shape(tensor: number): Shape {
    return this.#program.graph.tensors[tensor].shape
  }

  #computed(tensor: number, index: readonly string[], block: Block): string {
    const made = this.#program.producer(tensor)
    if (!made) throw new RlviError('cuda', 'tensors must be computed or in memory', tensor)
    const { node, output } = made
    const { op, inputs } = node
    const shape = this.shape(tensor)
    const whole = this.#program.graph.tensors[tensor].dtype === 'i32'
    const set = (expression: string): string => this.#assign(block, expression, whole)
    const at = (i: number, where: readonly string[] = index): string => this.value(inputs[i], where, block)
    const spread = (i: number): string => at(i, broadcastIndex(this.shape(inputs[i]), index))
    switch (op.kind) {
      case 'constant': {
        if (op.values.length === 1) return literal(op.values[0])
        return this.load(this.#program.constant(op.values, shape), index, block)
      }
      case 'neg':
      case 'exp':
      case 'log':
      case 'sqrt':
      case 'abs':
      case 'relu':
      case 'sigmoid':
      case 'tanh':
        return set(unary[op.kind](at(0)))
      case 'stopGradient':
        return at(0)
      case 'add':
        return set(`${spread(0)} + ${spread(1)}`)
      case 'sub':
        return set(`${spread(0)} - ${spread(1)}`)
      case 'mul':
        return set(`${spread(0)} * ${spread(1)}`)
      case 'div':
        return set(`${spread(0)} / ${spread(1)}`)
      case 'maximum':
        return set(`max_(${spread(0)}, ${spread(1)})`)
      case 'minimum':
        return set(`min_(${spread(0)}, ${spread(1)})`)
      case 'greater':
        return set(`${spread(0)} > ${spread(1)} ? 1.f : 0.f`)
      case 'greaterEqual':
        return set(`${spread(0)} >= ${spread(1)} ? 1.f : 0.f`)
      case 'equal':
        return set(`${spread(0)} == ${spread(1)} ? 1.f : 0.f`)
      case 'where':
        return set(`${spread(0)} != 0.f ? ${spread(1)} : ${spread(2)}`)
      case 'reluGrad':
        return set(`${at(0)} > 0.f ? ${at(1)} : 0.f`)
      case 'broadcastTo':
        return spread(0)
      case 'reshape':
        return at(0, this.#reshaped(this.shape(inputs[0]), shape, index, block))
      case 'transpose':
        return at(
          0,
          op.order.map((_, axis) => index[op.order.indexOf(axis)]),
        )
      case 'slice':
        return at(0, replaced(index, op.axis, `(${index[op.axis]} + ${op.start})`))
      case 'concat':
        return this.#concat(inputs, op.axis, index, block)
      case 'take': {
        const row = at(1, [index[0]])
        return at(0, [row, ...index.slice(1)])
      }
      case 'oneHot':
        return set(`${at(0, [index[0]])} == ${index[1]} ? 1.f : 0.f`)
      case 'crossEntropyGrad': {
        const hit = `(${at(1, [index[0]])} == ${index[1]} ? 1.f : 0.f)`
        return set(`${at(2, [index[0]])} * (expf(${at(0)}) - ${hit})`)
      }
      case 'conv2d':
        return set(`${this.load(this.#program.raw(node), index, block)} + ${at(2, [index[1]])}`)
      case 'batchNormTrain':
      case 'batchNormEval': {
        if (output !== 0) break
        const channel = [index[1]]
        const [mean, variance] = op.kind === 'batchNormEval' ? inputs.slice(3) : node.outputs.slice(1)
        const inverse = set(`rsqrtf(${this.value(variance, channel, block)} + ${literal(op.epsilon)})`)
        const centred = `(${at(0)} - ${this.value(mean, channel, block)})`
        return set(`${at(1, channel)} * (${centred} * ${inverse}) + ${at(2, channel)}`)
      }
      case 'batchNormGrad': {
        if (output !== 0) break
        const channel = [index[1]]
        const count = literal(sizeOf(shape) / shape[1])
        const [, dscale, dbias] = node.outputs
        const inverse = set(`rsqrtf(${at(4, channel)} + ${literal(op.epsilon)})`)
        const normal = set(`(${at(1)} - ${at(3, channel)}) * ${inverse}`)
        const [byScale, byBias] = [dscale, dbias].map((id) => this.value(id, channel, block))
        return set(
          `${at(2, channel)} * ${inverse} * (${at(0)} - (${byBias} + ${normal} * ${byScale}) / ${count})`,
        )
      }
      case 'maxPool':
      case 'avgPool':
        return pool(this, op, inputs[0], index, block)
      case 'maxPoolGrad':
        return maxPoolGrad(this, op, inputs, index, block)
      case 'avgPoolGrad':
        return avgPoolGrad(this, op, inputs[0], index, block)
    }
    throw new RlviError('cuda', 'must be computed by a kernel of its own', op.kind)
  }

  /** The index into the other shape with the same number in row-major order. */
  #reshaped(from: Shape, to: Shape, index: readonly string[], block: Block): readonly string[] {
    // Where only axes of length 1 come and go, the others keep their index.
    const real = (shape: Shape): number[] => [...shape.keys()].filter((axis) => shape[axis] !== 1)
    const [fromReal, toReal] = [real(from), real(to)]
    if (fromReal.length === toReal.length && fromReal.every((axis, i) => from[axis] === to[toReal[i]])) {
      const out = from.map(() => '0')
      fromReal.forEach((axis, i) => {
        out[axis] = index[toReal[i]]
      })
      return out
    }
    const linear = this.#assign(block, offsetOf(rows(to), index), true)
    return unravel(from, linear)
  }

  #concat(inputs: readonly number[], axis: number, index: readonly string[], block: Block): string {
    const name = this.name()
    block.lines.push(`float ${name};`)
    let start = 0
    inputs.forEach((part, i) => {
      const end = start + this.shape(part)[axis]
      const inner = new Block(block)
      const value = this.value(part, replaced(index, axis, `(${index[axis]} - ${start})`), inner)
      const test = i === inputs.length - 1 ? '' : `if (${index[axis]} < ${end}) `
      block.lines.push(`${i === 0 ? '' : 'else '}${test}{`, ...inner.lines, `${name} = ${value};`, '}')
      start = end
    })
    return name
  }
}
