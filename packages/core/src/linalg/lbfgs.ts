/** What a minimiser by first derivatives ends with. */
export interface Minimum {
  readonly at: Float64Array
  readonly value: number
  readonly steps: number
  /** Whether the gradient vanished, or the value fell to `enough`. */
  readonly reached: boolean
}

export interface LbfgsOptions {
  /** A gradient times the inverse of the curvature, about: the first step, and the metric of all others. */
  precondition(gradient: Float64Array): Float64Array
  /** The gain that a step in that metric promises, over the value, at which to stop. */
  readonly tolerance: number
  readonly maxSteps: number
  /** A value at which there is nothing left to gain. */
  readonly enough: number
}

const MEMORY = 12

/** Minimises a smooth function by L-BFGS (Nocedal 1980) with step halving: no matrix, so that thousands of variables are few. */
export function lbfgs(
  evaluate: (at: Float64Array, gradient: Float64Array) => number,
  start: Float64Array,
  options: LbfgsOptions,
): Minimum {
  const size = start.length
  const steps: Array<{ s: Float64Array; y: Float64Array; rho: number }> = []
  let at = start
  let gradient: Float64Array = new Float64Array(size)
  let value = evaluate(at, gradient)
  for (let k = 0; k < options.maxSteps; k++) {
    const straight = options.precondition(gradient)
    const promise = dot(gradient, straight)
    if (value <= options.enough || promise <= options.tolerance * Math.abs(value))
      return { at, value, steps: k, reached: true }
    const direction = descent(gradient, steps, options)
    let slope = dot(gradient, direction)
    if (!(slope < 0)) {
      steps.length = 0
      direction.set(straight.map((g) => -g))
      slope = -promise
    }
    const nextGradient = new Float64Array(size)
    let length = 1
    let next = moved(at, direction, length)
    let nextValue = evaluate(next, nextGradient)
    const noise = 1e-14 * Math.abs(value)
    while (!(nextValue <= value + 1e-4 * length * slope + noise) && length > 1e-10) {
      length /= 2
      next = moved(at, direction, length)
      nextValue = evaluate(next, nextGradient)
    }
    if (!(nextValue <= value + noise))
      return { at, value, steps: k, reached: promise <= 1e-6 * Math.abs(value) }
    const s = next.map((v, j) => v - at[j])
    const y = nextGradient.map((g, j) => g - gradient[j])
    const curvature = dot(s, y)
    if (curvature > 1e-14 * Math.sqrt(dot(s, s) * dot(y, y))) steps.push({ s, y, rho: 1 / curvature })
    if (steps.length > MEMORY) steps.shift()
    at = next
    value = nextValue
    gradient = nextGradient
  }
  return { at, value, steps: options.maxSteps, reached: false }
}

/** - H g by the two-loop recursion. */
function descent(
  gradient: Float64Array,
  steps: ReadonlyArray<{ readonly s: Float64Array; readonly y: Float64Array; readonly rho: number }>,
  { precondition }: LbfgsOptions,
): Float64Array {
  let q = gradient.map((g) => -g)
  const alphas: number[] = []
  for (let k = steps.length - 1; k >= 0; k--) {
    const { s, y, rho } = steps[k]
    alphas[k] = rho * dot(s, q)
    for (let j = 0; j < q.length; j++) q[j] -= alphas[k] * y[j]
  }
  const last = steps.at(-1)
  const scale = last === undefined ? 1 : 1 / (last.rho * dot(last.y, precondition(last.y)))
  q = precondition(q).map((v) => v * scale)
  for (let k = 0; k < steps.length; k++) {
    const { s, y, rho } = steps[k]
    const beta = rho * dot(y, q)
    for (let j = 0; j < q.length; j++) q[j] += (alphas[k] - beta) * s[j]
  }
  return q
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j]
  return sum
}

function moved(at: Float64Array, direction: Float64Array, length: number): Float64Array {
  return at.map((v, j) => v + length * direction[j])
}
