/** A function's value and, into `gradient`, its gradient. */
export type Smooth = (at: Float64Array, gradient: Float64Array) => number

export interface Maximum {
  readonly at: Float64Array
  readonly value: number
}

const MAX_STEPS = 60
/** Of the way that a step promises, this much must be gained. */
const ENOUGH = 1e-4
/** Of the value: what rounding leaves of a gain. */
const UNSEEN = 1e-12
/** No step moves a parameter by more. */
const LONGEST = 1.5

/**
 * A local maximum of a function of few parameters, from a start, by BFGS steps that are halved until they gain. About how
 * strongly it bends tells how long the first one is.
 */
export function maximise(f: Smooth, start: Float64Array, tolerance: number, bend = 1): Maximum {
  const d = start.length
  let at = start.slice()
  let gradient = new Float64Array(d)
  let value = f(at, gradient)
  // The inverse of minus the Hessian, as far as the steps have told.
  let inverse = identity(d, 1 / bend)
  let told = false
  for (let k = 0; k < MAX_STEPS; k++) {
    let step = times(inverse, gradient)
    let slope = dot(step, gradient)
    if (!(slope > 0)) {
      inverse = identity(d, 1 / Math.max(1, norm(gradient)))
      step = times(inverse, gradient)
      slope = dot(step, gradient)
    }
    if (!(slope > tolerance)) break
    const most = step.reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    let size = most > LONGEST ? LONGEST / most : 1
    let next = at
    let nextValue = Number.NEGATIVE_INFINITY
    const nextGradient = new Float64Array(d)
    for (; size > 1e-10; size /= 2) {
      next = at.map((a, j) => a + size * step[j])
      nextValue = f(next, nextGradient)
      if (nextValue >= value + ENOUGH * size * slope) break
      // The last steps are too small to be seen in the value, but not in the gradient.
      if (slope < UNSEEN * Math.abs(value) && norm(nextGradient) < norm(gradient)) break
    }
    if (!(nextValue >= value || norm(nextGradient) < norm(gradient))) break
    const moved = next.map((a, j) => a - at[j])
    const bent = gradient.map((g, j) => g - nextGradient[j])
    const curvature = dot(moved, bent)
    if (curvature > 1e-12 * norm(moved) * norm(bent)) {
      if (!told) inverse = identity(d, curvature / dot(bent, bent))
      told = true
      update(inverse, moved, bent, curvature)
    }
    at = next
    gradient = nextGradient
    value = nextValue
  }
  return { at, value }
}

/** The BFGS update of the inverse. */
function update(inverse: Float64Array, moved: Float64Array, bent: Float64Array, curvature: number): void {
  const d = moved.length
  const along = times(inverse, bent)
  const factor = (1 + dot(bent, along) / curvature) / curvature
  for (let j = 0; j < d; j++)
    for (let k = 0; k < d; k++)
      inverse[j * d + k] +=
        factor * moved[j] * moved[k] - (along[j] * moved[k] + moved[j] * along[k]) / curvature
}

function identity(d: number, by: number): Float64Array {
  const out = new Float64Array(d * d)
  for (let j = 0; j < d; j++) out[j * (d + 1)] = by
  return out
}

function times(a: Float64Array, v: Float64Array): Float64Array {
  const d = v.length
  return v.map((_, j) => {
    let sum = 0
    for (let k = 0; k < d; k++) sum += a[j * d + k] * v[k]
    return sum
  })
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j]
  return sum
}

function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a))
}
