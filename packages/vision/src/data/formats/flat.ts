import { basename, resolve } from 'node:path'
import { RlviError } from 'rlvi'
import type { ImageFiles } from '../image-set.js'
import type { FolderOptions } from './folder.js'
import { entries, isReadable } from './listing.js'

/** The images that lie in a folder itself, without labels: all are of one class that has no name. */
export async function listFlat(folder: string, options: FolderOptions = {}): Promise<ImageFiles> {
  const { files } = await entries(folder)
  const paths = files.filter(isReadable)
  if (paths.length === 0) {
    const todo = 'give a folder with images, or with a subfolder of images for each class'
    throw new RlviError(folder, 'at least one image is needed', `${files.length} other files`, todo)
  }
  const size = options.size ?? 32
  return {
    name: basename(resolve(folder)),
    folder,
    classes: [''],
    width: size,
    height: size,
    channels: options.channels ?? 3,
    labels: new Uint8Array(paths.length),
    paths,
    skipped: files.filter((file) => !isReadable(file)),
    ...(options.fit === undefined ? {} : { fit: options.fit }),
  }
}

/** Whether images lie in the folder itself, and no folders beside them. */
export async function isFlat(folder: string): Promise<boolean> {
  try {
    const { files, folders } = await entries(folder)
    return folders.length === 0 && files.some(isReadable)
  } catch {
    return false
  }
}
