import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { run, runJson } from '../../packages/cli/src/testing/run.js'
import { rlviBin } from '../../packages/cli/src/testing/stream.js'
import { type Cluster, careless, type Node } from './cluster.js'
import { addressOf, type Cell, load, rowsOf, tablesOf } from './tables.js'

/** So slow that something can happen meanwhile: a fifth of a second for each scan of a server's part. */
const slow = (table: string): string => `SELECT x, y + 0 * sleepEachRow(0.0001) AS y FROM ${table}`

/** What a server does now, by the beginnings of its queries. */
async function busyWith(node: Node, sign: string): Promise<boolean> {
  const found = await rowsOf(
    node,
    `SELECT query FROM system.processes WHERE positionUTF8(query, '${sign}') > 0`,
  )
  // This very question is one of them.
  return found.length > 1
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 240_000; Date.now() < end; await sleep(10)) if (await done()) return
  throw new Error('waited in vain')
}

/** Servers that die, tables that change and users who lose patience: never an answer from part of the rows. */
export function failures(cluster: () => Cluster): void {
  const flags = ['--target', 'y', '--method', 'paper']
  const line = Array.from({ length: 6000 }, (_, i): Cell[] => [
    Math.sin(i),
    3 * Math.sin(i) + Math.cos(11 * i) + (i % 8 === 0 ? 30 : 0),
  ])
  /** The scans of a fit are many: one is at work nearly always. */
  const atWork = (node: Node): Promise<void> => until(() => busyWith(node, 'rlvi_x0'))

  /** Asked while a server is away, by a user whose profile would leave it out. */
  let away: ReturnType<typeof run> | undefined

  describe('failures', () => {
    it('are made ready for', async () => {
      await load(cluster(), 'death', { names: ['x', 'y'], kinds: ['number', 'number'], rows: line })
    })

    it('a table that grows during a fit is an error', async () => {
      const [node] = cluster().nodes
      const fit = run('fit', node!.url, '--table', slow('death'), ...flags)
      await atWork(node!)
      await node!.ask('INSERT INTO death VALUES (1, 2)')
      const { status, out, remarks } = await fit
      expect([status, out]).toEqual([1, ''])
      expect(remarks.at(-1)).toBe(
        'scan: all 6000 rows are needed, got 6001 rows; did the table change, or is a part of it out of reach? try again',
      )
    })

    it('a column that goes, or changes its type, is an error', async () => {
      const [node] = cluster().nodes
      await node!.ask('CREATE TABLE changing AS death ENGINE = MergeTree() ORDER BY tuple()')
      await node!.ask('INSERT INTO changing SELECT * FROM death LIMIT 6000')
      const fit = run('fit', node!.url, '--table', slow('changing'), ...flags)
      await atWork(node!)
      await node!.ask('ALTER TABLE changing DROP COLUMN x')
      const { status, out, remarks } = await fit
      expect([status, out]).toEqual([1, ''])
      expect(remarks.at(-1)).toMatch(
        /columns that the table has, on every server of a cluster, are needed, got/,
      )
    })

    it('a server that dies during a fit is an error, and nothing is written', async () => {
      const [first, , third] = cluster().nodes
      const before = await tablesOf(first!)
      const fit = run('fit', addressOf(first!, 'death_three'), ...flags, '--rows-table', 'after_death')
      await atWork(third!)
      await third!.kill()
      // Both are patient for some seconds: they may be so at once.
      away = run('fit', addressOf(first!, 'death_three').replace('reader:', `${careless}:`), ...flags)
      const { status, out, remarks } = await fit
      expect([status, out]).toEqual([1, ''])
      expect(remarks.at(-1)).toMatch(
        /all servers that hold a part of the table must answer, got .*; nothing was written; when they are up again, run it again/,
      )
      expect(await tablesOf(first!)).toEqual(before)
    })

    it('with a server that is away, no profile makes it an answer from the others', async () => {
      const { status, remarks } = await away!
      expect([status, remarks.at(-1)]).toEqual([
        1,
        expect.stringContaining('all servers that hold a part of the table must answer'),
      ])
    })

    it('a server that comes back during a fit is asked again', async () => {
      const [first, , third] = cluster().nodes
      await third!.restart()
      const address = addressOf(first!, 'death_three')
      const wanted = await runJson('fit', address, ...flags)
      // A busy machine may take longer to start a server than the command waits for one: then once more.
      const struck = async (tries: number): Promise<typeof wanted> => {
        const fit = run('fit', address, ...flags, '--json')
        await atWork(third!)
        const since = Date.now()
        await third!.kill()
        await third!.restart()
        const took = Date.now() - since
        const { status, out, remarks } = await fit
        if (status !== 0 && took > 4000 && tries > 1) return await struck(tries - 1)
        expect({ status, remarks: status === 0 ? [] : remarks }).toEqual({ status: 0, remarks: [] })
        return JSON.parse(out)
      }
      const got = await struck(4)
      expect([got.rows, got.flagged]).toEqual([wanted.rows, wanted.flagged])
      expect(got.params.intercept).toBeCloseTo(wanted.params.intercept, 10)
      expect(got.params.coefficients.x).toBeCloseTo(wanted.params.coefficients.x, 10)
    })

    it.each([
      ['fits', 'rlvi_x0'],
      ['writes rows', 'INSERT INTO'],
    ])('Ctrl-C while it %s ends the work of the servers and leaves nothing', async (_, sign) => {
      const [first] = cluster().nodes
      const before = await tablesOf(first!)
      const flags = ['--target', 'y', '--method', 'ml', '--rows-table', 'broken']
      const child = spawn(
        process.execPath,
        [rlviBin, 'fit', first!.url, '--table', slow('death_three'), ...flags],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      let said = ''
      child.stderr.on('data', (text) => {
        said += text
      })
      const ended = once(child, 'exit')
      await until(() => busyWith(first!, sign))
      child.kill('SIGINT')
      expect(await ended).toEqual([1, null])
      expect(said).toMatch(/stopped, got a signal; nothing was written\n$/)
      expect(await tablesOf(first!)).toEqual(before)
      await until(async () => (await rowsOf(first!, 'SELECT count() FROM system.processes'))[0]![0] === '1')
    })

    it('the server itself may go', async () => {
      const [, second] = cluster().nodes
      const fit = run('fit', second!.url, '--table', slow('death_part'), ...flags)
      await atWork(second!)
      await second!.kill()
      const { status, remarks } = await fit
      expect([status, remarks.at(-1)]).toEqual([
        1,
        expect.stringMatching(/a server must listen there|must answer to the end/),
      ])
    })
  })
}
