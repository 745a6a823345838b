import { beforeAll, describe, expect, it } from 'vitest'
import { stateOf } from '../../packages/tables/src/clickhouse/state.js'
import { type ClickhouseTable, fitClickhouse, withClickhouse } from '../../packages/tables/src/index.js'
import type { Cluster, Node } from './cluster.js'
import { type Cell, load, put, type TestTable, tablesOf } from './tables.js'

const names = ['x', 'kind', 'y']
/** The first row has x = 0. */
const rows = (n: number, swapped: readonly number[] = []): Cell[][] => {
  const y = Array.from({ length: n }, (_, i) => 2 * Math.sin(i) + Math.cos(11 * i) + (i % 8 === 0 ? 30 : 0))
  const [i = 0, k = 0] = swapped
  ;[y[i], y[k]] = [y[k]!, y[i]!]
  return y.map((value, i) => [1e6 * Math.sin(i), i % 3 === 0 ? '' : 'a', value])
}
const tableOf = (rows: Cell[][]): TestTable => ({ names, kinds: ['number', 'text', 'number'], rows })
const others = /rows that stay as they are during a fit are needed, got others at its end; try again/

/** Values that change while the number of rows stays. */
export function changes(cluster: () => Cluster): void {
  const first = (): Node => cluster().nodes[0]!

  /** A table to which something happens before it is asked for the `time`-th time. */
  function meddled(table: ClickhouseTable, time: number, happen: () => Promise<unknown>): ClickhouseTable {
    const { server } = table
    let asked = 0
    const ask = async (sql: string): ReturnType<typeof server.ask> => {
      if (++asked === time) await happen()
      return await server.ask(sql)
    }
    return { ...table, server: Object.assign(Object.create(server) as typeof server, { ask }) }
  }

  describe('values that change during a fit', () => {
    beforeAll(async () => {
      await load(cluster(), 'still', tableOf(rows(2100)))
      await put(first(), 'still_swapped', tableOf(rows(2100, [5, 6])))
      await put(first(), 'still_few', tableOf(rows(60)))
    })

    it('are told from those that stay, but for last digits', async () => {
      await withClickhouse(first().url, 'still_three', async (table) => {
        const state = await stateOf(table, names)
        await state.check()
        await state.check('still')
        // What adding doubles in another order does.
        await state.check('(SELECT x * (1 + 4e-16) AS x, kind, y * (1 - 4e-16) AS y FROM still)')
        for (const changed of [
          '(SELECT if(x = 0, 1e-3, x) AS x, kind, y FROM still)',
          '(SELECT x, kind, if(x = 0, y * (1 + 1e-8), y) AS y FROM still)',
          '(SELECT if(x = 0, NULL, x) AS x, kind, y FROM still)',
          '(SELECT x, if(x = 0, NULL, kind) AS kind, y FROM still)',
          "(SELECT x, if(x = 0, 'a', kind) AS kind, y FROM still)",
          'still_swapped',
        ])
          await expect(state.check(changed), changed).rejects.toThrow(others)
      })
    })

    it.each([
      ['paper', 'still', 'still', 14],
      // In memory: the last question but one.
      ['calibrated', 'still', 'still', 9],
      ['ml', 'still_three', 'still_part', 12],
    ] as const)('are an error of %s, table %s', async (method, name, part, time) => {
      const { nodes } = cluster()
      const holder = name === part ? nodes[0]! : nodes[2]!
      const change = async (): Promise<void> => {
        await holder.ask(`RENAME TABLE ${part} TO ${part}_before`)
        await holder.ask(`CREATE TABLE ${part} AS ${part}_before ENGINE = Memory`)
        await holder.ask(`INSERT INTO ${part} SELECT x, kind, y + if(x < -999000, 1, 0) FROM ${part}_before`)
      }
      const fit = withClickhouse(first().url, name, (table) =>
        fitClickhouse(meddled(table, time, change), { features: ['x', 'kind'], target: 'y', method }),
      )
      await expect(fit).rejects.toThrow(others)
      await holder.ask(`DROP TABLE ${part}`)
      await holder.ask(`RENAME TABLE ${part}_before TO ${part}`)
    })

    it('rows that the server does not know again are not written as if they missed values', async () => {
      const before = await tablesOf(first())
      const wanted = { features: ['x', 'kind'], target: 'y' }
      await withClickhouse(first().url, 'still_few', async (table) => {
        const fit = await fitClickhouse(table, wanted)
        await first().ask('RENAME TABLE still_few TO still_last')
        await first().ask('CREATE VIEW still_few AS SELECT x * (1 + 4e-16) AS x, kind, y FROM still_last')
        await expect(fit.writeRows('judged_few')).rejects.toThrow(
          /rows must be written.*, got \d+; did the table change\? try again; rows that a query makes/,
        )
        await first().ask('DROP TABLE still_few')
        await first().ask('RENAME TABLE still_last TO still_few')
      })
      expect(await tablesOf(first())).toEqual(before)
    })
  })
}
