import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { phrase, RlviError } from 'rlvi'
import { cacheFolder, dataFolder, MANIFEST, type Manifest, readManifest } from '../cache.js'
import { checkParts } from '../load.js'
import type { DataSetInfo } from '../sets/info.js'
import { compareSums, type Progress, sha256Of } from './download.js'
import { gather, gatherFrom } from './gather.js'
import { stage } from './staging.js'

/** Where a data set is fetched from, and to. */
export interface FetchOptions extends Progress {
  /** A folder, an archive or a file that has the data, instead of their official place. */
  readonly from?: string
  readonly cache?: string
}

/** A data set that was fetched. */
export interface Fetched {
  readonly folder: string
  readonly source: string
  readonly verified: Manifest['verified']
  /** They were there, and still are what they should be. */
  readonly already: boolean
}

/** Gets a data set into the cache, whole and verified or not at all. */
export async function fetchData(info: DataSetInfo, options: FetchOptions = {}): Promise<Fetched> {
  const folder = dataFolder(info.name, options.cache ?? cacheFolder())
  const before = options.from === undefined ? await stillGood(info, folder) : undefined
  if (before !== undefined) return { folder, source: before.source, verified: before.verified, already: true }
  let made: Manifest | undefined
  await stage(folder, async (place) => {
    const { from } = options
    let isOfficial = info.source.kind === 'archive'
    let source: string
    if (from === undefined) source = await gather(info, place, options)
    else {
      isOfficial = (await gatherFrom(info, from, place)).isOfficial
      source = from
    }
    const files = await sums(info, place.out)
    await checkParts(info, place.out)
    const known = info.files.length > 0 && info.files.every((file) => file.sha256 !== undefined)
    made = { name: info.name, source, verified: known || isOfficial ? 'sha256' : 'structure', files }
    await writeFile(join(place.out, MANIFEST), `${JSON.stringify(made, undefined, 2)}\n`)
  })
  return { folder, source: made!.source, verified: made!.verified, already: false }
}

/** What was fetched before, if every file still has the sum that it had. */
async function stillGood(info: DataSetInfo, folder: string): Promise<Manifest | undefined> {
  try {
    const manifest = readManifest(folder)
    if (manifest === undefined) return undefined
    await sums(info, folder)
    for (const { name, sha256 } of manifest.files)
      compareSums(name, (await sha256Of(join(folder, name))).sha256, sha256)
    if (info.files.length === 0) await checkParts(info, folder)
    return manifest
  } catch (error) {
    if (error instanceof RlviError) return undefined
    throw error
  }
}

/** The files that the set names, with their sums, which must be the known ones. */
async function sums(info: DataSetInfo, folder: string): Promise<Manifest['files']> {
  const present = new Set(await readdir(folder))
  const files: Array<Manifest['files'][number]> = []
  for (const { name, bytes, sha256, optional } of info.files) {
    if (!present.has(name)) {
      if (optional === true) continue
      throw new RlviError(
        info.name,
        `a file ${name} is needed`,
        phrase('none'),
        'these are not the official files',
      )
    }
    const path = join(folder, name)
    const { size } = await stat(path)
    if (bytes !== undefined && size !== bytes) {
      const todo = 'it is not the official file, or was cut off: nothing was kept'
      throw new RlviError(name, `${bytes} bytes are needed`, size, todo)
    }
    const sum = (await sha256Of(path)).sha256
    if (sha256 !== undefined) compareSums(name, sum, sha256)
    files.push({ name, bytes: size, sha256: sum })
  }
  return files
}
