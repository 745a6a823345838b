import { describe, expect, it } from 'vitest'
import { run, testFolder } from '../../packages/cli/src/testing/run.js'
import { type Cluster, careless, password, reader } from './cluster.js'
import { addressOf, put, tablesOf } from './tables.js'

/** What goes wrong is said in one line, with what to do, and never with the password. */
export function errors(cluster: () => Cluster): void {
  const folder = testFolder()
  const numbers = (rows: readonly (readonly (number | null)[])[]) => ({
    names: ['x', 'y'],
    kinds: ['number', 'number'] as const,
    rows,
  })
  const line = (n: number) => numbers(Array.from({ length: n }, (_, i) => [i, 2 * i + Math.sin(i)]))

  async function refused(address: string, ...flags: string[]): Promise<string> {
    const { status, out, remarks } = await run('fit', address, '--target', 'y', ...flags)
    expect([status === 0, out]).toEqual([false, ''])
    const said = remarks.join('\n')
    for (const secret of [password, encodeURIComponent(password)]) expect(said).not.toContain(secret)
    expect(said.split('\n').length).toBe(1)
    return said
  }

  describe('errors', () => {
    it('of the address', async () => {
      const { url } = cluster().nodes[0]!
      // A port that nobody takes in between.
      const nobody = url.replace(/:\d+\/default/, ':1/default')
      expect(await refused(nobody)).toMatch(
        /a server must listen there, got connect ECONNREFUSED .*; is it running/,
      )
      const wrong = url.replace(encodeURIComponent(password), 'other')
      expect(await refused(wrong)).toMatch(
        /a user and a password that the server knows are needed, got Wrong password for user reader; give them/,
      )
      expect(await refused(url.replace('reader:', 'nobody:'))).toMatch(
        /a user and a password that the server knows are needed/,
      )
      expect(await refused(url.replace('/default', '/nothing'))).toMatch(
        /a database of the server is needed, got .*nothing.*; correct the address/,
      )
      expect(await refused(`${url}/more`)).toMatch(
        /an address like clickhouse:\/\/user@host:8123\/database\?table=name is needed/,
      )
      expect(await refused(`${url}?tabel=t`)).toMatch(/leave out what follows the database/)
      expect(await refused(`clickhouse://reader:${password}@127.0.0.1/x`)).toMatch(
        /signs such as @ : \/ in a password/,
      )
      expect(await refused('clickhouse://reader@/x')).toMatch(/an address like/)
      expect(await refused(url.replace('clickhouse:', 'clickhouse+https:'))).toMatch(
        // A server that takes the greeting for the beginning of a question may stay silent.
        /TLS|HTTP|could not be asked|do the port and http or https fit/,
      )
    })

    it('of the table', async () => {
      const [node] = cluster().nodes
      await put(node!, 'line', line(50))
      await put(node!, 'empty', line(0))
      await put(
        node!,
        'gaps',
        numbers(Array.from({ length: 30 }, (_, i) => [i % 2 ? null : i, i % 2 ? i : null])),
      )
      await put(
        node!,
        'infinite',
        numbers([[Number.POSITIVE_INFINITY, 1], ...Array.from({ length: 2100 }, (_, i) => [i, i])]),
      )
      expect(await refused(addressOf(node!, 'lines'))).toMatch(
        /a table of the database, or a query, is needed as --table, got "lines"; choose one of: /,
      )
      expect(await refused(node!.url)).toMatch(/is needed as --table, got none; choose one of/)
      expect(await refused(addressOf(node!, 'line'), '--table', 'empty')).toMatch(
        /--table: "line" of the address is it already, got "empty"/,
      )
      expect(await refused(node!.url, '--table', 'SELECT x FRM line')).toMatch(
        /a query that the server understands is needed, got Syntax error.*; correct --table/,
      )
      expect(await refused(node!.url, '--table', 'SELECT z FROM line')).toMatch(
        /columns that the table has, .* are needed, got .*z.*; correct --table/,
      )
      expect(await refused(addressOf(node!, 'empty'))).toMatch(/row/)
      expect(await refused(addressOf(node!, 'gaps'))).toMatch(
        /every row misses a value|no row is complete|row/,
      )
      expect(await refused(addressOf(node!, 'infinite'))).toMatch(
        /column "x": finite numbers are needed, got 1 rows with an infinite one/,
      )
      expect(await refused(addressOf(node!, 'line'), '--features', 'z')).toMatch(/--features: .*table.*"z"/)
      expect(await refused(node!.url, '--table', 'SELECT y, [x] AS list FROM line')).toMatch(
        /column "list": numbers, texts, dates or true and false are needed, got "Array/,
      )
      expect(
        await refused(node!.url, '--table', "SELECT y, concat(unhex('FF'), toString(x)) AS t FROM line"),
      ).toMatch(/column "t": texts in UTF-8 are needed, got bytes FF/)
      const many = 'SELECT number AS x, number % 7 AS y FROM system.numbers LIMIT 61000'
      expect(await refused(node!.url, '--table', many, '--method', 'huber', '--model', 'linear')).toMatch(
        /--method: of a table in a database only calibrated, paper, ml can be had/,
      )
    })

    it('of rows that are to be written', async () => {
      const [node] = cluster().nodes
      const address = addressOf(node!, 'line')
      expect(await refused(address, '--rows-table', 'line')).toMatch(
        /a new table is needed for the rows, got "line"; choose another name/,
      )
      const only = address.replace('reader:', `${reader}:`)
      expect(await run('fit', only, '--target', 'y')).toMatchObject({ status: 0 })
      expect(await refused(only, '--rows-table', 'mine')).toMatch(
        /the user must be allowed to do this, got .*; ask for the right/,
      )
      expect((await tablesOf(node!)).filter((name) => name.startsWith('mine'))).toEqual([])
    })

    it('of flags that are for files, and of commands that take none', async () => {
      const address = addressOf(cluster().nodes[0]!, 'line')
      for (const [flag, value, todo] of [
        ['--rows', 'r.csv', 'use --rows-table NAME'],
        ['--good', 'g.csv', 'WHERE flagged = 0'],
        ['--report', 'r.html', 'report that'],
        ['--memory', '1GB', 'leave it out'],
      ] as const) {
        const { status, remarks } = await run('fit', address, '--target', 'y', flag, value)
        expect({ status, remarks }).toEqual({
          status: 2,
          remarks: [expect.stringContaining(`${flag}: is for files`)],
        })
        expect(remarks[0]).toContain(todo)
      }
      const file = folder.csv('f.csv', [['x', 'y'], ...line(9).rows])
      expect(await refused(file, '--rows-table', 't')).toMatch(
        /--rows-table: is for a table of ClickHouse, got "t"; use --rows FILE/,
      )
      expect(await refused(file, '--engine', 'clickhouse')).toMatch(
        /--engine: clickhouse needs an address like/,
      )
      expect(await refused(address, '--engine', 'duckdb')).toMatch(
        /--engine: an address of ClickHouse is read by clickhouse/,
      )
      for (const command of [['look'], ['audit', '--target', 'y']]) {
        const { remarks } = await run(command[0]!, address, ...command.slice(1))
        expect(remarks.join()).toMatch(/files are needed, got "clickhouse:\/\/reader@127/)
      }
    })

    it('are none where the address is the one of a browser', async () => {
      const { httpPort } = cluster().nodes[0]!
      const web = `http://reader:${encodeURIComponent(password)}@127.0.0.1:${httpPort}/default`
      expect(
        await run('fit', web, '--engine', 'clickhouse', '--table', 'line', '--target', 'y'),
      ).toMatchObject({ status: 0 })
      const lax = addressOf(cluster().nodes[0]!, 'line').replace('reader:', `${careless}:`)
      expect(await run('fit', lax, '--target', 'y')).toMatchObject({ status: 0 })
    })
  })
}
