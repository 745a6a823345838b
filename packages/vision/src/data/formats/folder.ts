import { basename, join, resolve } from 'node:path'
import { RlviError } from 'rlvi'
import { type ImageFiles, type ImageSet, makeLabels, sharedBytes } from '../image-set.js'
import { type Decoding, decode } from './decode.js'
import { listClasses } from './listing.js'

/** How a folder's images are read. */
export interface FolderOptions {
  /** The side of the square that every image becomes. Default 32. */
  readonly size?: number
  /** Default 3: colour. */
  readonly channels?: 1 | 3
  readonly fit?: 'crop' | 'stretch' | 'pad'
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
  options: Pick<FolderOptions, 'onProgress'> = {},
): Promise<ImageSet> {
  const { folder, paths, fit, ...rest } = set
  const size = set.channels * set.height * set.width
  if (paths.length * size > MOST_IN_MEMORY) {
    const rule = `at most ${MOST_IN_MEMORY} bytes of pixels are decoded into memory`
    throw new RlviError(folder, rule, paths.length * size, 'choose a smaller size, or read it batch by batch')
  }
  const pixels = sharedBytes(paths.length * size)
  const { width, height, channels } = set
  const decoding: Decoding = { width, height, channels, ...(fit === undefined ? {} : { fit }) }
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let i = next++; i < paths.length; i = next++) {
      pixels.set(await decode(join(folder, paths[i]!), decoding), i * size)
      options.onProgress?.(++done, paths.length)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return { ...rest, paths, pixels }
}

/** A folder of images in memory. */
export async function loadFolder(folder: string, options: FolderOptions = {}): Promise<ImageSet> {
  return decodeAll(await listFolder(folder, options), options)
}
