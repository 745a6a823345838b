import type { Shape } from '../../../graph/graph.js'
import type { AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad } from '../../../graph/ops.js'
import { Block } from './block.js'
import { literal } from './text.js'

/** What a window is written by: names of its own, and the values of tensors at an index. */
export interface Writer {
  name(): string
  shape(tensor: number): Shape
  value(tensor: number, index: readonly string[], block: Block): string
}

/** The largest entry of a window, or their mean. */
export function pool(
  writer: Writer,
  op: MaxPool | AvgPool,
  x: number,
  index: readonly string[],
  block: Block,
): string {
  const [, , h, w] = writer.shape(x)
  const isMax = op.kind === 'maxPool'
  const [name, i, j] = names(writer, 3)
  const inner = new Block(block)
  const value = writer.value(x, [index[0], index[1], i, j], inner)
  block.lines.push(
    `float ${name} = ${isMax ? literal(Number.NEGATIVE_INFINITY) : '0.f'};`,
    ...entriesOf(op, [h, w], [index[2], index[3]], [i, j]),
    ...inner.lines,
    isMax ? `${name} = max_(${name}, ${value});` : `${name} += ${value};`,
    '}',
  )
  if (!isMax) block.lines.push(`${name} /= ${literal(op.kernel[0] * op.kernel[1])};`)
  return name
}

/** For every window that holds the entry: whether it is the first maximum there. */
export function maxPoolGrad(
  writer: Writer,
  op: MaxPoolGrad,
  inputs: readonly number[],
  index: readonly string[],
  block: Block,
): string {
  const [x, y, dy] = inputs
  const [, , h, w] = writer.shape(x)
  const [, , oh, ow] = writer.shape(y)
  const [n, c, row, column] = index
  const [name, best, u, v, i, j] = names(writer, 6)
  const look = new Block(block)
  const value = writer.value(x, [n, c, i, j], look)
  const give = new Block(block)
  const gradient = writer.value(dy, [n, c, u, v], give)
  block.lines.push(
    `float ${name} = 0.f;`,
    windowsOver(op, [oh, ow], [row, column], [u, v]),
    `int ${best} = -1; float m = 0.f;`,
    ...entriesOf(op, [h, w], [u, v], [i, j]),
    ...look.lines,
    `if (${best} < 0 || ${value} > m) { m = ${value}; ${best} = ${i} * ${w} + ${j}; }`,
    '}',
    `if (${best} == ${row} * ${w} + ${column}) {`,
    ...give.lines,
    `${name} += ${gradient};`,
    '} }',
  )
  return name
}

/** The mean's gradient: the same for every entry of a window. */
export function avgPoolGrad(
  writer: Writer,
  op: AvgPoolGrad,
  dy: number,
  index: readonly string[],
  block: Block,
): string {
  const [, , oh, ow] = writer.shape(dy)
  const [n, c, row, column] = index
  const [name, u, v] = names(writer, 3)
  const inner = new Block(block)
  const value = writer.value(dy, [n, c, u, v], inner)
  block.lines.push(
    `float ${name} = 0.f;`,
    windowsOver(op, [oh, ow], [row, column], [u, v]),
    ...inner.lines,
    `${name} += ${value};`,
    '}',
    `${name} /= ${literal(op.kernel[0] * op.kernel[1])};`,
  )
  return name
}

type Pair = readonly [string, string]

const names = (writer: Writer, count: number): string[] => Array.from({ length: count }, () => writer.name())

/** Opens a loop over the entries of a window that lie in the image. */
function entriesOf(
  op: MaxPool | AvgPool | MaxPoolGrad,
  [h, w]: readonly [number, number],
  [u, v]: Pair,
  [i, j]: Pair,
): readonly string[] {
  return [
    `for (int a = 0; a < ${op.kernel[0]}; a++) for (int b = 0; b < ${op.kernel[1]}; b++) {`,
    `const int ${i} = ${u} * ${op.stride[0]} - ${op.padding[0]} + a;`,
    `const int ${j} = ${v} * ${op.stride[1]} - ${op.padding[1]} + b;`,
    `if (${i} < 0 || ${i} >= ${h} || ${j} < 0 || ${j} >= ${w}) continue;`,
  ]
}

/** Opens a loop over the windows that hold an entry. */
function windowsOver(
  op: MaxPoolGrad | AvgPoolGrad,
  [oh, ow]: readonly [number, number],
  [row, column]: Pair,
  [u, v]: Pair,
): string {
  const side = (axis: 0 | 1, at: string, count: number, name: string): string => {
    const [k, s, p] = [op.kernel[axis], op.stride[axis], op.padding[axis]]
    const low = `(${at} + ${p} - ${k} + ${s}) / ${s}`
    return `for (int ${name} = ${at} + ${p} < ${k} ? 0 : ${low}; ${name} <= (${at} + ${p}) / ${s} && ${name} < ${count}; ${name}++)`
  }
  return `${side(0, row, oh, u)} ${side(1, column, ow, v)} {`
}
