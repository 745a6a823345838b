import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { run, runJson, testFolder } from '../../packages/cli/src/testing/run.js'
import type { Cluster } from './cluster.js'
import { addressOf, type Cell, load, rowsOf, type TestTable } from './tables.js'

const N = 2200
/** Models and methods whose rows are written to a table. */
const written = ['mean paper', 'logistic calibrated', 'softmax ml', 'poisson paper', 'covariance paper']
const cities = ['Rome', 'Oslo', 'New York', "L'Aquila"]

/** Numbers with gaps, a text with gaps, and a target of the model with bad rows; `id` numbers the rows. */
function table(model: string, n = N): TestTable {
  const random = draws('clickhouse', model, 1)
  // A sum by SQL for each two columns: models with long ones have two kinds.
  const kindsOfCity = model === 'softmax' || model === 'poisson' ? 2 : cities.length
  const unit = model === 'pca' ? 0.3 : 1
  const rows = Array.from({ length: n }, (_, i): Cell[] => {
    const bad = i % 9 === 4
    const far = bad && ['mean', 'covariance', 'pca'].includes(model) ? 9 : 0
    const [x1, x2] = [unit * random.normal() + far, 20 + 3 * random.normal() + 2 * far]
    const city = cities[Math.floor(kindsOfCity * random.uniform(0, 1))]!
    // Where some rows lie close, `paper` needs few iterations.
    const spread = model === 'linear' && n === N ? (i % 2 === 0 ? 0.05 : 0.6) : 0.4 * unit
    const eta = x1 - 0.3 * (x2 - 20) + (city === 'Oslo' ? 1 : 0) + spread * random.normal()
    const y = {
      logistic: () => ((bad ? random.uniform(0, 1) > 0.5 : eta > 0) ? 'yes' : "n'o"),
      softmax: () => (bad ? 'low' : eta > 1 ? 'high' : eta > -1 ? 'mid' : 'low'),
      poisson: () => (bad ? 15 : Math.round(Math.exp(0.3 * eta + 1))),
    }[model]
    const value = y?.() ?? 3 + eta + (bad ? 8 * random.normal() : 0)
    return [i, i % 50 === 7 ? null : x1, x2, i % 70 === 3 ? null : city, value]
  })
  const isText = model === 'logistic' || model === 'softmax'
  const kinds = ['number', 'number', 'number', 'text', isText ? 'text' : 'number'] as const
  return { names: ['id', 'x1', 'x2', 'city', 'y'], kinds, rows }
}

function flagsOf(model: string, method: string): string[] {
  const supervised = !['mean', 'covariance', 'pca'].includes(model)
  const columns = supervised ? ['--target', 'y', '--exclude', 'id'] : ['--exclude', 'id,city']
  return ['--model', model, '--method', method, ...columns]
}

/** All numbers of a document, by their paths. */
function numbers(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => numbers(inner, `${path}.${key}`))
}

/** Within 1e-8 of the largest number of the kind: a coefficient may be nearly 0. */
function expectSame(got: unknown, wanted: unknown, tolerance = 1e-8): void {
  const all = numbers(wanted)
  const size = Math.max(...all.map(([, value]) => Math.abs(value)))
  const found = new Map(numbers(got))
  expect([...found.keys()]).toEqual(all.map(([path]) => path))
  for (const [path, value] of all)
    if (!(Math.abs(found.get(path)! - value) <= tolerance * size))
      expect.fail(`${path}: ${found.get(path)} is not ${value}`)
}

/** Fits by the command: the same numbers wherever the rows are. */
export function fits(cluster: () => Cluster): void {
  const folder = testFolder()
  const at = (name: string): string => join(folder.path, name)
  const loaded = new Map<string, Promise<string>>()
  /** The table of a model in a file and on the servers; the file's path. */
  const tableOf = (model: string, rows = N, name = model): Promise<string> => {
    const make = async (): Promise<string> => {
      const made = table(model, rows)
      await load(cluster(), `fit_${name}`, made)
      return folder.csv(`${name}.csv`, [made.names, ...made.rows])
    }
    if (!loaded.has(name)) loaded.set(name, make())
    return loaded.get(name)!
  }
  const one = (model: string): string => addressOf(cluster().nodes[0]!, `fit_${model}`)
  const three = (model: string): string => addressOf(cluster().nodes[0]!, `fit_${model}_three`)
  const judged = (model: string): string => `judged ${model}`
  const onThree = new Map<string, ReturnType<typeof runJson>>()
  /** A fit on three servers, once for all tests; with rows that are written where a test looks at them. */
  const fitOnThree = (model: string, method: string): ReturnType<typeof runJson> => {
    const key = `${model} ${method}`
    if (!onThree.has(key)) {
      const rows = written.includes(key) ? ['--rows-table', judged(model)] : []
      onThree.set(key, runJson('fit', three(model), ...flagsOf(model, method), ...rows))
    }
    return onThree.get(key)!
  }

  describe('rlvi fit', () => {
    it.each([
      ['linear', 'paper'],
      ['linear', 'ml'],
      ['logistic', 'ml'],
      ['softmax', 'ml'],
      ['poisson', 'paper'],
      ['mean', 'paper'],
      ['covariance', 'paper'],
      ['pca', 'paper'],
    ])('%s, %s: memory, one server and three give the same', async (model, method) => {
      const file = await tableOf(model)
      const flags = flagsOf(model, method)
      const memory = await runJson('fit', file, ...flags)
      expect(memory.dropped.missing).toBeGreaterThan(0)
      for (const other of await Promise.all([
        runJson('fit', one(model), ...flags),
        fitOnThree(model, method),
      ])) {
        for (const key of ['params', 'ml', 'effectiveRows', 'explained'])
          expectSame(other[key] ?? {}, memory[key] ?? {})
        expectSame(other.corruption, memory.corruption)
        for (const key of ['features', 'classes', 'rows', 'dropped', 'status', 'iterations', 'flagged'])
          expect(other[key]).toEqual(memory[key])
      }
    })

    it('logistic, calibrated: memory, one server and three give the same', async () => {
      const file = await tableOf('logistic')
      await expectSameCalibrated(file, 'logistic', one('logistic'), fitOnThree('logistic', 'calibrated'))
    })

    it('poisson, calibrated: memory, one server and three give the same', async () => {
      // Read and fitted in memory, as labels are: how many they are says nothing more.
      const file = await tableOf('poisson', 600, 'counts')
      const flags = flagsOf('poisson', 'calibrated')
      await expectSameCalibrated(file, 'poisson', one('counts'), runJson('fit', three('counts'), ...flags))
    })

    async function expectSameCalibrated(
      file: string,
      model: string,
      address: string,
      onThree: ReturnType<typeof runJson>,
    ): Promise<void> {
      const flags = flagsOf(model, 'calibrated')
      const memory = await runJson('fit', file, ...flags)
      for (const other of await Promise.all([runJson('fit', address, ...flags), onThree])) {
        for (const key of ['params', 'ml', 'effectiveRows', 'explained', 'corruption', 'errors'])
          expectSame(other[key] ?? {}, memory[key] ?? {})
        for (const key of ['flagged', 'cautions', 'status', 'iterations'])
          expect(other[key]).toEqual(memory[key])
      }
    }

    it.each(['linear', 'mean', 'covariance'])(
      '%s, calibrated: one server and three give the same, near that of memory',
      async (model) => {
        const file = await tableOf(model)
        const flags = flagsOf(model, 'calibrated')
        const memory = await runJson('fit', file, ...flags)
        const [first, second] = await Promise.all([
          runJson('fit', one(model), ...flags),
          runJson('fit', three(model), ...flags),
        ])
        for (const key of ['params', 'ml', 'effectiveRows', 'corruption'])
          expectSame(second[key] ?? {}, first[key] ?? {})
        // Subsets are drawn by the places of rows, and rows of a database have none.
        expect(Math.abs(first.corruption.level - memory.corruption.level)).toBeLessThan(0.002)
        expect(first.errors.name).toBe(memory.errors.name)
      },
    )

    /** More rows than a fit out of core would have in memory anyway. */
    const many = (): Promise<string> => tableOf('linear', 61_000, 'many')

    it.each([
      ['linear', 'ml'],
      ['mean', 'paper'],
      ['covariance', 'paper'],
    ])(
      '%s, %s, of more rows: memory, DuckDB out of core, one server and three give the same',
      async (model, method) => {
        const file = await many()
        const flags = flagsOf(model, method)
        const memory = await runJson('fit', file, ...flags)
        for (const other of await Promise.all([
          runJson('fit', file, ...flags, '--memory', '1kB'),
          runJson('fit', one('many'), ...flags),
          runJson('fit', three('many'), ...flags),
        ])) {
          for (const key of ['params', 'ml', 'effectiveRows', 'corruption'])
            expectSame(other[key] ?? {}, memory[key] ?? {})
          expect([other.flagged, other.iterations]).toEqual([memory.flagged, memory.iterations])
        }
      },
    )

    it('calibrated, of more rows, is near that of memory', async () => {
      const file = await many()
      const flags = flagsOf('linear', 'calibrated')
      const memory = await runJson('fit', file, ...flags)
      const all = await runJson('fit', three('many'), ...flags, '--rows-table', 'judged many')
      expect(Math.abs(all.corruption.level - memory.corruption.level)).toBeLessThan(0.001)
      for (const [name, error] of Object.entries(memory.params.standardErrors.coefficients))
        expect(Math.abs(all.params.coefficients[name] - memory.params.coefficients[name])).toBeLessThan(
          0.25 * (error as number),
        )
      const [row] = await rowsOf(
        cluster().nodes[0]!,
        'SELECT toFloat64(sum(flagged)), toFloat64(count()), 1 - avg(clean) FROM `judged many`',
      )
      expect(row!.slice(0, 2)).toEqual([all.flagged, 61_000])
      expect(Math.abs((row![2] as number) - all.corruption.level)).toBeLessThan(0.001)
    })

    it('of few rows is the fit of a file, to the last digits', async () => {
      const { rows, ...rest } = table('linear', 60)
      await load(cluster(), 'few', { ...rest, rows })
      const file = folder.csv('few.csv', [rest.names, ...rows])
      for (const method of ['calibrated', 'huber']) {
        const flags = [...flagsOf('linear', method)]
        const wanted = await runJson('fit', file, ...flags)
        for (const name of ['few', 'few_three']) {
          const got = await runJson('fit', addressOf(cluster().nodes[0]!, name), ...flags)
          expectSame(got.params, wanted.params)
          expectSame(got.corruption, wanted.corruption)
          expect([got.flagged, got.cautions]).toEqual([wanted.flagged, wanted.cautions])
        }
      }
    })

    it('keeps the digits of all rows beside some that are far out', async () => {
      const random = draws('far-rows', 1)
      // The mean of all rows is a hundred thousand times their spread away from nearly all of them.
      const rows = Array.from({ length: N }, (_, i) => {
        const far = i % 100 === 7 ? 1e7 : 0
        return [random.normal() + far, 3 * random.normal() + far]
      })
      await load(cluster(), 'far', { names: ['a', 'b'], kinds: ['number', 'number'], rows })
      const file = folder.csv('far.csv', [['a', 'b'], ...rows])
      const flags = ['--model', 'mean', '--method', 'paper']
      const wanted = await runJson('fit', file, ...flags)
      const got = await runJson('fit', addressOf(cluster().nodes[0]!, 'far_three'), ...flags)
      for (const key of ['params', 'corruption']) expectSame(got[key], wanted[key])
    })

    it('of many columns and no target is the fit of a file', async () => {
      const random = draws('many-columns', 1)
      const names = Array.from({ length: 60 }, (_, j) => `column ${j}`)
      const rows = Array.from({ length: 150 }, () => names.map(() => random.normal()))
      const kinds = names.map(() => 'number' as const)
      await load(cluster(), 'columns', { names, kinds, rows })
      const flags = ['--model', 'mean', '--method', 'ml']
      const wanted = await runJson('fit', folder.csv('columns.csv', [names, ...rows]), ...flags)
      const got = await runJson('fit', addressOf(cluster().nodes[0]!, 'columns_three'), ...flags)
      expectSame(got.params, wanted.params)
    })

    it('says what it says of a file', async () => {
      const file = await tableOf('linear')
      const flags = ['--target', 'y', '--exclude', 'id']
      const duckdb = await run('fit', file, ...flags, '--memory', '1kB')
      const database = await run('fit', three('linear'), ...flags)
      expect(database.remarks).toEqual(duckdb.remarks)
      expect(database.remarks.join()).toContain('"x1" misses 44, "city" misses 32')
      // Rows of a database have no numbers.
      const line = (text: string, sign: RegExp): string =>
        text.split('\n').find((own) => sign.test(own)) ?? ''
      for (const sign of [/^bad rows/, /^explains/, /^ +city=Oslo/])
        expect(line(database.out, sign)).toBe(line(duckdb.out, sign))
      expect(line(duckdb.out, /P\(good\)/)).toMatch(/^ +row \(from 1\) +P\(good\)/)
      expect(line(database.out, /P\(good\)/)).toMatch(/^ +P\(good\)/)
      expect(database.out).toMatch(/… and \d+ more: --rows-table NAME has all/)
    })

    it.each(written)('--rows-table has what --rows has, for %s', async (both) => {
      const [model, method] = both.split(' ') as [string, string]
      const file = await tableOf(model)
      const [node] = cluster().nodes
      const flags = flagsOf(model, method)
      const duckdb = await runJson('fit', file, ...flags, '--memory', '1kB', '--rows', at('rows.csv'))
      const wanted = folder.lines('rows.csv')
      const added = ['predicted', 'suggested'].slice(0, wanted[0]!.length - 4)
      const onOne = async (name: string): ReturnType<typeof runJson> =>
        await runJson('fit', one(model), ...flags, '--rows-table', name)
      for (const [name, fit] of [
        [judged(model), await fitOnThree(model, method)],
        ...(model === 'mean' ? [['judged on one', await onOne('judged on one')] as const] : []),
      ] as const) {
        expectSame(fit.params, duckdb.params)
        expectSame(fit.corruption.level, duckdb.corruption.level)
        const columns = ['id', 'clean', 'flagged', 'loss', ...added].join(', ')
        const got = await rowsOf(node!, `SELECT ${columns} FROM \`${name}\` ORDER BY id`)
        expect(got.length).toBe(N)
        got.forEach(([id, clean, flagged, loss, ...more], i) => {
          const [number, p, isFlagged, l, ...others] = wanted[i]!
          expect(id).toBe(Number(number) - 1)
          if (p === '') {
            expect([clean, flagged, loss, ...more]).toEqual([null, null, null, ...added.map(() => null)])
            return
          }
          expect(clean).toBeCloseTo(Number(p), 8)
          expect(flagged).toBe(isFlagged === 'true' ? 1 : 0)
          expect(Math.abs((loss as number) - Number(l))).toBeLessThan(1e-7 * (1 + Number(l)))
          more.forEach((cell, k) => {
            if (typeof cell === 'number') expect(cell).toBeCloseTo(Number(others[k]), 7)
            else expect(cell).toBe(others[k])
          })
        })
      }
    })

    it('--save writes a model that predicts as that of a file does', async () => {
      const file = await tableOf('logistic')
      const flags = flagsOf('logistic', 'ml')
      await runJson('fit', file, ...flags, '--save', at('file.json'))
      await runJson('fit', three('logistic'), ...flags, '--save', at('table.json'))
      const { origin } = JSON.parse(readFileSync(at('table.json'), 'utf8'))
      expect(origin.source).toMatch(
        /^clickhouse:\/\/reader@127\.0\.0\.1:\d+\/default\?table=fit_logistic_three$/,
      )
      const [wanted, got] = [
        await runJson('predict', at('file.json'), file),
        await runJson('predict', at('table.json'), file),
      ]
      expectSame(got.predictions.slice(0, 50), wanted.predictions.slice(0, 50))
    })

    it('takes a query as the table, texts that are numbers, days and times', async () => {
      await tableOf('linear')
      const query =
        "SELECT x1, y, toString(round(x2)) AS x2, toDate('2020-01-01') + toUInt16(assumeNotNull(id) % 900) AS day, " +
        "toDateTime('2020-01-01 00:00:00') + toUInt32(assumeNotNull(id) * 5000) AS time FROM fit_linear"
      const flags = ['--table', query, '--target', 'y', '--method', 'ml', '--json']
      const { status, out, remarks } = await run('fit', cluster().nodes[0]!.url, ...flags)
      expect([status, remarks.filter((line) => line.includes('as texts'))]).toEqual([
        0,
        ['column "x2": written as texts, taken as numbers; --categories x2 takes them as categories'],
      ])
      const rows = await rowsOf(cluster().nodes[0]!, `${query} ORDER BY id`)
      const file = folder.csv('days.csv', [['x1', 'y', 'x2', 'day', 'time'], ...rows])
      const wanted = await runJson('fit', file, '--target', 'y', '--method', 'ml')
      expectSame(JSON.parse(out).params.coefficients, wanted.params.coefficients)
    })

    it('sees every kind of row where rows repeat', async () => {
      // Half of the table is one row; the sample must know that.
      const rows = Array.from({ length: 70_000 }, (_, i): Cell[] => [
        i % 2,
        i % 2 === 0 ? 'a' : ['b', 'c'][(i >> 1) % 2]!,
        3 * (i % 2) + ((i >> 2) % 5),
      ])
      await load(cluster(), 'repeated', {
        names: ['x', 'kind', 'y'],
        kinds: ['number', 'text', 'number'],
        rows,
      })
      const flags = ['--target', 'y', '--model', 'linear', '--method', 'ml']
      const file = folder.csv('repeated.csv', [['x', 'kind', 'y'], ...rows])
      const wanted = await runJson('fit', file, ...flags)
      const got = await runJson('fit', addressOf(cluster().nodes[0]!, 'repeated_three'), ...flags)
      expectSame(got.params, wanted.params)
      expect([got.features, got.rows]).toEqual([wanted.features, wanted.rows])
    })
  })
}
