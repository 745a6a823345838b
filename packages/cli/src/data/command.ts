import type { DataSetInfo, Manifest } from '@rlvi/vision'
import type { Io } from '../terminal/io.js'
import { nearest } from '../terminal/names.js'
import { printable, printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { oneOf, UsageError } from '../terminal/usage.js'
import { addressOf, listJson, listText, size } from './text.js'

export interface DataFlags {
  readonly from?: string
  readonly json?: boolean
}

const actions = ['list', 'fetch', 'path'] as const

/** `rlvi data`: what there is, where it comes from, where it lies. */
export async function dataCommand(
  asked: string,
  name: string | undefined,
  flags: DataFlags,
  io: Io,
): Promise<void> {
  const action = oneOf('ACTION', asked, actions)
  if (flags.from !== undefined && action !== 'fetch')
    throw new UsageError('--from', 'only fetch takes a path', action)
  if (action === 'list') {
    if (name !== undefined) throw new UsageError('rlvi data list', 'no name is needed', name)
    return list(flags, io)
  }
  if (name === undefined)
    throw new UsageError(
      `rlvi data ${action}`,
      'the name of a data set is needed',
      'none',
      'see rlvi data list',
    )
  return action === 'fetch' ? fetch(name, flags, io) : path(name, flags, io)
}

async function list(flags: DataFlags, io: Io): Promise<void> {
  const { cacheFolder, dataFolder, dataSets, readManifest } = await import('@rlvi/vision')
  const cache = cacheFolder()
  const rows = dataSets.map((info) => {
    const home = info.source.kind === 'made' ? info.source.of : info.name
    const folder = dataFolder(home, cache)
    const manifest = soundManifest(() => readManifest(folder))
    return { info, ...(manifest === undefined ? {} : { folder, manifest }) }
  })
  await io.out(flags.json === true ? printableJson(listJson(rows)) : listText(rows, cache))
}

/** Data whose list of files is damaged count as not fetched, so that the others can be listed. */
function soundManifest(read: () => Manifest | undefined): Manifest | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

async function fetch(name: string, flags: DataFlags, io: Io): Promise<void> {
  const vision = await import('@rlvi/vision')
  const info = await known(name)
  const began = performance.now()
  const bar = progressBar(info.name)
  const onProgress = (done: number, total: number): void => bar.update(done / total)
  const there = soundManifest(() => vision.readManifest(vision.dataFolder(info.name)))
  const address = addressOf(info)
  if (flags.from === undefined && there === undefined && address !== undefined)
    io.remark(`${info.name}: ${size(info.bytes)} from ${address}; licence: ${info.licence}`)
  const { from } = flags
  try {
    const { folder, source, verified, already } = await vision.fetchData(info, {
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
    await io.out(flags.json === true ? printableJson(result) : `${printable(folder)}\n`)
  } finally {
    bar.hide()
  }
}

async function path(name: string, flags: DataFlags, io: Io): Promise<void> {
  const { fetchedFolder, readManifest } = await import('@rlvi/vision')
  const info = await known(name)
  const folder = await fetchedFolder(info.source.kind === 'made' ? info.source.of : info.name)
  const manifest = readManifest(folder)
  const result = { name, folder, source: manifest?.source ?? null, verified: manifest?.verified ?? null }
  await io.out(flags.json === true ? printableJson(result) : `${printable(folder)}\n`)
}

async function known(name: string): Promise<DataSetInfo> {
  const { dataSets } = await import('@rlvi/vision')
  const found = dataSets.find((set) => set.name === name)
  if (found !== undefined) return found
  const names = dataSets.map((set) => set.name)
  const near = nearest(name, names)
  const todo = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`
  throw new UsageError('NAME', 'the name of a data set is needed', name, todo)
}
