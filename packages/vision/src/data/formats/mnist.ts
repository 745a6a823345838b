import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { RlviError } from 'rlvi'
import { type ImageSet, makeLabels, sharedBytes } from '../image-set.js'
import { readIdxImages, readIdxLabels } from './idx.js'

export const digits: readonly string[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']

export const garments: readonly string[] = [
  'T-shirt/top',
  'Trouser',
  'Pullover',
  'Dress',
  'Coat',
  'Sandal',
  'Shirt',
  'Sneaker',
  'Bag',
  'Ankle boot',
]

/** `train` or `t10k` of a folder in MNIST's layout: an IDX file of images and one of labels, gzipped or not. */
export async function loadIdx(
  folder: string,
  part: 'train' | 't10k',
  name: string,
  classes: readonly string[],
): Promise<ImageSet> {
  const imagesPath = await either(folder, `${part}-images-idx3-ubyte`)
  const labelsPath = await either(folder, `${part}-labels-idx1-ubyte`)
  const [images, values] = await Promise.all([readIdxImages(imagesPath), readIdxLabels(labelsPath)])
  const { count, width, height } = images
  if (values.length !== count) {
    const rule = `one label for each of ${count} images is needed`
    throw new RlviError(labelsPath, rule, values.length, 'images and labels are of different sets')
  }
  const labels = makeLabels(labelsPath, classes.length, values)
  const pixels = sharedBytes(images.pixels.length)
  pixels.set(images.pixels)
  return { name, classes, width, height, channels: 1, labels, pixels }
}

/** The plain file, or the gzipped one if only that is there. */
async function either(folder: string, name: string): Promise<string> {
  for (const file of [name, `${name}.gz`]) {
    const path = join(folder, file)
    if (await access(path).then(() => true, () => false)) return path // biome-ignore format: one line says it
  }
  throw new RlviError(folder, `a file ${name} or ${name}.gz is needed`, 'neither', 'check the folder')
}
