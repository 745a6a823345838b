import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** As many links in a row as Linux follows. */
const LINKS = 40

/** The file that a path leads to through all links, also where that file is not there yet. */
export function destination(path: string): string {
  let at = path
  for (let k = 0; k < LINKS; k++) {
    const real = realPath(at)
    if (real !== undefined) return real
    // A link to nothing says where the file is to be.
    const folder = realPath(dirname(at)) ?? resolve(dirname(at))
    const link = linkAt(at)
    if (link === undefined) return join(folder, basename(at))
    at = resolve(folder, link)
  }
  return resolve(path)
}

/** Undefined where there is nothing. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
