import { logGamma } from '../../likelihoods/log-gamma.js'

/**
 * The space about a model cut into a core, inside which bad rows cannot be distinguished from good ones, and shells whose
 * radii grow by a factor, 2 in one dimension. Residuals have two sides: what lies above says nothing of what lies below. The cuts are multiples of
 * one unit for all laws, and stay while a law is fitted: if they moved with its scale, rows that change shells would let the
 * fit go round in circles, and laws could not be compared.
 */
export interface Shells {
  /** Three scales of the good rows, were they normal. */
  readonly unit: number
  readonly dimension: number
  /** Whether offsets have a sign; then a cell lies on one side of the model only. */
  readonly signed: boolean
  /** The core's radius above and below the model, as a power of the factor. */
  readonly core: readonly [number, number]
  /** Whether a side's core shares the density of its first shell. */
  readonly tied: readonly [boolean, boolean]
}

/** In several dimensions radii grow by less, so that a shell's volume is not beyond all measure. */
export function octavesOf(dimension: number): number {
  return 1 / Math.sqrt(dimension)
}

/** Least power of a core, and how many shells there are beyond it. */
export const LEAST = -3
export const MOST = 500

/** The core of a law whose radius is this, in units of the shells: the nearest power. */
export function corePower(radius: number, dimension: number): number {
  const power = Math.round(Math.log2(radius) / octavesOf(dimension))
  return Math.min(MOST / 2, Math.max(LEAST, power))
}

/** The cell of an offset: twice its shell (0 for the core), and 1 more below the model. A tied core is the first shell's. */
export function cellOf({ unit, dimension, core, tied }: Shells, value: number): number {
  const side = value < 0 ? 1 : 0
  const steps = Math.ceil(Math.log2(Math.abs(value) / unit) / octavesOf(dimension)) - core[side]
  const shell = steps > 0 ? Math.min(MOST, steps) : 0
  return 2 * (tied[side] && shell === 0 ? 1 : shell) + side
}

/** By so much, of its radius, an offset may be off the edge of a core before it is looked at twice. */
const CLEARLY = 1e-9

/** `cellOf` for many offsets: most lie well within a core, and need no logarithm to be told. */
export function cellsIn(shells: Shells): (value: number) => number {
  const { unit, dimension, core, tied } = shells
  const [above, below] = core.map((power) => unit * 2 ** (power * octavesOf(dimension)) * (1 - CLEARLY))
  const [ofAbove, ofBelow] = [tied[0] ? 2 : 0, tied[1] ? 3 : 1]
  return (value) => {
    if (value >= 0 && value <= above) return ofAbove
    if (value < 0 && -value <= below) return ofBelow
    return cellOf(shells, value)
  }
}

export const CELLS: number = 2 * MOST + 2

/** log of a cell's volume. */
export function logVolume({ unit, dimension, signed, core, tied }: Shells, cell: number): number {
  const D = dimension
  const ball = signed ? 0 : 0.5 * D * Math.log(Math.PI) - logGamma(0.5 * D + 1)
  const step = D * octavesOf(D) * Math.LN2
  const side = cell % 2
  const shell = (cell - side) / 2
  const within = ball + D * Math.log(unit) + (core[side] + shell) * step
  const whole = shell === 0 || (shell === 1 && tied[side])
  return whole ? within : within + Math.log(-Math.expm1(-step))
}

/** The density of bad rows in each cell, by their masses. */
export function densitiesOf(shells: Shells, masses: Float64Array): Float64Array {
  return masses.map((mass, cell) => (mass > 0 ? mass * Math.exp(-logVolume(shells, cell)) : 0))
}

/** How many times as large as its core a first shell is. */
export function firstShell(dimension: number): number {
  return Math.expm1(dimension * octavesOf(dimension) * Math.LN2)
}

/** In more dimensions than this the volume of a shell is beyond the range of numbers. */
export const MAX_DIMENSION = 1000
