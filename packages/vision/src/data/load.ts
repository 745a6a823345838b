import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { phrase, RlviError } from 'rlvi'
import { KNOWN_CLASSES } from '../noise/open-set.js'
import { cacheFolder, checkSizes, dataFolder } from './cache.js'
import type { DataSet } from './data-set.js'
import { repair } from './fetch/staging.js'
import { countHumanLabels, defaultAnnotation, type HumanSet, readHumanLabels } from './formats/cifar-n.js'
import type { FolderOptions } from './formats/folder.js'
import { subset } from './image-set.js'
import { loadFromFolder } from './load-folder.js'
import { dataSetInfo, dataSets } from './sets/catalogue.js'
import type { DataSetInfo } from './sets/info.js'
import { loadKnown, readParts } from './sets/readers.js'

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
  if (info === undefined) return loadFromFolder(what, options)
  const cache = options.cache ?? cacheFolder()
  if (name === 'cifar10n' || name === 'cifar100n') return loadHuman(name, annotation, cache)
  if (annotation !== undefined)
    throw new RlviError(name, 'only cifar10n and cifar100n have annotations', annotation)
  if (name === 'cifar80no') return loadOpen(cache)
  return loadKnown(name, await fetchedFolder(name, cache))
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
  if (!existsSync(folder) && existsSync(dirname(folder))) await repair(dirname(folder))
  if (!existsSync(folder))
    throw new RlviError(name, 'must be fetched first', phrase('no data'), `run: rlvi data fetch ${name}`)
  await checkSizes(folder)
  return folder
}

/** What was fetched must load, and have the official number of samples. */
export async function checkParts(info: DataSetInfo, folder: string): Promise<void> {
  const { name, samples } = info
  let counts: readonly number[]
  if (name === 'cifar10n' || name === 'cifar100n') {
    counts = [await countHumanLabels(join(folder, 'labels.csv'), name), dataSetInfo(name).samples[1]]
  } else counts = (await readParts(name, folder)).map((part) => part.labels.length)
  if (counts[0] !== samples[0] || counts[1] !== samples[1])
    throw new RlviError(
      name,
      `${samples.join(' and ')} samples are needed`,
      counts,
      'this is not the official set',
    )
}
