/**
 * Balls about a model cut into a core and shells whose radii double, in units of the good rows' scale. It depends on the
 * dimension alone, so it is made once for a set of distances and not in every EM iteration.
 */
export interface ShellGeometry {
  readonly dimension: number
  /** Radius of the core, inside which bad rows cannot be distinguished from good ones. */
  readonly core: number
  /** Volume of the unit ball. */
  readonly ball: number
  /** Volume of the core and of each shell, in unit balls. */
  readonly volumes: Float64Array
}

const SHELLS = 48
/** In more dimensions than this the volume of the first shell is beyond the range of numbers. */
export const MAX_DIMENSION = 200

export function shellGeometry(dimension: number): ShellGeometry {
  const core = coreRadius(dimension)
  const volumes: number[] = []
  let inside = 0
  for (let shell = 0; shell < SHELLS; shell++) {
    const within = (core * 2 ** shell) ** dimension
    // In many dimensions few shells reach to the end of the numbers, and so as far as any distance.
    if (within === Number.POSITIVE_INFINITY) break
    volumes.push(within - inside)
    inside = within
  }
  return { dimension, core, ball: ballVolume(dimension), volumes: Float64Array.from(volumes) }
}

/** The shell of a distance in units of the scale, 0 for the core. */
export function shellOf(distance: number, { core, volumes }: ShellGeometry): number {
  return distance <= core ? 0 : Math.min(volumes.length - 1, Math.ceil(Math.log2(distance / core)))
}

/** The radius that 99.73 % of a Gaussian lies within (3 in one dimension), by Wilson and Hilferty. */
function coreRadius(dimension: number): number {
  if (dimension === 1) return 3
  const h = 2 / (9 * dimension)
  return Math.sqrt(dimension * (1 - h + 2.782 * Math.sqrt(h)) ** 3)
}

/** In one dimension the length 2. */
function ballVolume(dimension: number): number {
  let volume = dimension % 2 === 0 ? 1 : 2
  for (let d = dimension % 2 === 0 ? 2 : 3; d <= dimension; d += 2) volume *= (2 * Math.PI) / d
  return volume
}
