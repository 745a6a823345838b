import type { Draws } from 'rlvi/random'

/** A row of a table; the target is `y`. */
export type MixedRow = Readonly<Record<string, number | string>>

/** What good rows of a table are like. */
export interface MixedKind {
  readonly rows: number
  readonly model: 'linear' | 'poisson' | 'mean' | 'covariance' | 'pca'
  /** `before` is what goes on from row to row. */
  readonly good: (random: Draws, row: number, before: { error?: number }) => MixedRow
  /** What is done to all rows at the end, bad ones too. */
  readonly recorded?: (row: MixedRow) => MixedRow
}

type ErrorOf = (random: Draws, x: readonly number[], row: number, before: { error?: number }) => number

const normal = (random: Draws): number => random.normal()
const exponential = (random: Draws): number => -Math.log(random.uniform(0, 1))
const gamma = (random: Draws, shape: number): number => random.chiSquared(2 * shape) / 2
const normals = (random: Draws, count: number): number[] =>
  Array.from({ length: count }, () => random.normal())
const columns = (x: readonly number[]): Record<string, number> =>
  Object.fromEntries(x.map((value, j) => [`x${j}`, value]))
const withY = (x: readonly number[], y: number): MixedRow => ({ ...columns(x), y })
const responseOf = (row: MixedRow): number => row.y as number

/** y = 5 + x0 - x1 + x2 ... and an error. */
function line(
  rows: number,
  cols: number,
  error: ErrorOf,
  feature: (random: Draws) => number = normal,
): MixedKind {
  return {
    rows,
    model: 'linear',
    good: (random, row, before) => {
      const x = Array.from({ length: cols }, () => feature(random))
      const y = x.reduce((sum, value, j) => sum + (j % 2 ? -1 : 1) * value, 5)
      return withY(x, y + error(random, x, row, before))
    },
  }
}

/** y by features that are normal. */
function along(rows: number, cols: number, f: (x: readonly number[], random: Draws) => number): MixedKind {
  return {
    rows,
    model: 'linear',
    good: (random) => {
      const x = normals(random, cols)
      return withY(x, f(x, random))
    },
  }
}

function poisson(random: Draws, mean: number): number {
  if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  let count = 0
  for (let product = random.uniform(0, 1); product > Math.exp(-mean); count++) product *= random.uniform(0, 1)
  return count
}

/** Counts by features that are normal. */
function counts(rows: number, cols: number, f: (x: readonly number[], random: Draws) => number): MixedKind {
  return {
    rows,
    model: 'poisson',
    good: (random) => {
      const x = normals(random, cols)
      return withY(x, f(x, random))
    },
  }
}

/** Counts over times that are a column as they are, and not their logarithm. */
function exposed(rows: number, log: number, time: (random: Draws) => number): MixedKind {
  return {
    rows,
    model: 'poisson',
    good: (random) => {
      const [t, a] = [time(random), random.normal()]
      return { time: t, a, y: poisson(random, t * Math.exp(log + 0.3 * a)) }
    },
  }
}

const LINEAR: Readonly<Record<string, MixedKind>> = {
  gamma2: line(250, 3, (random) => gamma(random, 2) - 2),
  gamma2n60: line(60, 2, (random) => gamma(random, 2) - 2),
  leftexp: line(400, 2, (random) => -exponential(random) + 1),
  tied: {
    ...line(200, 2, (random) => 1.2 * random.normal()),
    recorded: (row) => ({ ...row, y: Math.round(responseOf(row)) }),
  },
  wide80x25: line(80, 25, normal),
  wide120x40: line(120, 40, (random) => random.studentT(4)),
  tiny10: line(10, 1, normal),
  tiny14: line(14, 2, normal),
  tiny20: line(20, 1, (random) => random.studentT(4)),
  tiny25: line(25, 3, (random) => exponential(random) - 1),
  huge: line(5000, 3, (random) => random.studentT(4)),
  hugeskew: line(5000, 2, (random) => gamma(random, 3) - 3),
  topcoded: { ...line(300, 2, normal), recorded: (row) => ({ ...row, y: Math.min(responseOf(row), 6.8) }) },
  grouped: line(300, 2, (random, _, row, before) => {
    if (row % 12 === 0) before.error = 1.5 * random.normal()
    return before.error! + random.normal()
  }),
  kink: along(250, 2, (x, random) => x[1] + (x[0] > 0 ? 3 * x[0] : -0.5 * x[0]) + 0.7 * random.normal()),
  hetx: line(300, 3, (random, x) => (0.3 + Math.abs(x[1])) * random.normal()),
  hetexp: line(300, 2, (random, x) => Math.exp(0.7 * x[0]) * random.normal()),
  ar6: line(300, 2, (random, _, _row, before) => {
    before.error = 0.6 * (before.error ?? 0) + random.normal()
    return before.error
  }),
  xt2: line(250, 2, normal, (random) => random.studentT(2)),
  xlognormal: line(250, 3, normal, (random) => Math.exp(random.normal())),
  xcauchy: line(250, 2, normal, (random) => random.studentT(1)),
  likert: {
    ...line(300, 3, normal, (random) => Math.floor(random.uniform(1, 6))),
    recorded: (row) => ({ ...row, y: Math.min(9, Math.max(1, Math.round(responseOf(row)))) }),
  },
  sigmoid: along(250, 2, (x, random) => 10 / (1 + Math.exp(-2 * x[0])) + x[1] + 0.6 * random.normal()),
  loglog: {
    rows: 250,
    model: 'linear',
    good: (random) => {
      const a = Math.exp(random.normal())
      return { a, y: 3 * a ** 1.4 * Math.exp(0.3 * random.normal()) }
    },
  },
  signif: {
    ...along(250, 2, (x, random) => Math.exp(4 + 0.4 * x[0] + 0.3 * random.normal())),
    recorded: (row) => ({ ...row, y: Number(responseOf(row).toPrecision(2)) }),
  },
  arcsine: line(250, 2, (random) => 2 * Math.sin(random.uniform(-Math.PI / 2, Math.PI / 2))),
  triangular: line(250, 2, (random) => 2 * (random.uniform(0, 1) + random.uniform(0, 1) - 1)),
  sech: line(300, 2, (random) => Math.log(Math.tan((Math.PI * random.uniform(1e-9, 1)) / 2))),
  collinear: {
    rows: 200,
    model: 'linear',
    good: (random) => {
      const a = random.normal()
      const b = a + 0.05 * random.normal()
      return { a, b, y: 3 + a + b + random.normal() }
    },
  },
  ratio: along(250, 1, (x, random) => (50 + 5 * x[0] + 8 * random.normal()) / random.uniform(0.7, 1.3)),
  weekday: {
    rows: 280,
    model: 'linear',
    good: (random, day) => ({ day, y: 20 + 0.02 * day + (day % 7 > 4 ? 6 : 0) + random.normal() }),
  },
  wave: {
    rows: 300,
    model: 'linear',
    good: (random, t) => ({ t, y: 3 * Math.sin(t / 5) + random.normal() }),
  },
  cat: {
    rows: 300,
    model: 'linear',
    good: (random) => {
      const k = Math.floor(random.uniform(0, 6))
      const a = random.normal()
      return { kind: 'abcdef'[k], a, y: 3 * k + 2 * a + (k === 2 ? 2.5 : 0.8) * random.normal() }
    },
  },
  logis200: line(200, 4, (random) => {
    const u = random.uniform(0, 1)
    return Math.log(u / (1 - u))
  }),
  n1000norm: line(1000, 8, normal),
}

const CLOUDS: Readonly<Record<string, MixedKind>> = {
  mean1: { rows: 120, model: 'mean', good: (random) => ({ a: 10 + random.normal() }) },
  mean1gam: { rows: 300, model: 'mean', good: (random) => ({ a: gamma(random, 1.5) }) },
  mean12: { rows: 12, model: 'mean', good: (random) => ({ a: 10 + random.normal() }) },
  mean3t: {
    rows: 200,
    model: 'mean',
    good: (random) => ({ a: random.studentT(4), b: 5 + random.studentT(4), c: random.normal() }),
  },
  meanround: {
    rows: 200,
    model: 'mean',
    good: (random) => ({ a: Math.round(100 + 3 * random.normal()), b: Math.round(2 * random.normal()) }),
  },
  meanhuge: {
    rows: 5000,
    model: 'mean',
    good: (random) => ({ a: Math.exp(0.8 * random.normal()), b: random.normal() }),
  },
  cov3: {
    rows: 300,
    model: 'covariance',
    good: (random) => {
      const s = random.normal()
      return { a: s + random.normal(), b: 2 * s + random.normal(), c: random.normal() }
    },
  },
  cov4t: {
    rows: 400,
    model: 'covariance',
    good: (random) => {
      const w = Math.sqrt(random.chiSquared(5) / 5)
      const [a, b, c, d] = normals(random, 4).map((value) => value / w)
      return { a, b, c, d }
    },
  },
  covunif: {
    rows: 300,
    model: 'covariance',
    good: (random) => ({ a: random.uniform(0, 1), b: random.uniform(0, 1), c: random.uniform(0, 1) }),
  },
  covlik: {
    rows: 300,
    model: 'covariance',
    good: (random) => {
      const s = random.normal()
      const [a, b, c, d] = normals(random, 4).map((e) => Math.min(7, Math.max(1, Math.round(4 + s + e))))
      return { a, b, c, d }
    },
  },
  covtwo: {
    rows: 300,
    model: 'covariance',
    good: (random) => {
      const g = random.uniform(0, 1) < 0.5 ? 2.5 : -2.5
      return { a: g + random.normal(), b: random.normal(), c: g + random.normal() }
    },
  },
  covlogn: {
    rows: 400,
    model: 'covariance',
    good: (random) => {
      const s = 0.4 * random.normal()
      return {
        a: Math.exp(s + 0.3 * random.normal()),
        b: Math.exp(s + 0.5 * random.normal()),
        c: random.normal(),
      }
    },
  },
  cov60x6: { rows: 60, model: 'covariance', good: (random) => columns(normals(random, 6)) },
  covbanana: {
    rows: 300,
    model: 'covariance',
    good: (random) => {
      const a = random.normal()
      return { a, b: a * a + 0.4 * random.normal(), c: random.normal() }
    },
  },
  pca5: {
    rows: 250,
    model: 'pca',
    good: (random) => {
      const s = 3 * random.normal()
      return columns(normals(random, 5).map((e, j) => (j + 1) * 0.5 * s + e))
    },
  },
  pca8exp: {
    rows: 300,
    model: 'pca',
    good: (random) => {
      const s = 3 * exponential(random)
      return columns(normals(random, 8).map((e, j) => s * (j % 3 ? 1 : -1) + e))
    },
  },
  pcat: {
    rows: 300,
    model: 'pca',
    good: (random) => {
      const s = 3 * random.studentT(3)
      return columns(Array.from({ length: 4 }, () => s + random.studentT(4)))
    },
  },
}

const COUNTS: Readonly<Record<string, MixedKind>> = {
  p_plain: counts(250, 2, (x, random) => poisson(random, Math.exp(2 + 0.4 * x[0] - 0.3 * x[1]))),
  p_small: counts(250, 1, (x, random) => poisson(random, Math.exp(-0.5 + 0.4 * x[0]))),
  p_large: counts(250, 2, (x, random) => poisson(random, Math.exp(7 + 0.2 * x[0]))),
  p_expo: exposed(300, 1, (random) => random.uniform(0.2, 5)),
  p_expo1000: exposed(1000, 0.7, (random) => exponential(random) * 3 + 0.1),
  p_expoln: exposed(400, 1.5, (random) => Math.exp(0.8 * random.normal())),
  p_nb: counts(400, 2, (x, random) => poisson(random, (Math.exp(1.8 + 0.4 * x[0]) * gamma(random, 2)) / 2)),
  p_lnrate: counts(400, 2, (x, random) => poisson(random, Math.exp(2 + 0.4 * x[0] + 0.5 * random.normal()))),
  p_zip: counts(400, 2, (x, random) =>
    random.uniform(0, 1) < 0.25 ? 0 : poisson(random, Math.exp(1.5 + 0.4 * x[0])),
  ),
  p_under: counts(300, 1, (x, random) => random.binomial(20, 1 / (1 + Math.exp(-0.5 * x[0])))),
  p_curve: counts(300, 2, (x, random) => poisson(random, Math.exp(2 + 0.5 * x[0] - 0.4 * x[0] ** 2))),
  p_cat: {
    rows: 300,
    model: 'poisson',
    good: (random) => {
      const k = Math.floor(random.uniform(0, 5))
      return { kind: 'abcde'[k], y: poisson(random, [2, 5, 9, 20, 40][k]) }
    },
  },
  p_n15: counts(15, 1, (x, random) => poisson(random, Math.exp(2 + 0.4 * x[0]))),
  p_2000: counts(2000, 3, (x, random) => poisson(random, Math.exp(1 + 0.4 * x[0] - 0.3 * x[1]))),
  p_linmean: {
    rows: 300,
    model: 'poisson',
    good: (random) => {
      const t = random.uniform(0, 10)
      return { t, y: poisson(random, 1 + 3 * t) }
    },
  },
}

/** Skewed, tied, wide, tiny, huge, cut off, grouped, bent, uneven, of long tails, of two kinds, and so on. */
export const MIXED_KINDS: Readonly<Record<string, MixedKind>> = { ...LINEAR, ...CLOUDS, ...COUNTS }
