import {
  cacheFolder,
  dataFolder,
  dataSetInfo,
  dataSets,
  fetchData,
  fetchedFolder,
  type Manifest,
  readManifest,
} from '@rlvi/vision'
import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { toJson } from './json.js'
import type { DataOptions } from './options.js'
import { addressOf, size, toText } from './text.js'

/** `rlvi data`: what there is, where it comes from, where it lies. */
export async function dataCommand(options: DataOptions, io: Io): Promise<void> {
  switch (options.action) {
    case 'list':
      return list(options.json, io)
    case 'fetch':
      return fetch(options.name, options, io)
    case 'path':
      return path(options.name, options.json, io)
  }
}

async function list(json: boolean, io: Io): Promise<void> {
  const cache = cacheFolder()
  const rows = dataSets.map((info) => {
    const home = info.source.kind === 'made' ? info.source.of : info.name
    const folder = dataFolder(home, cache)
    const manifest = soundManifest(() => readManifest(folder))
    return { info, ...(manifest === undefined ? {} : { folder, manifest }) }
  })
  await io.out(json ? printableJson(toJson(rows)) : toText(rows, cache))
}

/** Data whose list of files is damaged count as not fetched, so that the others can be listed. */
function soundManifest(read: () => Manifest | undefined): Manifest | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

async function fetch(name: string, { from, json }: DataOptions, io: Io): Promise<void> {
  const info = dataSetInfo(name)
  const began = performance.now()
  const bar = progressBar(info.name)
  const onProgress = (done: number, total: number): void => bar.update(done / total)
  const there = soundManifest(() => readManifest(dataFolder(info.name)))
  const address = addressOf(info)
  if (from === undefined && there === undefined && address !== undefined)
    io.remark(`${info.name}: ${size(info.bytes)} from ${address}; licence: ${info.licence}`)
  try {
    const { folder, source, verified, already } = await fetchData(info, {
      onProgress,
      ...(from === undefined ? {} : { from }),
    })
    bar.hide()
    const seconds = Number(((performance.now() - began) / 1000).toFixed(2))
    if (already) io.remark(`${info.name}: was there already, and is whole`)
    else if (verified === 'structure')
      io.remark(
        `${name}: not verified, because the official files' sums are not known; the files are well formed`,
      )
    const result = { name: info.name, folder, source, verified, already, seconds }
    await io.out(json ? printableJson(result) : `${printable(folder)}\n`)
  } finally {
    bar.hide()
  }
}

async function path(name: string, json: boolean, io: Io): Promise<void> {
  const info = dataSetInfo(name)
  const folder = await fetchedFolder(info.source.kind === 'made' ? info.source.of : info.name)
  const manifest = readManifest(folder)
  const result = { name, folder, source: manifest?.source ?? null, verified: manifest?.verified ?? null }
  await io.out(json ? printableJson(result) : `${printable(folder)}\n`)
}
