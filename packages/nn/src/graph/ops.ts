/**
 * The primitive operations. Every executor must lower each of them; everything else is written in terms of these.
 *
 * Images are N x C x H x W in row-major order, whatever an executor keeps inside. Tensors are `f32`, except labels and
 * row numbers, which are `i32`. Masks are `f32` tensors of 0 and 1. Two-sided element-wise operations broadcast by
 * numpy's rule. The list gives the inputs and, after the arrow, the outputs; `?` marks an input that may be left out.
 */
export type Op =
  | Constant
  | Unary
  | Binary
  | Where
  | Reduce
  | Reshape
  | BroadcastTo
  | Transpose
  | Concat
  | Slice
  | Take
  | OneHot
  | Smallest
  | MatMul
  | Conv2d
  | Conv2dInputGrad
  | Conv2dWeightGrad
  | ReluGrad
  | MaxPool
  | MaxPoolGrad
  | AvgPool
  | AvgPoolGrad
  | BatchNormTrain
  | BatchNormGrad
  | BatchNormEval
  | LogSoftmax
  | CrossEntropy
  | CrossEntropyGrad
  | SgdStep
  | AdamStep

export type Pair = readonly [number, number]

/** () -> y: fixed numbers, known when the graph is built. */
export interface Constant {
  readonly kind: 'constant'
  readonly shape: readonly number[]
  /** One number for each entry, or a single one for all. */
  readonly values: readonly number[]
}

/** (x) -> y, entry for entry. `stopGradient` passes its input on and is a constant for differentiation. */
export interface Unary {
  readonly kind: 'neg' | 'exp' | 'log' | 'sqrt' | 'abs' | 'relu' | 'sigmoid' | 'tanh' | 'stopGradient'
}

/** (a, b) -> y with broadcasting. Comparisons give masks, which are constants for differentiation. */
export interface Binary {
  readonly kind: 'add' | 'sub' | 'mul' | 'div' | 'maximum' | 'minimum' | 'greater' | 'greaterEqual' | 'equal'
}

/** (mask, a, b) -> a where the mask is not 0, b elsewhere; with broadcasting. The branch not taken may be NaN. */
export interface Where {
  readonly kind: 'where'
}

/** (x) -> y: over the listed axes (ascending); a kept axis has length 1. */
export interface Reduce {
  readonly kind: 'reduceSum' | 'reduceMean' | 'reduceMax'
  readonly axes: readonly number[]
  readonly keepDims: boolean
}

/** (x) -> y: the same numbers in the same row-major order. */
export interface Reshape {
  readonly kind: 'reshape'
  readonly shape: readonly number[]
}

/** (x) -> y: repeats x to a shape it broadcasts to. */
export interface BroadcastTo {
  readonly kind: 'broadcastTo'
  readonly shape: readonly number[]
}

/** (x) -> y: axis i of the result is axis `order[i]` of x. */
export interface Transpose {
  readonly kind: 'transpose'
  readonly order: readonly number[]
}

/** (x1, ..., xm) -> y: one after the other along an axis. */
export interface Concat {
  readonly kind: 'concat'
  readonly axis: number
}

/** (x) -> y: entries `start` to `end` (without it) along an axis. */
export interface Slice {
  readonly kind: 'slice'
  readonly axis: number
  readonly start: number
  readonly end: number
}

/** (x [R, ...], rows i32 [n]) -> y [n, ...]: rows of a table, such as the batch out of a data set that is kept as a variable. */
export interface Take {
  readonly kind: 'take'
}

/** (labels i32 [n]) -> y [n, classes] of 0 and 1. */
export interface OneHot {
  readonly kind: 'oneHot'
  readonly classes: number
}

/**
 * (x [n], k scalar) -> mask [n]: 1 at the k smallest entries, 0 elsewhere. Exactly floor(k) ones (at least 0, at most
 * n); of equal entries those with the lower index come first. The methods that keep small losses are made of this.
 */
export interface Smallest {
  readonly kind: 'smallest'
}

/** (a, b, bias? [columns]) -> y: product of two matrices, either one transposed first, plus a row. */
export interface MatMul {
  readonly kind: 'matmul'
  readonly transposeA: boolean
  readonly transposeB: boolean
}

/** What a window operation needs: steps and zero padding (both sides alike), as (height, width). */
export interface Window {
  readonly stride: Pair
  readonly padding: Pair
}

/** (x [N,C,H,W], weight [O,C,h,w], bias? [O]) -> y [N,O,H',W']: cross-correlation, as everywhere in deep learning. */
export interface Conv2d extends Window {
  readonly kind: 'conv2d'
}

/** (dy [N,O,H',W'], weight [O,C,h,w]) -> dx [N,C,H,W] with (H, W) = `size`. */
export interface Conv2dInputGrad extends Window {
  readonly kind: 'conv2dInputGrad'
  readonly size: Pair
}

/** (x [N,C,H,W], dy [N,O,H',W']) -> dweight [O,C,h,w] with (h, w) = `kernel`. */
export interface Conv2dWeightGrad extends Window {
  readonly kind: 'conv2dWeightGrad'
  readonly kernel: Pair
}

/** (y, dy) -> dx: dy where y = relu(x) is above 0, else 0. */
export interface ReluGrad {
  readonly kind: 'reluGrad'
}

/** (x [N,C,H,W]) -> y: largest entry of each window; padding never wins. */
export interface MaxPool extends Window {
  readonly kind: 'maxPool'
  readonly kernel: Pair
}

/**
 * (x, y, dy) -> dx, where y is the output of the `maxPool` of x with the same attributes: each dy goes to its window's
 * first maximum in row-major order. y's producer is always that node, so an executor may share its indices.
 */
export interface MaxPoolGrad extends Window {
  readonly kind: 'maxPoolGrad'
  readonly kernel: Pair
}

/** (x [N,C,H,W]) -> y: mean of each window, padding counted as zeros. */
export interface AvgPool extends Window {
  readonly kind: 'avgPool'
  readonly kernel: Pair
}

/** (dy) -> dx [N,C,H,W] with (H, W) = `size`. */
export interface AvgPoolGrad extends Window {
  readonly kind: 'avgPoolGrad'
  readonly kernel: Pair
  readonly size: Pair
}

/**
 * (x [N,C,...], scale [C], bias [C]) -> y, mean [C], variance [C]: normalised by the batch's own statistics per channel;
 * the variance is the biased one (divided by the count).
 */
export interface BatchNormTrain {
  readonly kind: 'batchNormTrain'
  readonly epsilon: number
}

/** (dy, x, scale, mean, variance) -> dx, dscale, dbias: the gradient through the statistics as well. */
export interface BatchNormGrad {
  readonly kind: 'batchNormGrad'
  readonly epsilon: number
}

/** (x, scale, bias, mean, variance) -> y: normalised by given statistics. */
export interface BatchNormEval {
  readonly kind: 'batchNormEval'
  readonly epsilon: number
}

/** (logits [N,K]) -> log-probabilities [N,K]. */
export interface LogSoftmax {
  readonly kind: 'logSoftmax'
}

/** (logits [N,K], labels i32 [N]) -> losses [N], logProbabilities [N,K]: per-sample cross-entropy. */
export interface CrossEntropy {
  readonly kind: 'crossEntropy'
}

/** (logProbabilities [N,K], labels i32 [N], weights [N]) -> weights_i (softmax - oneHot), the logits' gradient. */
export interface CrossEntropyGrad {
  readonly kind: 'crossEntropyGrad'
}

/**
 * (w, v, g, rate scalar) -> w', v': d = g + weightDecay w; v' = momentum v + d; w' = w - rate v' (PyTorch's SGD without
 * Nesterov or dampening).
 */
export interface SgdStep {
  readonly kind: 'sgdStep'
  readonly momentum: number
  readonly weightDecay: number
}

/**
 * (w, m, v, g, rate, c1, c2 scalars) -> w', m', v': d = g + weightDecay w; m' = beta1 m + (1 - beta1) d;
 * v' = beta2 v + (1 - beta2) d^2; w' = w - rate/c1 m' / (sqrt(v'/c2) + epsilon), with c = 1 - beta^t (PyTorch's Adam).
 */
export interface AdamStep {
  readonly kind: 'adamStep'
  readonly beta1: number
  readonly beta2: number
  readonly epsilon: number
  readonly weightDecay: number
}

/** An operation by its name, for exhaustive tables: `OpOf<'conv2d'>`. */
export type OpOf<K extends Op['kind'], O extends Op = Op> = O extends Op
  ? K extends O['kind']
    ? O
    : never
  : never
