import type { Supervised } from 'rlvi'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { parseAddress } from '../packages/tables/src/clickhouse/address.js'
import { Server } from '../packages/tables/src/clickhouse/server.js'
import { type SqlRows, sqlAggregates } from '../packages/tables/src/sql/aggregates.js'
import { clickhouse } from '../packages/tables/src/sql/clickhouse.js'
import { models, rowsFor } from '../packages/tables/src/testing/pass-cases.js'
import { expectSameFit, expectSameSums } from '../packages/tables/src/testing/same-sums.js'
import {
  type Cluster,
  clickhousePath,
  cluster as clusterName,
  rowBinary,
  startCluster,
} from './clickhouse.js'

describe.skipIf(clickhousePath === undefined)('ClickHouse, one server and a cluster of three', () => {
  let cluster: Cluster
  let server: Server
  beforeAll(async () => {
    cluster = await startCluster(3)
    server = new Server(parseAddress(cluster.nodes[0]!.url))
  }, 60_000)
  afterAll(async () => {
    await server?.close()
    await cluster?.close()
  })

  const columnsOf = ({ x, y }: Supervised): Float64Array[] => [
    ...Array.from({ length: x.cols }, (_, j) =>
      Float64Array.from({ length: x.rows }, (_, i) => x.values[i * x.cols + j]!),
    ),
    y,
  ]

  /** Rows as `one` on the first server, and dealt out to three as `three`. */
  async function load(data: Supervised, name: string): Promise<void> {
    const columns = columnsOf(data)
    const definition = columns.map((_, j) => `${j < data.x.cols ? `c${j}` : 'y'} Float64`).join(', ')
    const put = async (node: number, table: string, rows: (i: number) => boolean): Promise<void> => {
      const { ask } = cluster.nodes[node]!
      await ask(`CREATE TABLE ${table} (${definition}) ENGINE = MergeTree() ORDER BY tuple()`)
      const part = columns.map((column) => column.filter((_, i) => rows(i)))
      await ask(`INSERT INTO ${table} FORMAT RowBinary`, rowBinary(part))
    }
    await put(0, `${name}_one`, () => true)
    for (const node of [0, 1, 2]) await put(node, `${name}_part`, (i) => i % 3 === node)
    await cluster.nodes[0]!.ask(
      `CREATE TABLE ${name}_three AS ${name}_part ENGINE = Distributed(${clusterName}, default, ${name}_part, rand())`,
    )
  }

  const tableOf = (data: Supervised, from: string): SqlRows => ({
    dialect: clickhouse,
    from,
    where: '1',
    prefix: 'rlvi_',
    x: Array.from({ length: data.x.cols }, (_, j) => `c${j}`),
    y: 'y',
    rows: data.x.rows,
    centre: Float64Array.from({ length: data.x.cols }, (_, j) => (j === 1 ? 20 : 0)),
    ask: (sql) => server.ask(sql),
  })

  it.each(models.map((model, k) => ({ model, k })))(
    'sums and fits are those over the rows, for $model.name ($model.intercept)',
    async ({ model, k }) => {
      const data = rowsFor(model.name, 1)
      await load(data, `m${k}`)
      for (const where of ['one', 'three']) {
        const rows = sqlAggregates(model, tableOf(data, `m${k}_${where}`))
        await expectSameSums(model, data, rows)
        await expectSameFit(model, data, rows)
      }
    },
  )
})
