import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTable } from '@rlvi/tables'
import { dataSetInfo, fetchData } from '@rlvi/vision'
import { writeMnist, writePicture } from '../../../vision/src/data/testing.js'
import { type Folder, normals, run } from './run.js'
import { csv, ndjson, rlviBin, streamRows } from './stream.js'

const repository = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

/** The files that the examples of the help texts name, small, and `rlvi` itself in the folder `bin`. */
export async function writeExampleData({ path, file, csv: writeCsv }: Folder): Promise<void> {
  const at = (name: string): string => join(path, name)
  for (const name of ['stars.csv', 'more-stars.csv', 'new.csv'])
    copyFileSync(repository('examples/data/stars.csv'), at(name))
  await run('fit', at('stars.csv'), '--target', 'log_light', '--save', at('model.json'))
  await writeColumns(at('new.parquet'), { log_temperature: [4.37, 4.56, 3.5] })

  const z = normals(3)
  const mail = Array.from({ length: 60 }, (_, id) => ({ id, links: z(), words: 100 + 9 * z(), spam: id % 2 }))
  for (const one of mail) one.links += 3 * one.spam
  writeCsv('mail.csv', [Object.keys(mail[0]!), ...mail.map((one) => Object.values(one))])
  await writeColumns(at('mail.parquet'), {
    id: mail.map(({ id }) => id),
    links: mail.map(({ links }) => links),
    words: mail.map(({ words }) => words),
    spam: mail.map(({ spam }) => spam),
  })

  const rows = streamRows(300, 4)
  file('rows.ndjson', ndjson(rows.map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))))
  file('clicks.ndjson', ndjson(rows.map(({ x1, x2, y }, id) => ({ id, x1: x1!, x2: x2!, bought: y! }))))
  file('sensors.csv', csv(rows.map(({ x1, x2, z }) => ({ x1: x1!, x2: x2!, load: z! }))))

  await writeFruit(at('photos'), ['apples', 'pears'])
  await writeFruit(at('new-photos'), ['.'])
  const small = ['--size', '28', '--grey', '--epochs', '1']
  await run('train', at('photos'), ...small, '--save', at('fruit.onnx'))

  for (const name of ['mnist', 'fashion-mnist']) await standIn(name, path)
  const human = Array.from({ length: 50_000 }, (_, i) =>
    Array(6)
      .fill(i % 10)
      .join(','),
  )
  file('CIFAR-10_human.csv', `clean,aggre,random1,random2,random3,worse\n${human.join('\n')}\n`)
  copyFileSync(repository('packages/paper/golden/online/activity-v7.mat'), at('humanactivity.mat'))

  mkdirSync(at('bin'))
  script(at('bin/rlvi'), `exec '${process.execPath}' '${rlviBin}' "$@"`)
  // A `tail -F` whose file is never added to, and that ends.
  script(at('bin/tail'), 'exec cat "$2"')
}

/** Where the stand-ins of `writeExampleData` lie: RLVI_CACHE. */
export function exampleCache(path: string): string {
  return join(path, 'cache')
}

async function writeColumns(path: string, columns: Record<string, readonly number[]>): Promise<void> {
  const named = Object.entries(columns)
  await writeTable(path, {
    rows: named[0]![1].length,
    columns: named.map(([name, values]) => ({ name, kind: 'number', at: (row) => values[row]! })),
  })
}

async function writeFruit(folder: string, classes: readonly string[]): Promise<void> {
  for (const [k, name] of classes.entries())
    for (let i = 0; i < 12; i++)
      await writePicture(join(folder, name, `${i}.png`), {
        width: 36,
        height: 30,
        colour: [60 + 150 * k, 80 + 5 * i, 40],
      })
}

/** A data set in MNIST's format with few samples, fetched into the cache as if it were the official one. */
async function standIn(name: string, path: string): Promise<void> {
  const info = dataSetInfo(name)
  const from = writeMnist(join(path, `${name}-files`), 60, 20)
  await fetchData(
    { ...info, samples: [60, 20], files: info.files.map((file) => ({ name: file.name })) },
    { from, cache: exampleCache(path) },
  )
}

function script(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
}
