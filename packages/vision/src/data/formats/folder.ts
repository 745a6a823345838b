import { basename, join, resolve } from 'node:path'
import { MissingPart } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import {
  type ImageFiles,
  type ImageSet,
  imageSize,
  makeLabels,
  type Samples,
  sharedBytes,
  subset,
} from '../image-set.js'
import { range } from '../split.js'
import { type Decoding, decode } from './decode.js'
import { listClasses } from './listing.js'

/** How a folder's images are read. */
export interface FolderOptions {
  /** The side of the square that every image becomes. Default 32. */
  readonly size?: number
  /** Default 3: colour. */
  readonly channels?: 1 | 3
  readonly fit?: 'crop' | 'stretch' | 'pad'
  /** What an image that cannot be read does: ends the reading (default), or is left out and listed. */
  readonly unreadable?: 'refuse' | 'list'
  readonly onProgress?: (done: number, total: number) => void
}

/** More than this is not decoded into memory but read batch by batch. */
export const MOST_IN_MEMORY: number = 2 ** 31

/** A folder of images, a subfolder for each class, not decoded yet. */
export async function listFolder(folder: string, options: FolderOptions = {}): Promise<ImageFiles> {
  const size = options.size ?? 32
  if (!(Number.isInteger(size) && size >= 1 && size <= 4096))
    throw new RlviError('size', 'a whole number from 1 to 4096 is needed', size)
  const classes = await listClasses(folder)
  const labels = classes.flatMap(({ images }, k) => images.map(() => k))
  return {
    name: basename(resolve(folder)),
    folder,
    root: folder,
    classes: classes.map(({ name }) => name),
    width: size,
    height: size,
    channels: options.channels ?? 3,
    labels: makeLabels(folder, classes.length, labels),
    paths: classes.flatMap(({ images }) => images),
    skipped: classes.flatMap(({ skipped }) => skipped),
    ...(options.fit === undefined ? {} : { fit: options.fit }),
  }
}

/** Decodes all images of a set into memory. The decoder works in threads of its own. */
export async function decodeAll(
  set: ImageFiles,
  options: Pick<FolderOptions, 'onProgress' | 'unreadable'> = {},
): Promise<ImageSet> {
  const { folder, paths, fit: _, ...rest } = set
  const size = imageSize(set)
  if (paths.length * size > MOST_IN_MEMORY) {
    const rule = `at most ${MOST_IN_MEMORY} bytes of pixels are decoded into memory`
    throw new RlviError(folder, rule, paths.length * size, 'choose a smaller size, or read it batch by batch')
  }
  const pixels = sharedBytes(paths.length * size)
  const bad = await decodeEach(set, options, (bytes, i) => pixels.set(bytes, i * size))
  return readable({ ...rest, paths, pixels }, bad)
}

/** Reads all images of a set that stays on disk once, so that one that cannot be read is known before the work begins. */
export async function checkAll(
  set: ImageFiles,
  options: Pick<FolderOptions, 'onProgress' | 'unreadable'> = {},
): Promise<ImageFiles> {
  return readable(set, await decodeEach(set, options, () => undefined))
}

/** Hands each decoded image to `take`; the numbers of those that cannot be decoded, with the reason, unless that is the end. */
async function decodeEach(
  { folder, paths, width, height, channels, fit }: ImageFiles,
  { onProgress, unreadable = 'refuse' }: Pick<FolderOptions, 'onProgress' | 'unreadable'>,
  take: (bytes: Uint8Array, i: number) => void,
): Promise<ReadonlyMap<number, string>> {
  const decoding: Decoding = { width, height, channels, ...(fit === undefined ? {} : { fit }) }
  const bad = new Map<number, string>()
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let i = next++; i < paths.length; i = next++) {
      try {
        take(await decode(join(folder, paths[i]!), decoding), i)
      } catch (error) {
        if (unreadable === 'refuse' || error instanceof MissingPart || !(error instanceof RlviError))
          throw error
        bad.set(i, String(error.got))
      }
      onProgress?.(++done, paths.length)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return bad
}

/** The set without the images that could not be read, which it lists. */
function readable<S extends Samples>(set: S, bad: ReadonlyMap<number, string>): S {
  if (bad.size === 0) return set
  const unreadable = [...bad]
    .sort(([a], [b]) => a - b)
    .map(([i, reason]) => ({ path: set.paths![i]!, label: set.classes[set.labels[i]!]!, reason }))
  const good = range(set.labels.length).filter((i) => !bad.has(i))
  return { ...subset(set, good), unreadable }
}

/** A folder of images in memory. */
export async function loadFolder(folder: string, options: FolderOptions = {}): Promise<ImageSet> {
  return decodeAll(await listFolder(folder, options), options)
}
