import { accessSync, type BigIntStats, constants, fstatSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { IoError } from './errors.js'
import { systemError } from './system-error.js'
import { destination } from './write/destination.js'

/**
 * Finds out before the work begins what would spoil its end: an output that would replace an input or another output, by
 * whatever path, link or hard link it is reached, or that cannot be written where it is wanted.
 *
 * @param inUse - what is read or written besides: paths, or descriptors of open files (0 is stdin, 1 is stdout)
 * @param outputs - the files to write, by the names that errors shall give them; undefined is none
 * @throws IoError - an output that is in use, with its name as `where`; a place that cannot be written to, with its path
 * @example
 * checkOutputs(['rows.csv', 0], { rows: 'out/rows.parquet', report: undefined })
 */
export function checkOutputs(
  inUse: readonly (string | number)[],
  outputs: Readonly<Record<string, string | undefined>>,
): void {
  const taken = new Set(inUse.flatMap(identities))
  for (const [name, path] of Object.entries(outputs)) {
    if (path === undefined) continue
    const own = identities(path)
    if (own.some((identity) => taken.has(identity))) {
      const got = JSON.stringify(path)
      throw new IoError(name, 'a file of its own is needed', got, 'it would be overwritten')
    }
    for (const identity of own) taken.add(identity)
    checkPlace(path)
  }
}

/** What tells a file from others: its path through all links, and its number on its disk. */
function identities(file: string | number): string[] {
  const found = statistics(file)
  const number = found?.isFile() ? [`${found.dev}:${found.ino}`] : []
  return typeof file === 'number' ? number : [realPath(file), ...number]
}

function statistics(file: string | number): BigIntStats | undefined {
  try {
    return typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true })
  } catch {
    return undefined
  }
}

function realPath(path: string): string {
  try {
    return destination(path)
  } catch {
    return resolve(path)
  }
}

function checkPlace(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory())
      throw new IoError(path, 'a file to write is needed', 'a folder', 'give a file name')
    // A device or a pipe is written to as it is; a file is replaced by one that is made beside it.
    if (found === undefined || found.isFile()) checkFolder(dirname(destination(path)))
  } catch (error) {
    if (error instanceof IoError) throw error
    throw new IoError(path, 'could not be written', systemError(error), 'check the folder')
  }
}

/** Later versions of Node tell a path that leads through a file like one that leads nowhere, so the folder itself is asked. */
function checkFolder(folder: string): void {
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' })
  accessSync(folder, constants.W_OK)
}
