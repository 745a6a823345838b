import { describe, expect, test } from 'vitest'
import { normals, run, testFolder } from './testing/run.js'

const folder = testFolder()
const z = normals(1)
const numbers = Array.from({ length: 30 }, () => [z(), z(), z()] as const)
const ages = [['age', 'y'], ...numbers.map(([, , y], i) => [i === 17 ? 'old' : 20 + i, y])]

/** What is wrong, the rows (header first), the flags, and the message. All exit with status 1. */
const files: [string, readonly (readonly unknown[])[], string[], RegExp][] = [
  ['a header alone', [['x', 'y']], ['--target', 'y'], /rows are needed, got a header alone/],
  [
    'a target that is not there',
    [
      ['height', 'weight'],
      [1, 2],
    ],
    ['--target', 'wieght'],
    /--target: a column of the file is needed, got "wieght"; did you mean "weight"\?/,
  ],
  [
    'a target unlike any column',
    [
      ['height', 'weight'],
      [1, 2],
    ],
    ['--target', 'qqqqqqqqqqq'],
    /got "qqqqqqqqqqq"; the columns are "height", "weight"/,
  ],
  [
    'a feature that is not there',
    [
      ['height', 'weight', 'y'],
      [1, 2, 3],
    ],
    ['--target', 'y', '--features', 'heigth,weight'],
    /--features: a column of the file is needed, got "heigth"; did you mean "height"\?/,
  ],
  [
    'an excluded column that is not there',
    [
      ['height', 'weight', 'y'],
      [1, 2, 3],
    ],
    ['--target', 'y', '--exclude', 'Weight'],
    /--exclude: a column of the file is needed, got "Weight"; did you mean "weight"\?/,
  ],
  [
    'a word among the numbers of a feature',
    ages,
    ['--target', 'y'],
    /column "age": numbers are needed, got "old" in row 18; .*--exclude age/,
  ],
  [
    'a word among the numbers of the target',
    ages.map(([age, y]) => [y, age]),
    ['--target', 'age'],
    /column "age": numbers are needed, got "old" in row 18/,
  ],
  [
    'a text as target of a linear model',
    [
      ['x', 'y'],
      [1, 'a'],
      [2, 'b'],
    ],
    ['--target', 'y', '--model', 'linear'],
    /column "y": numbers are needed, got "a" in row 1/,
  ],
  [
    'a text in an unsupervised model',
    [
      ['x', 'name'],
      [1, 'bob'],
      [2, 'ann'],
      [3, 'eve'],
    ],
    ['--model', 'mean'],
    /column "name": numbers are needed, got "bob" in row 1; .*--exclude name/,
  ],
  [
    'true and false where numbers are needed',
    [
      ['x', 'yes'],
      [1, true],
      [2, false],
      [3, true],
    ],
    ['--model', 'pca'],
    /column "yes": numbers are needed, got "true" in row 1/,
  ],
  [
    'dates that can be read in two ways',
    [
      ['day', 'y'],
      ['1/2/2020', 1],
      ['1/3/2020', 2],
    ],
    ['--target', 'y'],
    /column "day": dates are needed in which day, month and year can be told apart, got "1\/2\/2020"; .*--exclude day/,
  ],
  [
    'nothing but columns that say nothing',
    [['c', 'same', 'empty', 'name', 'y'], ...numbers.map(([, , y], i) => [5, 'x', 'NA', `n${i}`, y])],
    ['--target', 'y'],
    /needed, got left out columns that never vary: "c" \(5\), "same" \("x"\); .*no values: "empty"; .*text in every row.*: "name"/,
  ],
  [
    'fewer rows than columns',
    [
      ['a', 'b', 'c', 'y'],
      [1, 2, 3, 4],
      [4, 3, 1, 2],
    ],
    ['--target', 'y'],
    /at least 4 complete rows are needed for 3 columns, got 2; give more rows/,
  ],
  [
    'fewer rows than columns under a model with a ridge penalty',
    [
      ['a', 'b', 'c', 'y'],
      [1, 2, 3, 0],
      [4, 3, 1, 1],
    ],
    ['--target', 'y'],
    /at least 4 complete rows are needed for 3 columns, got 2/,
  ],
  [
    'one class only, in words',
    [
      ['x', 'y'],
      [1, 'yes'],
      [2, 'yes'],
      [3, 'yes'],
    ],
    ['--target', 'y'],
    /column "y": at least two classes are needed, got \["yes"\]/,
  ],
  [
    'one class only, in numbers',
    [
      ['x', 'y'],
      [1, 1],
      [2, 1],
      [3, 1],
    ],
    ['--target', 'y', '--model', 'logistic'],
    /column "y": at least two classes are needed, got \["1"\]/,
  ],
  [
    'three classes under logistic',
    [
      ['x', 'y'],
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'a'],
      [5, 'b'],
      [6, 'c'],
    ],
    ['--target', 'y', '--model', 'logistic'],
    /--model logistic needs two classes, got \["a", "b", "c"\]; use --model softmax/,
  ],
  [
    'a name as target',
    [['x', 'y'], ...numbers.map(([x], i) => [x, `name ${i}`])],
    ['--target', 'y'],
    /column "y": at most 50 classes.*, got 30/,
  ],
  [
    'a name as feature, asked for',
    [['x', 'name', 'y'], ...numbers.map(([x, , y], i) => [x, `name ${i}`, y])],
    ['--target', 'y', '--features', 'x,name'],
    /column "name": a text feature may have at most 50 different values.*, got 30; .*--exclude name/,
  ],
  [
    'names that come again',
    [['x', 'name', 'y'], ...numbers.map(([x, , y], i) => [x, `name ${Math.floor((2 * i) / 3)}`, y])],
    ['--target', 'y', '--features', 'x,name'],
    /column "name": a text feature may have at most 50 different values.*, got 20; .*--exclude name/,
  ],
  [
    'a negative count',
    [
      ['x', 'y'],
      [1, 1],
      [2, 4],
      [3, -1],
    ],
    ['--target', 'y', '--model', 'poisson'],
    /row 3, column "y": --model poisson needs counts, whole and not negative, got -1/,
  ],
  [
    'an infinity',
    [
      ['x', 'y'],
      [1, 1],
      ['inf', 2],
      [3, 3],
    ],
    ['--target', 'y'],
    /column "x": numbers are needed, got "inf" in row 2 \(an infinity\)/,
  ],
  [
    'a missing value under --strict',
    [
      ['x', 'y'],
      [1, 1],
      [2, null],
      [3, 3],
    ],
    ['--target', 'y', '--strict'],
    /row 2, column "y": a value is needed, got "none"/,
  ],
  [
    'nothing but rows with missing values',
    [
      ['x', 'e', 'y'],
      [1, null, 1],
      [2, null, 2],
      [null, 4, 3],
      [null, 5, 4],
    ],
    ['--target', 'y'],
    /at least one row without missing values is needed, got none of 4; column "x" misses 2: .*--exclude x/,
  ],
  [
    'a file one column wide',
    [['y'], [1], [2]],
    ['--target', 'y'],
    /at least one feature is needed, got \["y"\]/,
  ],
  [
    'more components than columns',
    [
      ['a', 'b'],
      [1, 2],
      [3, 5],
      [2, 2],
    ],
    ['--model', 'pca', '--components', '3'],
    /--components: at most one for each of 2 columns, got 3/,
  ],
  [
    'as many components as columns, which leave nothing to judge rows by',
    [
      ['a', 'b'],
      [1, 2],
      [3, 5],
      [2, 2],
    ],
    ['--model', 'pca', '--components', '2'],
    /--components: fewer than the 2 columns are needed, got 2; .*no row is off/,
  ],
]

describe('a file that cannot be fitted', () => {
  test.each(files)('%s', async (what, rows, flags, message) => {
    const path = folder.csv(`${what.replaceAll(/\W/g, '-')}.csv`, rows)
    const { status, out, remarks } = await run('fit', path, ...flags, '--json')
    expect(remarks.at(-1)).toMatch(message)
    expect(remarks.at(-1)).not.toContain('\n')
    expect({ status, out }).toEqual({ status: 1, out: '' })
  })

  test.each([
    ['empty.csv', '', /empty\.csv: a header and rows are needed, got "an empty file"/],
    ['broken.parquet', 'PAR1xxxxPAR1', /broken\.parquet: could not be read, got /],
    ['ragged.csv', 'x,y\n1,2\n3\n', /ragged\.csv line 3: every line must have 2 values/],
  ])('%s', async (name, content, message) => {
    const { status, remarks } = await run('fit', folder.file(name, content), '--target', 'y')
    expect(remarks.at(-1)).toMatch(message)
    expect(status).toBe(1)
  })
})
