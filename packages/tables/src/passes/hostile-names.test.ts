import { fitSource, fitTable } from '@rlvi/estimator'
import fc from 'fast-check'
import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { withRowSource } from './row-source.js'

const folder = testFolder()
const pieces = [
  '"',
  "'",
  ';',
  '\n',
  '`',
  '\\',
  ',',
  '<script>',
  '--',
  '/*',
  'select',
  'é',
  '漢',
  '😀',
  '%',
  '$1',
  '{}',
  'c0',
  ' x',
  'NULL x',
]
/** Names and texts that hold whatever would break out of SQL, CSV or HTML, if anything let them. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ minLength: 1, maxLength: 2 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => `n${parts.join('').replaceAll(/[\0\r]/g, '')}n`)

test('columns and categories of any name come through a fit, in memory and block by block', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(hostile, { minLength: 3, maxLength: 3 }),
      fc.uniqueArray(hostile, { minLength: 3, maxLength: 3, selector: (text) => text.trim() }),
      async ([number = '', kind = '', target = ''], kinds) => {
        const { normal } = draws('hostile')
        const rows = Array.from({ length: 90 }, (_, i) => [normal(), kinds[i % 3], normal() + (i % 3)])
        const lines = rows.map(([x, text, y]) => JSON.stringify({ [number]: x, [kind]: text, [target]: y }))
        const path = folder.file('hostile.ndjson', `${lines.join('\n')}\n`)
        const options = { target, features: [number, kind], method: 'ml', model: 'linear' } as const
        const texts: (string | null)[] = []
        const [memory, passes] = await withTable(path, {}, async (table) => {
          expect(table.columns.map(({ name }) => name)).toEqual([number, kind, target])
          return [
            fitTable(await read(table, options), options),
            await withRowSource(table, { ...options, sampleRows: 20 }, async (source) => {
              const fit = await fitSource(source, options)
              await source.eachRows([kind], (some) => {
                for (let i = 0; i < some.rows; i++) texts.push(some.text(0, i))
              })
              return fit
            }),
          ]
        })
        expect(passes!.design.names).toEqual(memory!.design.names)
        expect(new Set(texts)).toEqual(new Set(kinds))
        const params = (fit: typeof memory): number[] =>
          Object.values((fit!.params as { coefficients: Record<string, number> }).coefficients)
        params(memory).forEach((value, j) => {
          expect(params(passes)[j]).toBeCloseTo(value, 9)
        })
      },
    ),
    { numRuns: 25 },
  )
})
