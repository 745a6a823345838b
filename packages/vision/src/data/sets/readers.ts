import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { DataSet } from '../data-set.js'
import { loadCifar10, loadCifar100 } from '../formats/cifar.js'
import { loadFood101 } from '../formats/food101.js'
import { digits, garments, loadIdx } from '../formats/mnist.js'
import type { Samples } from '../image-set.js'
import {
  cifarPreparation,
  food101Preparation,
  mnistPreparation,
  type Preparation,
} from '../loading/transform.js'

/** How the images of a known data set are read and prepared, and the files by any of which its folder is known. */
interface Reader {
  readonly read: (folder: string, part: 'train' | 'test') => Promise<Samples>
  readonly preparation: Preparation
  readonly files: readonly string[]
}

const idx = (name: string, classes: readonly string[]): Reader => ({
  read: (folder, part) => loadIdx(folder, part === 'test' ? 't10k' : part, name, classes),
  preparation: mnistPreparation,
  files: ['train-images-idx3-ubyte', 'train-images-idx3-ubyte.gz'],
})

const readers: Readonly<Record<string, Reader>> = {
  food101: {
    read: (folder, part) => loadFood101(folder, part),
    preparation: food101Preparation,
    files: [join('meta', 'train.txt')],
  },
  cifar10: { read: loadCifar10, preparation: cifarPreparation, files: ['data_batch_1.bin'] },
  cifar100: { read: loadCifar100, preparation: cifarPreparation, files: ['train.bin'] },
  mnist: idx('mnist', digits),
  'fashion-mnist': idx('fashion-mnist', garments),
}

/** A known data set from a folder in its layout. */
export async function loadKnown(name: string, folder: string): Promise<DataSet> {
  const [train, test] = await readParts(name, folder)
  const { preparation } = readers[name]!
  return { name, classes: train.classes, train, test, preparation, open: false }
}

/** Its images to train on and to test on. */
export async function readParts(name: string, folder: string): Promise<[train: Samples, test: Samples]> {
  const { read } = readers[name]!
  return [await read(folder, 'train'), await read(folder, 'test')]
}

/** The known data set whose files lie in a folder, if any. */
export async function knownLayout(folder: string): Promise<string | undefined> {
  for (const [name, { files }] of Object.entries(readers)) {
    for (const file of files) {
      const found = await stat(join(folder, file)).catch(() => undefined)
      if (found === undefined) continue
      // The files of both are called the same; only the name of the folder can decide.
      return name === 'mnist' && /fashion/i.test(basename(resolve(folder))) ? 'fashion-mnist' : name
    }
  }
  return undefined
}
