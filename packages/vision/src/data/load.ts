import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { phrase, RlviError } from 'rlvi'
import type { NoisyLabels } from '../noise/noise.js'
import { KNOWN_CLASSES } from '../noise/open-set.js'
import { cacheFolder, checkSizes, dataFolder } from './cache.js'
import { loadCifar10, loadCifar100 } from './formats/cifar.js'
import { countHumanLabels, defaultAnnotation, type HumanSet, readHumanLabels } from './formats/cifar-n.js'
import { decodeAll, type FolderOptions, listFolder, MOST_IN_MEMORY } from './formats/folder.js'
import { loadFood101 } from './formats/food101.js'
import { entries } from './formats/listing.js'
import { digits, garments, loadIdx } from './formats/mnist.js'
import { imageSize, isInMemory, type Samples, subset } from './image-set.js'
import {
  cifarPreparation,
  filesPreparation,
  food101Preparation,
  mnistPreparation,
  ownPreparation,
  type Preparation,
} from './loading/transform.js'
import { type DataSetInfo, dataSetInfo, dataSets } from './sets.js'

/** Images to train on and to test on, and how they are prepared. */
export interface DataSet {
  readonly name: string
  /** The classes that a network has to tell apart. In an open set, `train.classes` has more: those out of distribution. */
  readonly classes: readonly string[]
  readonly train: Samples
  readonly test?: Samples
  readonly preparation: Preparation
  /** The labels that people gave, where that is what the set is about. */
  readonly human?: NoisyLabels
  /** Whether the images of classes beyond `classes` are out of distribution; see `openSetNoise`. */
  readonly open: boolean
}

/** Where fetched data lie, and how images of one's own are read. */
export interface LoadOptions extends FolderOptions {
  /** Default: `cacheFolder()`. */
  readonly cache?: string
}

/**
 * A data set by its name (`mnist`, `cifar10n:worst`), from the cache; or a folder of images, a subfolder for each class.
 *
 * @example
 * const { train, classes } = await loadData('mnist') // fetched before, by `fetchData(dataSetInfo('mnist'))`
 * const photos = await loadData('photos', { size: 64 })
 */
export async function loadData(what: string, options: LoadOptions = {}): Promise<DataSet> {
  const [name = '', annotation] = what.split(':')
  const info = dataSets.find((set) => set.name === name)
  if (info === undefined) return loadOwn(what, options)
  const cache = options.cache ?? cacheFolder()
  if (name === 'cifar10n' || name === 'cifar100n') return loadHuman(name, annotation, cache)
  if (annotation !== undefined)
    throw new RlviError(name, 'only cifar10n and cifar100n have annotations', annotation)
  if (name === 'cifar80no') return loadOpen(cache)
  return loadKnown(name, await fetchedFolder(name, cache))
}

const layouts: Readonly<Record<string, (folder: string, part: 'train' | 'test') => Promise<Samples>>> = {
  mnist: (folder, part) => loadIdx(folder, part === 'test' ? 't10k' : part, 'mnist', digits),
  'fashion-mnist': (folder, part) =>
    loadIdx(folder, part === 'test' ? 't10k' : part, 'fashion-mnist', garments),
  cifar10: loadCifar10,
  cifar100: loadCifar100,
  food101: (folder, part) => loadFood101(folder, part),
}

const preparations: Readonly<Record<string, Preparation>> = {
  mnist: mnistPreparation,
  'fashion-mnist': mnistPreparation,
  cifar10: cifarPreparation,
  cifar100: cifarPreparation,
  food101: food101Preparation,
}

async function loadKnown(name: string, folder: string): Promise<DataSet> {
  const [train, test] = await parts(name, folder)
  return { name, classes: train.classes, train, test, preparation: preparations[name]!, open: false }
}

async function parts(name: string, folder: string): Promise<[train: Samples, test: Samples]> {
  const load = layouts[name]!
  return [await load(folder, 'train'), await load(folder, 'test')]
}

async function loadHuman(name: HumanSet, annotation: string | undefined, cache: string): Promise<DataSet> {
  const images = await loadKnown(name.slice(0, -1), await fetchedFolder(name.slice(0, -1), cache))
  const path = join(await fetchedFolder(name, cache), 'labels.csv')
  const human = await readHumanLabels(path, name, annotation ?? defaultAnnotation(name), images.train)
  return { ...images, name, human }
}

async function loadOpen(cache: string): Promise<DataSet> {
  const all = await loadKnown('cifar100', await fetchedFolder('cifar100', cache))
  const classes = all.classes.slice(0, KNOWN_CLASSES)
  const inside: number[] = []
  for (const [i, label] of all.test!.labels.entries()) if (label < KNOWN_CLASSES) inside.push(i)
  const test = { ...subset(all.test!, inside), name: 'cifar80no', classes }
  return { ...all, name: 'cifar80no', classes, test, open: true }
}

/** The folder of fetched data, whose files must have the sizes that they had. */
export async function fetchedFolder(name: string, cache: string = cacheFolder()): Promise<string> {
  const folder = dataFolder(name, cache)
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined)
    throw new RlviError(name, 'must be fetched first', phrase('no data'), `run: rlvi data fetch ${name}`)
  await checkSizes(folder)
  return folder
}

/** A folder in the layout of a known set, or of one's own images. */
async function loadOwn(folder: string, options: LoadOptions): Promise<DataSet> {
  if (!(await isThere(folder))) {
    const names = dataSets.map((set) => set.name).join(', ')
    throw new RlviError(
      folder,
      `a folder or one of ${names} is needed`,
      phrase('no such folder'),
      'check the path',
    )
  }
  if (await isThere(join(folder, 'meta', 'train.txt'))) return loadKnown('food101', folder)
  if (await isThere(join(folder, 'data_batch_1.bin'))) return loadKnown('cifar10', folder)
  if (await isThere(join(folder, 'train.bin'))) return loadKnown('cifar100', folder)
  // The files of both are called the same; only the folder can tell.
  for (const end of ['', '.gz'])
    if (await isThere(join(folder, `train-images-idx3-ubyte${end}`)))
      return loadKnown(/fashion/i.test(basename(resolve(folder))) ? 'fashion-mnist' : 'mnist', folder)

  const name = basename(resolve(folder))
  const testName = await testFolderOf(folder)
  const read = async (path: string): Promise<Samples> => {
    const set = await listFolder(path, options)
    const fits = set.paths.length * imageSize(set) <= MOST_IN_MEMORY
    return { ...(fits ? await decodeAll(set, options) : set), name }
  }
  const train = await read(testName === undefined ? folder : join(folder, 'train'))
  const preparation = isInMemory(train) ? ownPreparation(train) : filesPreparation
  const whole: DataSet = { name, classes: train.classes, train, preparation, open: false }
  if (testName === undefined) return whole
  const test = await read(join(folder, testName))
  const strange = test.classes.find((each, k) => each !== train.classes[k])
  if (strange !== undefined || test.classes.length !== train.classes.length)
    throw new RlviError(join(folder, testName), 'the classes of train are needed', strange ?? test.classes)
  return { ...whole, test }
}

/** The folder to test on, if this one has parts instead of classes: `train`, which has no images but classes, and another. */
async function testFolderOf(folder: string): Promise<string | undefined> {
  const { folders } = await entries(folder)
  if (!folders.includes('train') || (await entries(join(folder, 'train'))).folders.length === 0)
    return undefined
  const others = folders.filter((name) => name !== 'train')
  if (others.length === 1 && ['test', 'val', 'valid', 'validation'].includes(others[0]!)) return others[0]
  const todo = 'have one folder to test on: validation images are taken from train'
  throw new RlviError(folder, 'a folder train and one of test, val are needed', folders.join(', '), todo)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** What was fetched must load, and have the official number of samples. */
export async function checkParts(info: DataSetInfo, folder: string): Promise<void> {
  const { name, samples } = info
  let counts: readonly number[]
  if (name === 'cifar10n' || name === 'cifar100n') {
    counts = [await countHumanLabels(join(folder, 'labels.csv'), name), dataSetInfo(name).samples[1]]
  } else counts = (await parts(name, folder)).map((part) => part.labels.length)
  if (counts[0] !== samples[0] || counts[1] !== samples[1])
    throw new RlviError(
      name,
      `${samples.join(' and ')} samples are needed`,
      counts,
      'this is not the official set',
    )
}
