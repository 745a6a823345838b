import { expect, expectTypeOf, test } from 'vitest'
import { flag, flagName, type OptionsOf, readFlags } from './flags.js'
import { help } from './help.js'

const what = {
  model: flag.oneOf('MODEL', ['linear', 'pca'], 'what to fit'),
  learningRate: flag.amount('R', 'of a step').or(0.5),
  names: flag.list('A,B', 'columns'),
  sizes: flag.listOf('N', 'sizes', (name, text) => `${name} ${text}`),
}
const how = {
  intercept: flag.no('no constant term'),
  strict: flag.yes('errors'),
  seed: flag.wholeNumber('N', 1, 'for all that is random (default: the time)').or(7),
}
const flags = { ...what, ...how }

test('the types of the options follow from the flags', () => {
  expectTypeOf<OptionsOf<typeof flags>>().toEqualTypeOf<{
    readonly model: 'linear' | 'pca' | undefined
    readonly learningRate: number
    readonly names: readonly string[] | undefined
    readonly sizes: readonly string[]
    readonly intercept: boolean
    readonly strict: boolean
    readonly seed: number
  }>()
})

test('what is not given has its default', () => {
  expect(readFlags(flags, {})).toEqual({
    model: undefined,
    learningRate: 0.5,
    names: undefined,
    sizes: [],
    intercept: true,
    strict: false,
    seed: 7,
  })
})

test('what is given is read', () => {
  const given = {
    model: 'pca',
    learningRate: '0.25',
    names: ['a,b', 'c'],
    sizes: ['x', 'y'],
    intercept: false,
    strict: true,
    seed: '3',
  }
  const sizes = ['--sizes x', '--sizes y']
  expect(readFlags(flags, given)).toEqual({ ...given, learningRate: 0.25, sizes, seed: 3 })
})

test('an invalid value is refused by the name of its flag', () => {
  expect(() => readFlags(flags, { learningRate: '-1' })).toThrow(
    '--learning-rate: a number of at least 0 is needed, got "-1"',
  )
  expect(() => readFlags(flags, { seed: '0' })).toThrow('--seed: a whole number of at least 1 is needed')
  expect(() => readFlags(flags, { model: 'PCA' })).toThrow('got "PCA"; did you mean pca?')
  const rows = flag.file('FILE', ['.csv', '.parquet'], '')
  expect(() => readFlags({ rows }, { rows: 'x.txt' })).toThrow('ends in .csv or .parquet is needed')
  expect(readFlags({ rows }, { rows: 'X.CSV' })).toEqual({ rows: 'X.CSV' })
})

test('names are as they are typed', () => {
  expect(Object.entries(flags).map(([key, one]) => flagName(key, one))).toEqual([
    '--model',
    '--learning-rate',
    '--names',
    '--sizes',
    '--no-intercept',
    '--strict',
    '--seed',
  ])
})

test('a help text has all flags in the same two columns, long lines wrapped', () => {
  const long = { long: flag.text('X', `${'word '.repeat(30).trim()}\nsecond line`) }
  const text = help`
  What
${what}

  How
${{ ...how, ...long }}
`
  expect(text).toBe(`
  What
    --model MODEL      what to fit
    --learning-rate R  of a step (default 0.5)
    --names A,B        columns (may be repeated)
    --sizes N          sizes (may be repeated)

  How
    --no-intercept     no constant term
    --strict           errors
    --seed N           for all that is random (default: the time)
    --long X           ${'word '.repeat(18).trim()}
                       ${'word '.repeat(12).trim()}
                       second line
`)
})
