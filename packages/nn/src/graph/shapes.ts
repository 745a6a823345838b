import { checker } from './checker.js'
import { type DType, type Shape, sameShape, showShape, sizeOf, type TensorType } from './graph.js'
import type { Op } from './ops.js'
import { convShape, inputGradShape, poolGradShape, poolShape, weightGradShape } from './window-shapes.js'

/**
 * The types of an operation's outputs, or an error that names the layer, the rule and the shapes. This is the one place
 * that says which inputs an operation takes.
 */
export function outputTypes(op: Op, inputs: readonly TensorType[], layer: string): readonly TensorType[] {
  const check = checker(op, inputs, layer)
  const shapes = inputs.map((input) => input.shape)
  const [x, y, z] = shapes as [Shape, Shape, Shape]
  const same = (dtype: DType = 'f32'): readonly TensorType[] => [{ shape: x, dtype }]
  const floats = (...all: readonly Shape[]): readonly TensorType[] =>
    all.map((shape) => ({ shape, dtype: 'f32' }))

  switch (op.kind) {
    case 'constant':
      check.count(0)
      check.rule(
        op.values.length === 1 || op.values.length === sizeOf(op.shape),
        `needs 1 or ${sizeOf(op.shape)} values for ${showShape(op.shape)}`,
        op.values.length,
      )
      return floats(op.shape)
    case 'neg':
    case 'exp':
    case 'log':
    case 'sqrt':
    case 'abs':
    case 'relu':
    case 'sigmoid':
    case 'tanh':
    case 'stopGradient':
      check.count(1)
      return same()
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'maximum':
    case 'minimum':
    case 'greater':
    case 'greaterEqual':
    case 'equal':
      check.count(2)
      return floats(check.broadcast(x, y))
    case 'where':
      check.count(3)
      return floats(check.broadcast(check.broadcast(x, y), z))
    case 'reduceSum':
    case 'reduceMean':
    case 'reduceMax': {
      check.count(1)
      const sorted = op.axes.every(
        (axis, i) => axis >= 0 && axis < x.length && (i === 0 || axis > op.axes[i - 1]),
      )
      check.rule(sorted, `axes must be ascending and inside ${showShape(x)}`, op.axes)
      const kept = x.map((length, axis) => (op.axes.includes(axis) ? 1 : length))
      return floats(op.keepDims ? kept : kept.filter((_, axis) => !op.axes.includes(axis)))
    }
    case 'reshape':
      check.count(1)
      check.rule(sizeOf(op.shape) === sizeOf(x), `the new shape must have ${sizeOf(x)} entries`, op.shape)
      return [{ shape: op.shape, dtype: inputs[0].dtype }]
    case 'broadcastTo':
      check.count(1)
      check.rule(
        sameShape(check.broadcast(x, op.shape), op.shape),
        `${showShape(x)} must broadcast to the new shape`,
        op.shape,
      )
      return floats(op.shape)
    case 'transpose': {
      check.count(1)
      const axes = [...op.order].sort((a, b) => a - b)
      check.rule(
        axes.length === x.length && axes.every((axis, i) => axis === i),
        `order must list each axis of ${showShape(x)} once`,
        op.order,
      )
      return floats(op.order.map((axis) => x[axis]))
    }
    case 'concat': {
      check.rule(inputs.length > 0, 'needs at least one input', 0)
      check.rule(op.axis >= 0 && op.axis < x.length, `axis must be inside ${showShape(x)}`, op.axis)
      const rest = (shape: Shape): Shape => shape.map((length, axis) => (axis === op.axis ? 0 : length))
      for (const shape of shapes) {
        check.shapes(sameShape(rest(shape), rest(x)), `shapes must agree except on axis ${op.axis}`)
      }
      const total = shapes.reduce((sum, shape) => sum + shape[op.axis], 0)
      return floats(x.map((length, axis) => (axis === op.axis ? total : length)))
    }
    case 'slice':
      check.count(1)
      check.rule(
        op.axis >= 0 && op.axis < x.length && op.start >= 0 && op.start < op.end && op.end <= x[op.axis],
        `must lie inside ${showShape(x)} and hold something`,
        `axis ${op.axis}, ${op.start} to ${op.end}`,
      )
      return floats(x.map((length, axis) => (axis === op.axis ? op.end - op.start : length)))
    case 'take':
      check.count(2)
      check.integers(1)
      check.shapes(x.length >= 1 && y.length === 1, 'takes a table [R, ...] and row numbers [n]')
      return [{ shape: [y[0], ...x.slice(1)], dtype: inputs[0].dtype }]
    case 'oneHot':
      check.count(1)
      check.integers(0)
      check.shapes(x.length === 1, 'takes labels [n]')
      return floats([x[0], op.classes])
    case 'smallest':
      check.count(2)
      check.shapes(x.length === 1 && y.length === 0, 'takes values [n] and a scalar k')
      return floats(x)
    case 'matmul': {
      check.count(2, 3)
      check.shapes(x.length === 2 && y.length === 2, 'takes two matrices')
      const [rows, inner] = op.transposeA ? [x[1], x[0]] : [x[0], x[1]]
      const [inner2, columns] = op.transposeB ? [y[1], y[0]] : [y[0], y[1]]
      check.shapes(inner === inner2, `the inner lengths must agree (${inner} and ${inner2})`)
      if (z) check.shapes(sameShape(z, [columns]), `the bias must be ${showShape([columns])}`)
      return floats([rows, columns])
    }
    case 'conv2d':
      check.count(2, 3)
      return floats(convShape(op, shapes, check))
    case 'conv2dInputGrad':
      check.count(2)
      return floats(inputGradShape(op, shapes, check))
    case 'conv2dWeightGrad':
      check.count(2)
      return floats(weightGradShape(op, shapes, check))
    case 'reluGrad':
      check.count(2)
      check.shapes(sameShape(x, y), 'y and dy must have one shape')
      return same()
    case 'maxPool':
    case 'avgPool':
      check.count(1)
      return floats(poolShape(op, x, check))
    case 'maxPoolGrad':
      check.count(3)
      check.shapes(
        sameShape(poolShape(op, x, check), y) && sameShape(y, z),
        'takes x, its pooled y and a dy like y',
      )
      return same()
    case 'avgPoolGrad':
      check.count(1)
      return floats(poolGradShape(op, x, check))
    case 'batchNormTrain':
    case 'batchNormEval': {
      check.count(op.kind === 'batchNormTrain' ? 3 : 5)
      check.shapes(x.length >= 2, 'x must be [N, C, ...]')
      const channels = [x[1]]
      for (const shape of shapes.slice(1)) {
        check.shapes(sameShape(shape, channels), `scale, bias and statistics must be ${showShape(channels)}`)
      }
      return op.kind === 'batchNormTrain' ? floats(x, channels, channels) : floats(x)
    }
    case 'batchNormGrad': {
      check.count(5)
      check.shapes(x.length >= 2 && sameShape(x, y), 'dy and x must have one shape [N, C, ...]')
      const channels = [x[1]]
      for (const shape of shapes.slice(2)) {
        check.shapes(sameShape(shape, channels), `scale and statistics must be ${showShape(channels)}`)
      }
      return floats(x, channels, channels)
    }
    case 'logSoftmax':
      check.count(1)
      check.shapes(x.length === 2, 'takes logits [N, K]')
      return same()
    case 'crossEntropy':
      check.count(2)
      check.integers(1)
      check.shapes(x.length === 2 && sameShape(y, [x[0]]), 'takes logits [N, K] and labels [N]')
      return floats([x[0]], x)
    case 'crossEntropyGrad':
      check.count(3)
      check.integers(1)
      check.shapes(
        x.length === 2 && sameShape(y, [x[0]]) && sameShape(z, [x[0]]),
        'takes log-probabilities [N, K], labels [N] and weights [N]',
      )
      return same()
    case 'sgdStep':
      check.count(4)
      check.shapes(sameShape(x, y) && sameShape(x, z), 'w, v and g must have one shape')
      check.shapes(shapes[3].length === 0, 'the rate must be a scalar')
      return floats(x, x)
    case 'adamStep':
      check.count(7)
      check.shapes(
        shapes.slice(1, 4).every((shape) => sameShape(shape, x)),
        'w, m, v and g must have one shape',
      )
      check.shapes(
        shapes.slice(4).every((shape) => shape.length === 0),
        'the rate and the corrections must be scalars',
      )
      return floats(x, x, x)
  }
}
