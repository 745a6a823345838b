import { join } from 'node:path'
import { type FitTableOptions, fitSource } from '@rlvi/estimator'
import type { Params, Supervised } from 'rlvi'
import { type Blocks, inBlocks, memoryBlocks, type PassModel } from 'rlvi/passes'
import { afterAll, afterEach, expect, test } from 'vitest'
import { withTable } from '../table.js'
import { models, rowsFor } from '../testing/pass-cases.js'
import { expectSameSums } from '../testing/same-sums.js'
import { testFolder } from '../testing.js'
import { type BlockFile, COPY_ROWS, createBlockFile } from './block-file.js'
import type { FileTask } from './pass-part.js'
import { PassThreads, sizes } from './pass-threads.js'
import { withRowSource } from './row-source.js'

const folder = testFolder()
const usual = { ...sizes }
const threads = new PassThreads(2)
afterEach(() => void Object.assign(sizes, usual))
const opened: BlockFile[] = []
afterAll(async () => {
  await threads.close()
  for (const file of opened) await file.close()
})

/** Every block to a thread of its own, however small a table is. */
const always = { least: 0, given: 1 }

let files = 0
/** Rows that lie in a file, and are read by threads. */
async function inFile(model: PassModel<Params>, data: Supervised, by = threads): Promise<Blocks<Supervised>> {
  const { x, y } = data
  const hasResponse = model.name !== 'mean' && model.name !== 'covariance' && model.name !== 'pca'
  const file = (await createBlockFile(
    join(folder.path, `file${files++}`),
    x.rows,
    x.cols + (hasResponse ? 1 : 0),
  ))!
  for (let from = 0; from < x.rows; from += COPY_ROWS) {
    const to = Math.min(x.rows, from + COPY_ROWS)
    const values = x.values.slice(from * x.cols, to * x.cols)
    await file.write(to - from, hasResponse ? [values, y.slice(from, to)] : [values])
  }
  expect(await file.finish()).toBe(true)
  opened.push(file)
  return {
    ...memoryBlocks(model, data),
    each: () => Promise.reject(new Error('rows are for threads')),
    parts: (task, merge) =>
      by.run(task as FileTask, { fd: file.fd, rows: x.rows, cols: x.cols, hasResponse }, merge),
  }
}

test.each(models)(
  'sums by threads are those over the rows, for $name (intercept: $intercept)',
  async (model) => {
    Object.assign(sizes, always)
    const data = rowsFor(model.name, 5, COPY_ROWS + 4321)
    await expectSameSums(model, data, inBlocks(model, await inFile(model, data)))
  },
)

test('the answer is the same, to the last bit, on any number of threads, and when one is gone', async () => {
  Object.assign(sizes, always)
  const model = models[0]!
  const data = rowsFor('linear', 6, 3 * COPY_ROWS + 77)
  const params = model.likelihood.fit(data)
  const answer = async (by: PassThreads): Promise<unknown> => {
    const rows = inBlocks(model, await inFile(model, data, by))
    return await Promise.all([rows.losses(params), rows.moments({ weights: { by: 'all' }, params })])
  }
  const [one, three] = [new PassThreads(1), new PassThreads(3)]
  const wanted = await answer(one)
  expect(await answer(three)).toEqual(wanted)
  const [first, ...others] = (three as unknown as { workers: { terminate(): Promise<number> }[] }).workers
  await first!.terminate()
  expect(await answer(three)).toEqual(wanted)
  await Promise.all(others.map((worker) => worker.terminate()))
  expect(await answer(three)).toEqual(wanted)
  await Promise.all([one.close(), three.close()])
})

test('a file that ends too early is an error, not an answer from part of the rows', async () => {
  Object.assign(sizes, always)
  const model = models[0]!
  const data = rowsFor('linear', 7, 2 * COPY_ROWS)
  const blocks = await inFile(model, data)
  const longer = { ...blocks, rows: 3 * COPY_ROWS }
  const parts: Blocks<Supervised>['parts'] = async (task, merge) => {
    const file = (await createBlockFile(join(folder.path, 'short'), 10, 4))!
    try {
      return await threads.run(
        task as FileTask,
        { fd: file.fd, rows: 3 * COPY_ROWS, cols: 3, hasResponse: true },
        merge,
      )
    } finally {
      await file.close()
    }
  }
  await expect(inBlocks(model, { ...longer, parts }).moments({ weights: { by: 'all' } })).rejects.toThrow(
    'ended too early',
  )
  // Fewer rows than there are.
  await expect(inBlocks(model, longer).moments({ weights: { by: 'all' } })).rejects.toThrow(
    `all ${3 * COPY_ROWS} rows are needed`,
  )
})

/** Numbers, two labels, and a column that repeats another; with gaps, if wanted. */
function csvOf(hasGaps: boolean): string {
  const { x, y } = rowsFor('linear', 8, COPY_ROWS + 999)
  const lines = ['a,b,c,twice,y,label']
  for (let i = 0; i < y.length; i++) {
    const [a, b, c] = x.values.subarray(3 * i, 3 * i + 3)
    const first = hasGaps && i % 50 === 7 ? '' : a
    lines.push([first, b, c, 2 * c!, y[i], a! + Math.sin(i) > 0 !== (i % 9 === 4) ? 'yes' : 'no'].join())
  }
  return `${lines.join('\n')}\n`
}

test.each([
  [{ target: 'y', ignore: ['label'], method: 'paper' }, false],
  [{ target: 'y', ignore: ['label'] }, true],
  [{ target: 'label', ignore: ['y'], method: 'ml' }, true],
] as readonly (readonly [FitTableOptions & { ignore?: string[] }, boolean])[])(
  'a fit by threads is the one without them: %j, with gaps: %s',
  async ({ ignore = [], ...options }, hasGaps) => {
    const path = folder.file(`rows-${hasGaps}.csv`, csvOf(hasGaps))
    const { target } = options
    const features = ['a', 'b', 'c', 'twice', 'y', 'label'].filter(
      (name) => name !== target && !ignore.includes(name),
    )
    const fitted = () =>
      withTable(path, {}, (table) =>
        withRowSource(table, { features, target }, (source) => fitSource(source, { ...options, features })),
      )
    const alone = await fitted()
    Object.assign(sizes, always)
    const together = await fitted()
    expect(together.rows).toEqual(alone.rows)
    expect(together.status).toEqual(alone.status)
    const close = (got: ArrayLike<number>, wanted: ArrayLike<number>): void => {
      expect(got.length).toBe(wanted.length)
      for (let k = 0; k < got.length; k++)
        expect(Math.abs(got[k]! - wanted[k]!)).toBeLessThan(1e-8 * (1 + Math.abs(wanted[k]!)))
    }
    close(numbersIn(together.params), numbersIn(alone.params))
    close(together.clean, alone.clean)
    close([together.corruption.level ?? -1], [alone.corruption.level ?? -1])
    close(together.part!.below ?? [], alone.part!.below ?? [])
    expect(together.part!.labels).toEqual(alone.part!.labels)
  },
)

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}
