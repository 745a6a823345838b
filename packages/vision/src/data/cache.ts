import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { phrase, RlviError } from 'rlvi'

/** Where fetched data lie: RLVI_CACHE, or `rlvi` in the place that the system has for what can be had again. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string {
  const { RLVI_CACHE: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env
  if (own !== undefined && own !== '') return resolve(own)
  // The specification says to ignore a path that is not absolute.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'rlvi')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'rlvi')
  if (platform === 'win32') return join(local || join(homedir(), 'AppData', 'Local'), 'rlvi', 'cache')
  return join(homedir(), '.cache', 'rlvi')
}

/** The folder of a data set in the cache, whether it is there or not. */
export function dataFolder(name: string, cache: string = cacheFolder()): string {
  return join(cache, 'data', name)
}

export const MANIFEST = 'rlvi.json'

/** What is known of fetched data, written beside them. */
export interface Manifest {
  readonly name: string
  readonly source: string
  /** `sha256`: all files have the sums of the official ones. `structure`: they are well formed, no more is known. */
  readonly verified: 'sha256' | 'structure'
  readonly files: ReadonlyArray<{ readonly name: string; readonly bytes: number; readonly sha256: string }>
}

/** The manifest of a folder, if data were fetched into it. */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  try {
    const found = JSON.parse(text) as Manifest
    if (Array.isArray(found.files)) return found
  } catch {}
  throw new RlviError(
    path,
    'the list of the fetched files is needed',
    phrase('something else'),
    'fetch it again',
  )
}

/** Data that lost some of their bytes since they were fetched must not be trained on. */
export async function checkSizes(folder: string): Promise<void> {
  for (const { name, bytes } of readManifest(folder)?.files ?? []) {
    const path = join(folder, name)
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    )
    if (size !== bytes) {
      const got = phrase(size === undefined ? 'no such file' : `${size} bytes`)
      throw new RlviError(path, `a fetched file of ${bytes} bytes is needed`, got, 'fetch it again')
    }
  }
}
