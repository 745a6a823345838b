import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { generator, mutate } from '../fuzz/mutate.mjs'
import { targets as all, ours } from '../fuzz/targets.mjs'

interface Target {
  seeds(): Buffer[] | Promise<Buffer[]>
  run(bytes: Buffer): Promise<unknown>
}
const targets: Record<string, Target> = all
const kept = fileURLToPath(new URL('../fuzz/regressions', import.meta.url))
const folders = readdirSync(kept, { withFileTypes: true }).filter((entry) => entry.isDirectory())

const ends = async ({ run }: Target, bytes: Buffer): Promise<void> => {
  await run(bytes).then(() => undefined, ours)
}

test.each(folders.map(({ name }) => name))('what once failed in %s ends in words now', async (name) => {
  for (const file of readdirSync(join(kept, name)))
    await expect(ends(targets[name]!, readFileSync(join(kept, name, file))), file).resolves.toBeUndefined()
})

/** Cases that take long, by DuckDB or ONNX Runtime. */
const slow = [
  'csv',
  'json',
  'gz',
  'xlsx',
  'parquet',
  'arrow',
  'duckdb',
  'model',
  'network',
  'look',
  'blocks',
  'report',
]

test.each(Object.keys(targets))('%s: a few cases of the fuzzer', async (name) => {
  const target = targets[name]!
  const seeds = await target.seeds()
  for (let number = 0; number < (slow.includes(name) ? 5 : 60); number++)
    await expect(
      ends(target, mutate(seeds, generator(7, name, number))),
      `case ${number}`,
    ).resolves.toBeUndefined()
})
