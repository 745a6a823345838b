import { logGamma } from '../../linalg/log-gamma.js'

/**
 * The space about a model cut into a core, inside which bad rows cannot be distinguished from good ones, and shells whose
 * radii double. Residuals have two sides: what lies above says nothing of what lies below. The cuts are multiples of
 * one unit for all laws, and stay while a law is fitted: if they moved with its scale, rows that change shells would let the
 * fit go round in circles, and laws could not be compared.
 */
export interface Shells {
  /** Three scales of the good rows, were they normal. */
  readonly unit: number
  readonly dimension: number
  /** Whether offsets have a sign; then a cell lies on one side of the model only. */
  readonly signed: boolean
  /** The core's radius above and below, as a power of two of the unit. */
  readonly core: readonly [number, number]
  /** Whether a side's core shares the density of its first shell. */
  readonly tied: readonly [boolean, boolean]
}

/** Least power of two of a core, and how many shells there are beyond it. */
const LEAST = -3
const MOST = 60

/** The core of a law whose radius is this, in units of the shells: the nearest power of two. */
export function corePower(radius: number): number {
  return Math.min(MOST / 2, Math.max(LEAST, Math.round(Math.log2(radius))))
}

/** The cell of an offset: twice its shell (0 for the core), and 1 more below the model. A tied core is the first shell's. */
export function cellOf({ unit, core, tied }: Shells, value: number): number {
  const side = value < 0 ? 1 : 0
  const octave = Math.ceil(Math.log2(Math.abs(value) / unit)) - core[side]
  const shell = octave > 0 ? Math.min(MOST, octave) : 0
  return 2 * (tied[side] && shell === 0 ? 1 : shell) + side
}

export const CELLS: number = 2 * MOST + 2

/** log of each cell's volume. */
export function logVolumes({ unit, dimension, signed, core, tied }: Shells): Float64Array {
  const D = dimension
  const ball = signed ? 0 : 0.5 * D * Math.log(Math.PI) - logGamma(0.5 * D + 1)
  return Float64Array.from({ length: CELLS }, (_, cell) => {
    const side = cell % 2
    const shell = (cell - side) / 2
    const within = ball + D * (Math.log(unit) + (core[side] + shell) * Math.LN2)
    const whole = shell === 0 || (shell === 1 && tied[side])
    return whole ? within : within + Math.log1p(-(2 ** -D))
  })
}
