import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { RlviError } from 'rlvi'
import { afterAll, describe, expect, it } from 'vitest'
import { type performAll as Built, performAll } from './pool.js'

const folder = mkdtempSync(join(tmpdir(), 'rlvi-pool-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const core = new URL('../../../core/dist/index.js', import.meta.url).href
const path = join(folder, 'work.js')
writeFileSync(
  path,
  `import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
  import { threadId } from 'node:worker_threads'
  import { RlviError } from ${JSON.stringify(core)}
  export const square = (x) => x * x
  const seen = ${JSON.stringify(join(folder, 'threads'))}
  // No thread goes on before there are three.
  export const thread = async () => {
    mkdirSync(seen, { recursive: true })
    writeFileSync(seen + '/' + threadId, '')
    while (readdirSync(seen).length < 3) await new Promise((r) => setTimeout(r, 1))
    return threadId
  }
  export const refuse = (x) => { if (x === 3) throw new RlviError('task', 'must not be 3', x, 'give another'); return x }
  export const fail = () => undefined.x
  export const exit = (x) => { if (x === 3) process.exit(7); return x }
  export const later = async (x) => {
    if (x === 3) setTimeout(() => { throw new RangeError('too late') }, 5)
    await new Promise((r) => setTimeout(r, 50))
    return x
  }`,
)
const module = pathToFileURL(path).href
const tasks = Array.from({ length: 10 }, (_, k) => k)
const squares = tasks.map((x) => x * x)
const square = (x: number): number => x * x

it('from source all happens on the calling thread', async () => {
  const seen: number[] = []
  const work = { module, name: 'none', call: square }
  expect(await performAll(work, tasks, { threads: 4, onDone: (task) => seen.push(task) })).toEqual(squares)
  expect(seen).toEqual(tasks)
})

const built = new URL('../../dist/runs/pool.js', import.meta.url)

describe.skipIf(!existsSync(fileURLToPath(built)))('on threads', () => {
  const run = async (name: string, threads: number, onDone?: (task: number) => void): Promise<unknown[]> => {
    const { performAll: perform } = (await import(built.href)) as { performAll: typeof Built }
    const call = (x: number): unknown => x * x
    return perform({ module, name, call }, tasks, { threads, ...(onDone === undefined ? {} : { onDone }) })
  }

  it.each([1, 2, 3, 30])('the results of %i threads are those of one, in order', async (threads) => {
    const seen: number[] = []
    expect(await run('square', threads, (task) => seen.push(task))).toEqual(squares)
    expect(seen.sort((a, b) => a - b)).toEqual(tasks)
  })

  it('as many threads as were asked for', async () => {
    const ids = await run('thread', 3)
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain(0)
  })

  it('an error keeps its class and its words', async () => {
    const refused = run('refuse', 2)
    await expect(refused).rejects.toThrow('task: must not be 3, got 3; give another')
    await expect(refused).rejects.toBeInstanceOf(RlviError)
    await expect(run('fail', 2)).rejects.toBeInstanceOf(TypeError)
    await expect(run('none', 2)).rejects.toThrow('is not a function')
  })

  it('a thread that ends gives an error', async () => {
    await expect(run('exit', 2)).rejects.toThrow('a thread ended before its work was done, with code 7')
    await expect(run('later', 2)).rejects.toThrow('too late')
  })
})
