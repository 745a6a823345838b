import { join } from 'node:path'
import { RlviError } from 'rlvi'
import { type ImageFiles, makeLabels } from '../image-set.js'
import { readBytes } from './bytes.js'
import { entries } from './listing.js'

/** Food-101's images are at most 512 pixels wide; networks for them take 224. */
const SIDE = 224

/**
 * Food-101's layout: `images/CLASS/ID.jpg`, with the classes in `meta/classes.txt` and a line `CLASS/ID` for each image
 * in `meta/train.txt` and `meta/test.txt`. The images are read when they are needed.
 */
export async function loadFood101(
  folder: string,
  part: 'train' | 'test',
  side: number = SIDE,
): Promise<ImageFiles> {
  const classes = await lines(join(folder, 'meta', 'classes.txt'))
  const index = new Map(classes.map((name, k) => [name, k]))
  if (index.size !== classes.length)
    throw new RlviError(join(folder, 'meta', 'classes.txt'), 'every class must be named once', classes.length)
  const path = join(folder, 'meta', `${part}.txt`)
  const listed = await lines(path)
  const present = await imagesOf(folder, classes)
  const labels: number[] = []
  for (const [i, line] of listed.entries()) {
    const found = /^([^/\\]+)\/([\w-]+)$/.exec(line)
    const label = found === null ? undefined : index.get(found[1]!)
    if (label === undefined)
      throw new RlviError(`${path}, line ${i + 1}`, 'CLASS/ID with a class of classes.txt is needed', line)
    if (!present.has(line)) {
      const image = join(folder, 'images', `${line}.jpg`)
      throw new RlviError(
        image,
        'an image that the list names must be there',
        'no such file',
        'unpack it again',
      )
    }
    labels.push(label)
  }
  if (new Set(listed).size !== listed.length)
    throw new RlviError(
      path,
      'every image must be listed once',
      `${listed.length - new Set(listed).size} again`,
    )
  return {
    name: 'food101',
    folder: join(folder, 'images'),
    classes,
    width: side,
    height: side,
    channels: 3,
    labels: makeLabels(path, classes.length, labels),
    paths: listed.map((line) => `${line}.jpg`),
  }
}

/** Looks into each class's folder once, instead of asking for every image. */
async function imagesOf(folder: string, classes: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  for (const name of classes) {
    if (/[/\\]|^\.{1,2}$/.test(name))
      throw new RlviError(join(folder, 'meta', 'classes.txt'), 'a class must be the name of a folder', name)
    const { files } = await entries(join(folder, 'images', name))
    for (const file of files) if (file.endsWith('.jpg')) present.add(`${name}/${file.slice(0, -4)}`)
  }
  return present
}

async function lines(path: string): Promise<string[]> {
  const found = new TextDecoder().decode(await readBytes(path)).split(/\r?\n/)
  const kept = found.map((line) => line.trim()).filter((line) => line !== '')
  if (kept.length === 0) throw new RlviError(path, 'at least one line is needed', 'none', 'get it again')
  return kept
}
