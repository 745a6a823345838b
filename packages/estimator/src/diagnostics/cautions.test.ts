import type { Caution } from 'rlvi'
import { expect, test } from 'vitest'
import { cautionRemark, namedCautions } from './cautions.js'

const features = ['age', 'city=oslo', '$& "x"\n<script>']
const bends = 'the residuals bend; add its square as a feature'

test('what is about no column stays as it is', () => {
  const few: Caution = { about: 'few-rows', message: 'few rows' }
  expect(namedCautions([few], features)).toEqual([few])
  expect(namedCautions(undefined, features)).toEqual([])
})

test('a column has its name in front, a category that of its indicator', () => {
  const made = namedCautions(
    [
      { about: 'curvature', message: bends, column: 0 },
      { about: 'leverage', message: 'one row', column: 1 },
    ],
    features,
  )
  expect(made).toEqual([
    { about: 'curvature', message: `column "age": ${bends}`, column: 'age' },
    { about: 'leverage', message: 'column "city=oslo": one row', column: 'city=oslo' },
  ])
  expect(cautionRemark(made[0])).toBe(`caution: column "age": ${bends}`)
})

test('or in place of its position, where the sentence has it', () => {
  const [made] = namedCautions(
    [{ about: 'curvature', message: 'the residuals bend against column 1, not column 10', column: 1 }],
    features,
  )
  expect(made.message).toBe('the residuals bend against column "city=oslo", not column 10')
})

test('several columns have their names too', () => {
  const [made] = namedCautions(
    [{ about: 'law', message: 'columns 0, 2 and 7 more are skewed', columns: [0, 2] }],
    features,
  )
  expect(made).toEqual({
    about: 'law',
    message: `columns "age", ${JSON.stringify(features[2])} and 7 more are skewed`,
  })
})

test('odd names are quoted, and are no pattern', () => {
  for (const message of ['column 2 bends', 'it bends']) {
    const [made] = namedCautions([{ about: 'curvature', message, column: 2 }], features)
    expect(made.message).toMatch(/^column "\$& \\"x\\"\\n<script>":? (it )?bends$/)
    expect(made.column).toBe(features[2])
  }
})

test('a position that is none of the features is left out', () => {
  expect(namedCautions([{ about: 'ties', message: bends, column: 9 }], features)).toEqual([
    { about: 'ties', message: bends },
  ])
})
