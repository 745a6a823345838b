import { type Draws, draws } from 'rlvi/random'

/**
 * Small tables of kinds that no part of the method was built on, as people have them: what good rows are like, and how a row
 * goes wrong there. Exactly round(share n) rows are bad, and which is known.
 */
export interface StrangeKind {
  readonly words: string
  readonly rows: number
  readonly model: 'linear' | 'mean' | 'covariance' | 'pca'
  /** All columns of a row, but for those of texts; the target is `y`. */
  readonly good: (random: Draws, row: number, rows: number) => Row
  /** The same row after something went wrong; undefined where nothing does. */
  readonly bad?: (row: Row, random: Draws) => Row
  /** What is done to all rows at the end, bad ones too: a column is rounded, or cut off. */
  readonly recorded?: (row: Row) => Row
  /** Rows before this one matter: errors that go on. */
  readonly errors?: (random: Draws, rows: number) => Float64Array
}

export type Row = Readonly<Record<string, number | string>>

const num = (row: Row, name: string): number => row[name] as number
const withY = (row: Row, y: number): Row => ({ ...row, y })
const times =
  (factor: number) =>
  (row: Row): Row =>
    withY(row, num(row, 'y') * factor)
const shifted =
  (by: number) =>
  (row: Row, random: Draws): Row =>
    withY(row, num(row, 'y') + (random.uniform(0, 1) < 0.5 ? -by : by))
/** y = 10 + 2 a - b and an error. */
const line = (random: Draws, error: number): Row => {
  const [a, b] = [random.normal(), random.normal()]
  return { a, b, y: 10 + 2 * a - b + error }
}
const weibull = (random: Draws, shape: number): number => (-Math.log(random.uniform(0, 1))) ** (1 / shape)
const LINEAR = { rows: 200, model: 'linear' } as const

export const STRANGE: Readonly<Record<string, StrangeKind>> = {
  inches: { ...LINEAR, words: 'heights in cm, bad ones in inches', good: person, bad: times(1 / 2.54) },
  slips: {
    ...LINEAR,
    words: 'a decimal point in the wrong place',
    good: (random) => line(random, random.normal()),
    bad: (row, random) => withY(row, num(row, 'y') * (random.uniform(0, 1) < 0.5 ? 10 : 0.1)),
  },
  saturated: {
    ...LINEAR,
    words: 'a sensor that gets stuck at 13 where it should show less',
    good: (random) => line(random, random.normal()),
    bad: (row) => withY(row, 13),
  },
  weibull: {
    ...LINEAR,
    words: 'lifetimes, Weibull of shape 1.5, bad ones in hours for days',
    good: (random) => {
      const a = random.normal()
      return { a, y: Math.exp(1 + 0.3 * a) * weibull(random, 1.5) }
    },
    bad: times(24),
  },
  logprice: {
    ...LINEAR,
    words: 'log prices, bad ones in thousands',
    good: (random) => {
      const a = random.normal()
      return { a, y: 12 + 0.5 * a + 0.3 * random.normal() }
    },
    bad: (row) => withY(row, num(row, 'y') - Math.log(1000)),
  },
  price: {
    ...LINEAR,
    words: 'prices with errors of a quarter of the price, bad ones tenfold',
    good: (random) => {
      const area = random.uniform(40, 160)
      return { area, y: 3000 * area * Math.exp(0.25 * random.normal()) }
    },
    bad: times(10),
  },
  season: {
    ...LINEAR,
    rows: 365,
    words: 'a season fitted by a line in time',
    good: (random, day) => ({
      day,
      y: 10 + 0.01 * day + 5 * Math.sin((2 * Math.PI * day) / 180) + random.normal(),
    }),
    bad: shifted(25),
  },
  autocorrelated: {
    ...LINEAR,
    rows: 300,
    words: 'errors that go on (.8 from row to row), spikes',
    good: (random, time) => ({ time, a: random.normal(), y: 0 }),
    errors: (random, rows) => {
      const e = new Float64Array(rows)
      for (let i = 0; i < rows; i++) e[i] = 0.8 * (i > 0 ? e[i - 1] : 0) + 0.6 * random.normal()
      return e
    },
    bad: shifted(8),
  },
  twokinds: {
    ...LINEAR,
    words: 'three tenths of the rows 4 scales higher, of a kind that is not told',
    good: (random) => line(random, random.normal() + (random.uniform(0, 1) < 0.3 ? 4 : 0)),
    bad: shifted(40),
  },
  fives: {
    ...LINEAR,
    words: 'responses rounded to fives, of scale 4',
    good: (random) => {
      const a = random.normal()
      return { a, y: 50 + 10 * a + 4 * random.normal() }
    },
    bad: times(0.1),
    recorded: (row) => withY(row, 5 * Math.round(num(row, 'y') / 5)),
  },
  zeros: {
    ...LINEAR,
    words: 'spending: nothing in three tenths of the rows',
    good: (random) => {
      const a = random.normal()
      return { a, y: random.uniform(0, 1) < 0.3 ? 0 : Math.exp(3 + 0.3 * a + 0.4 * random.normal()) }
    },
    bad: (row) => withY(row, 30 * num(row, 'y') + 500),
  },
  laplace: {
    ...LINEAR,
    words: 'Laplace errors',
    good: (random) => line(random, weibull(random, 1) - weibull(random, 1)),
    bad: shifted(12),
  },
  cauchy: {
    ...LINEAR,
    words: "nearly Cauchy errors (Student's t, 1.5 degrees)",
    good: (random) => line(random, random.studentT(1.5)),
    bad: shifted(60),
  },
  groups: {
    ...LINEAR,
    rows: 300,
    words: 'scatter of 1, 2 and 5 by a category that is a column',
    good: (random) => {
      const kind = ['p', 'q', 'r'][Math.floor(random.uniform(0, 3))]
      const scale = { p: 1, q: 2, r: 5 }[kind as 'p' | 'q' | 'r']
      return { ...line(random, scale * random.normal()), kind }
    },
    bad: shifted(40),
  },
  averages: {
    ...LINEAR,
    rows: 300,
    words: 'means of 1 to 50 values, their number not told',
    good: (random) => line(random, (3 * random.normal()) / Math.sqrt(Math.floor(random.uniform(1, 51)))),
    bad: shifted(20),
  },
  percent: {
    ...LINEAR,
    words: 'percentages near 100, bad ones as shares',
    good: (random) => {
      const a = random.normal()
      return { a, y: 100 / (1 + Math.exp(-3 - 0.7 * a - 0.5 * random.normal())) }
    },
    bad: times(0.01),
  },
  limit: {
    ...LINEAR,
    words: 'concentrations, lognormal, those below a limit written as the limit',
    good: (random) => {
      const a = random.normal()
      return { a, y: Math.exp(0.5 * a + 0.7 * random.normal()) }
    },
    bad: times(1000),
    recorded: (row) => withY(row, Math.max(0.5, num(row, 'y'))),
  },
  gumbel: {
    ...LINEAR,
    words: 'yearly maxima (Gumbel), bad ones tenfold',
    good: (random) => {
      const a = random.normal()
      return { a, y: 20 + 2 * a - 3 * Math.log(weibull(random, 1)) }
    },
    bad: times(10),
  },
  bimodal: {
    ...LINEAR,
    words: 'errors of two humps, 2 to either side',
    good: (random) => line(random, (random.uniform(0, 1) < 0.5 ? -2 : 2) + 0.5 * random.normal()),
    bad: shifted(25),
  },
  counts: {
    ...LINEAR,
    words: 'counts of about 50 as a quantity, bad ones tenfold',
    good: (random) => {
      const a = random.normal()
      return { a, y: random.binomial(1000, 0.05 * Math.exp(0.2 * a)) }
    },
    bad: times(10),
  },
  nothing: {
    ...LINEAR,
    words: 'missing responses written as 0',
    good: (random) => line(random, random.normal()),
    bad: (row) => withY(row, 0),
  },
  product: {
    ...LINEAR,
    words: 'a product of two columns, fitted without it',
    good: (random) => {
      const [a, b] = [random.normal(), random.normal()]
      return { a, b, y: a + b + 1.5 * a * b + random.normal() }
    },
    bad: shifted(25),
  },
  swapped: {
    ...LINEAR,
    words: 'two features swapped in bad rows',
    good: (random) => {
      const [width, height] = [20 + 3 * random.normal(), 60 + 8 * random.normal()]
      return { width, height, y: 2 * width + height + 4 * random.normal() }
    },
    bad: (row) => ({ ...row, width: num(row, 'height'), height: num(row, 'width') }),
  },
  typedx: {
    ...LINEAR,
    words: 'a feature typed without its decimal point in bad rows',
    good: (random) => {
      const size = 10 + 2 * random.normal()
      return { size, y: 3 * size + 2 * random.normal() }
    },
    bad: (row) => ({ ...row, size: 10 * num(row, 'size') }),
  },
  signs: {
    ...LINEAR,
    words: 'the sign lost in bad rows',
    good: (random) => {
      const a = random.normal()
      return { a, y: 5 * a + random.normal() }
    },
    bad: (row) => withY(row, -num(row, 'y')),
  },
  dozen: {
    ...LINEAR,
    rows: 12,
    words: 'a dozen rows',
    good: (random) => {
      const a = random.normal()
      return { a, y: 3 * a + random.normal() }
    },
    bad: shifted(15),
  },
  wide: {
    ...LINEAR,
    rows: 40,
    words: 'forty rows of eight features',
    good: (random) => {
      const x = Array.from({ length: 8 }, () => random.normal())
      const y = x.reduce((sum, value) => sum + value, random.normal())
      return { ...Object.fromEntries(x.map((value, j) => [`x${j}`, value])), y }
    },
    bad: shifted(15),
  },
  many: {
    ...LINEAR,
    rows: 20_000,
    words: '20,000 rows with errors between normal and t',
    good: (random) => line(random, random.studentT(10)),
    bad: shifted(10),
  },
  logistic: {
    ...LINEAR,
    rows: 2000,
    words: '2,000 rows of logistic errors',
    good: (random) => {
      const u = random.uniform(0, 1)
      return line(random, Math.log(u / (1 - u)))
    },
    bad: shifted(25),
  },
  incomes: {
    words: 'monthly incomes, lognormal (.6), bad ones of a year',
    rows: 300,
    model: 'mean',
    good: (random) => ({ pay: Math.round(Math.exp(8 + 0.6 * random.normal())) }),
    bad: (row) => ({ pay: 12 * num(row, 'pay') }),
  },
  bodies: {
    words: 'heights, weights and waists, bad ones with the height in inches',
    rows: 300,
    model: 'covariance',
    good: body,
    bad: (row) => ({ ...row, height: num(row, 'height') / 2.54 }),
  },
  sensors: {
    words: 'five sensors of one signal, one stuck in bad rows',
    rows: 300,
    model: 'pca',
    good: (random) => {
      const signal = 3 * random.normal()
      return Object.fromEntries(
        Array.from({ length: 5 }, (_, j) => [`s${j}`, signal + 0.5 * random.normal()]),
      )
    },
    bad: (row, random) => ({ ...row, s2: 12 + 0.01 * random.normal() }),
  },
  waits: {
    words: 'waiting times in two columns (gamma, Weibull), bad ones in seconds for minutes',
    rows: 300,
    model: 'covariance',
    good: (random) => ({ first: random.chiSquared(4), second: 5 * weibull(random, 1.3) }),
    bad: (row) => ({ first: 60 * num(row, 'first'), second: 60 * num(row, 'second') }),
  },
}

function person(random: Draws): Row {
  const age = random.uniform(18, 80)
  return { age, y: 172 - 0.05 * age + 7 * random.normal() }
}

function body(random: Draws): Row {
  const [u, v, w] = [random.normal(), random.normal(), random.normal()]
  return {
    height: 172 + 8 * u,
    weight: Math.exp(4.3 + 0.07 * u + 0.15 * v),
    waist: 85 + 2 * u + 9 * v + 4 * w,
  }
}

export interface StrangeSet {
  readonly columns: Readonly<Record<string, readonly number[] | readonly string[]>>
  readonly truth: number
  readonly bad: ReadonlySet<number>
}

export function strangeSet(name: string, share: number, seed: number, run: number): StrangeSet {
  const kind = STRANGE[name]
  const random = draws(seed, 'strange', name, share, run)
  const { rows } = kind
  const errors = kind.errors?.(random, rows)
  const bad = new Set<number>()
  while (bad.size < Math.round(share * rows)) bad.add(Math.floor(random.uniform(0, rows)))
  const table = Array.from({ length: rows }, (_, i) => {
    let row = kind.good(random, i, rows)
    if (errors !== undefined) row = withY(row, num(row, 'y') + errors[i])
    if (bad.has(i)) row = kind.bad?.(row, random) ?? row
    return kind.recorded?.(row) ?? row
  })
  const columns = Object.fromEntries(
    Object.keys(table[0]).map((column) => [column, table.map((row) => row[column])]),
  ) as StrangeSet['columns']
  return { columns, truth: bad.size / rows, bad }
}
