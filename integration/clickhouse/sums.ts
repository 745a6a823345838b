import { matrix, type Supervised } from 'rlvi'
import { inBlocks, memoryBlocks, passModels } from 'rlvi/passes'
import { draws } from 'rlvi/random'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAddress } from '../../packages/tables/src/clickhouse/address.js'
import { Server } from '../../packages/tables/src/clickhouse/server.js'
import { sqlAggregates } from '../../packages/tables/src/sql/aggregates.js'
import { clickhouse } from '../../packages/tables/src/sql/clickhouse.js'
import type { SqlRows } from '../../packages/tables/src/sql/rows.js'
import { models, rowsFor } from '../../packages/tables/src/testing/pass-cases.js'
import {
  expectSameCalibrated,
  expectSameFit,
  expectSameSums,
} from '../../packages/tables/src/testing/same-sums.js'
import type { Cluster } from './cluster.js'
import { load } from './tables.js'

/** Sums and fits of the library, by SQL, are those over rows in memory: parameters, level and bound. */
export function sums(cluster: () => Cluster): void {
  describe('sums by SQL', () => {
    let server: Server
    beforeAll(() => {
      server = new Server(parseAddress(cluster().nodes[0]!.url))
    })
    afterAll(() => server.close())

    const put = async (name: string, { x, y }: Supervised): Promise<void> => {
      const names = [...Array.from({ length: x.cols }, (_, j) => `c${j}`), 'y']
      const rows = Array.from(y, (value, i) => [...x.values.subarray(i * x.cols, (i + 1) * x.cols), value])
      await load(cluster(), name, { names, kinds: names.map(() => 'number'), rows })
    }

    /** How often it was asked, too. */
    const tableOf = ({ x }: Supervised, name: string): SqlRows & { readonly asked: string[] } => {
      const asked: string[] = []
      return {
        dialect: clickhouse,
        from: name,
        where: '1',
        prefix: 'rlvi_',
        x: Array.from({ length: x.cols }, (_, j) => `assumeNotNull(c${j})`),
        y: 'assumeNotNull(y)',
        rows: x.rows,
        centre: Float64Array.from({ length: x.cols }, (_, j) => (j === 1 ? 20 : 0)),
        asked,
        ask: (sql) => {
          asked.push(sql)
          return server.ask(sql)
        },
      }
    }

    it.each(models.map((model, k) => ({ model, k })))(
      'are those over the rows, for $model.name ($model.intercept)',
      async ({ model, k }) => {
        const data = rowsFor(model.name, 1)
        await put(`m${k}`, data)
        if (model.by === 'moments')
          await expectSameSums(model, data, sqlAggregates(model, tableOf(data, `m${k}`)))
        const three = sqlAggregates(model, tableOf(data, `m${k}_three`))
        await expectSameSums(model, data, three)
        // Of labels and counts the command's fits are compared: each takes many scans.
        if (model.by === 'moments') await expectSameFit(model, data, three)
      },
    )

    // Of labels and counts the command's fits are compared, as above.
    it.each(['linear', 'mean'])('make the recommended method, for %s', async (name) => {
      const model = models.find((own) => own.name === name)!
      const data = rowsFor(name, 4, 900)
      await put(`c_${name}`, data)
      await expectSameCalibrated(model, data, sqlAggregates(model, tableOf(data, `c_${name}_three`)))
    })

    it('are done in blocks where columns are many', async () => {
      const [d, n] = [40, 300]
      const random = draws('wide', 1)
      const x = matrix(n, d)
      for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal() + (k % d === 1 ? 20 : 0)
      const y = Float64Array.from({ length: n }, (_, i) => x.values[i * d]! + random.normal())
      const data = { x, y }
      await put('wide', data)
      const model = passModels.linear() as never
      const table = tableOf(data, 'wide_three')
      await expectSameFit(model, data, sqlAggregates(model, table), 1)
      const moments = table.asked.filter((sql) => sql.includes('rlvi_residual'))
      // 41 columns and the response: 903 products, at most 400 of them in a query.
      expect(moments.length).toBeGreaterThanOrEqual(2 * 3)
    })

    it('are asked for in queries that a server takes, where the loss of each row is long', async () => {
      const [d, n] = [52, 300]
      const random = draws('long', 1)
      const x = matrix(n, d)
      for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal() + (k % d === 1 ? 20 : 0)
      const data = { x, y: new Float64Array(n) }
      await put('long', data)
      const model = models.find(({ name }) => name === 'covariance')!
      const params = model.likelihood.fit(data)
      const table = tableOf(data, 'long')
      const inRows = inBlocks(model, { ...memoryBlocks(model, data), centre: table.centre })
      const { least } = await inRows.losses(params)
      const weights = { by: 'losses', params, least, bend: 0.2, height: 1.2 } as const
      const [got, wanted] = [
        await sqlAggregates(model, table).moments({ weights }),
        await inRows.moments({ weights }),
      ]
      expect(Math.abs(got.weight / wanted.weight - 1)).toBeLessThan(1e-9)
      const size = Math.max(...wanted.squares.values.map(Math.abs))
      got.squares.values.forEach((value, k) => {
        // Rows in memory fill in the lower half alone.
        if (k % d > Math.floor(k / d)) return
        expect(Math.abs(value - wanted.squares.values[k]!)).toBeLessThan(1e-9 * size)
      })
    })
  })
}
