import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable } from '@rlvi/io'
import { RlviError } from 'rlvi'

/** Files by the endings of what can be decoded. */
const readable = /\.(jpe?g|png|webp|gif|tiff?|avif)$/i
/** Images, but not for us: leaving them out silently would leave samples out. */
const foreign = /\.(bmp|svg|heic|heif|psd|ico|jp2|jxl|raw|cr2|nef|dng|tga)$/i

/** Whether a file's name is that of an image that can be decoded. */
export function isReadable(file: string): boolean {
  return readable.test(file)
}

export interface ClassFiles {
  readonly name: string
  /** Paths of images, relative to the folder of the classes, with forward slashes, sorted. */
  readonly images: readonly string[]
  readonly skipped: readonly string[]
}

/** The images of a folder with a subfolder for each class. Hidden files and folders are left alone. */
export async function listClasses(folder: string): Promise<ClassFiles[]> {
  const names = (await entries(folder)).folders
  if (names.length === 0) {
    const todo = 'put the images of each class into a folder of its own'
    throw new RlviError(folder, 'a folder with a subfolder for each class is needed', 'no subfolder', todo)
  }
  const classes: ClassFiles[] = []
  for (const name of names) {
    const images: string[] = []
    const skipped: string[] = []
    await collect(folder, name, images, skipped)
    if (images.length === 0) {
      const got = skipped.length === 0 ? 'an empty folder' : `${skipped.length} other files`
      const todo = 'add images (jpg, png, webp, gif, tiff, avif) or remove the folder'
      throw new RlviError(join(folder, name), 'a class needs at least one image', got, todo)
    }
    classes.push({ name, images, skipped })
  }
  return classes
}

async function collect(root: string, inside: string, images: string[], skipped: string[]): Promise<void> {
  const { files, folders } = await entries(join(root, inside))
  for (const file of files) {
    const path = `${inside}/${file}`
    if (foreign.test(file)) {
      const todo = 'convert it to png or jpg, or take it out of the folder'
      throw new RlviError(join(root, path), 'a jpg, png, webp, gif, tiff or avif image is needed', file, todo)
    }
    if (readable.test(file)) images.push(path)
    else skipped.push(path)
  }
  for (const name of folders) await collect(root, `${inside}/${name}`, images, skipped)
}

/** The files and folders in a folder, sorted by code units, so that the order is the same on every machine. */
export async function entries(folder: string): Promise<{ files: string[]; folders: string[] }> {
  try {
    const found = await readdir(folder, { withFileTypes: true })
    const names = (keep: (entry: (typeof found)[number]) => boolean): string[] =>
      found
        .filter((entry) => keep(entry) && !entry.name.startsWith('.'))
        .map((entry) => entry.name)
        .sort((a, b) => (a < b ? -1 : 1))
    // A link may be to an image; a link to a folder could lead in a circle, and one to a pipe would be waited for.
    const links = found.filter((entry) => entry.isSymbolicLink())
    const toFiles = new Set<string>()
    for (const { name } of links) {
      const there = await stat(join(folder, name)).catch(() => undefined)
      // One that leads nowhere is reported by whoever reads it.
      if (there === undefined || there.isFile()) toFiles.add(name)
    }
    return {
      files: names((entry) => entry.isFile() || toFiles.has(entry.name)),
      folders: names((entry) => entry.isDirectory()),
    }
  } catch (error) {
    throw unreadable(folder, error)
  }
}
