import { join } from 'node:path'
import { phrase, RlviError } from 'rlvi'
import { type ImageSet, makeLabels, sharedBytes } from '../image-set.js'
import { readBytes } from './bytes.js'

export const cifar10Classes: readonly string[] = [
  'airplane',
  'automobile',
  'bird',
  'cat',
  'deer',
  'dog',
  'frog',
  'horse',
  'ship',
  'truck',
]

const PIXELS = 3 * 32 * 32

/** CIFAR-10's official binary files: records of a label and 3 x 32 x 32 bytes. */
export async function loadCifar10(folder: string, part: 'train' | 'test'): Promise<ImageSet> {
  const names =
    part === 'test' ? ['test_batch.bin'] : [1, 2, 3, 4, 5].map((batch) => `data_batch_${batch}.bin`)
  const paths = names.map((name) => join(folder, name))
  return records('cifar10', paths, 1, cifar10Classes)
}

/** CIFAR-100's: a coarse label, which is left alone, comes before the fine one. */
export async function loadCifar100(folder: string, part: 'train' | 'test'): Promise<ImageSet> {
  return records('cifar100', [join(folder, `${part}.bin`)], 2, await fineNames(folder))
}

async function records(
  name: string,
  paths: readonly string[],
  labelBytes: number,
  classes: readonly string[],
): Promise<ImageSet> {
  const record = labelBytes + PIXELS
  const files = await Promise.all(paths.map(readBytes))
  let first: number | undefined
  for (const [k, { length }] of files.entries()) {
    const got = phrase(`${length} bytes`)
    if (length === 0 || length % record !== 0)
      throw new RlviError(
        paths[k]!,
        `records of ${record} bytes are needed`,
        got,
        'get it again: it is damaged',
      )
    // The official batches are of one size; another size is a file that was cut between two records.
    first ??= length
    if (length !== first)
      throw new RlviError(paths[k]!, `a batch as long as the first, ${first} bytes, is needed`, got)
  }
  const count = files.reduce((sum, { length }) => sum + length / record, 0)
  const pixels = sharedBytes(count * PIXELS)
  const labels = makeLabels(name, classes.length, new Uint8Array(count))
  let i = 0
  for (const [k, bytes] of files.entries()) {
    const values = Uint8Array.from(
      { length: bytes.length / record },
      (_, r) => bytes[r * record + labelBytes - 1]!,
    )
    labels.set(makeLabels(paths[k]!, classes.length, values), i)
    for (let at = labelBytes; at < bytes.length; at += record)
      pixels.set(bytes.subarray(at, at + PIXELS), PIXELS * i++)
  }
  return { name, classes, width: 32, height: 32, channels: 3, labels, pixels }
}

/** The names of the hundred classes, from the file that comes with the data; numbers, where it was left out. */
async function fineNames(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'fine_label_names.txt')
  const text = await readBytes(path).then(
    (bytes) => new TextDecoder().decode(bytes),
    (error) => {
      if (error instanceof RlviError && String(error.got) === 'no such file or folder') return undefined
      throw error
    },
  )
  if (text === undefined) return Array.from({ length: 100 }, (_, k) => String(k))
  const names = text.split(/\r?\n/).filter((line) => line !== '')
  if (names.length !== 100 || new Set(names).size !== 100)
    throw new RlviError(path, '100 different names, one a line, are needed', names.length, 'get it again')
  return names
}
