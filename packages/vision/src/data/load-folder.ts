import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { phrase, RlviError } from 'rlvi'
import type { DataSet } from './data-set.js'
import { checkAll, decodeAll, type FolderOptions, listFolder, MOST_IN_MEMORY } from './formats/folder.js'
import { entries } from './formats/listing.js'
import { imageSize, isInMemory, type Samples } from './image-set.js'
import { filesPreparation, ownPreparation } from './loading/transform.js'
import { dataSets } from './sets/catalogue.js'
import { knownLayout, loadKnown } from './sets/readers.js'

/** A folder in the layout of a known set, or of one's own images. */
export async function loadFromFolder(folder: string, options: FolderOptions): Promise<DataSet> {
  if ((await stat(folder).catch(() => undefined)) === undefined) {
    const names = dataSets.map((set) => set.name).join(', ')
    const rule = `a folder or one of ${names} is needed`
    throw new RlviError(folder, rule, phrase('no such folder'), 'check the path')
  }
  const known = await knownLayout(folder)
  if (known !== undefined) return loadKnown(known, folder)

  const name = basename(resolve(folder))
  const testName = await testFolderOf(folder)
  const read = async (path: string): Promise<Samples> => {
    const set = await listFolder(path, options)
    const fits = set.paths.length * imageSize(set) <= MOST_IN_MEMORY
    if (fits) return { ...(await decodeAll(set, options)), name }
    return { ...(options.unreadable === 'list' ? await checkAll(set, options) : set), name }
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
export async function testFolderOf(folder: string): Promise<string | undefined> {
  const { folders } = await entries(folder)
  if (!folders.includes('train') || (await entries(join(folder, 'train'))).folders.length === 0)
    return undefined
  const others = folders.filter((name) => name !== 'train')
  if (others.length === 1 && ['test', 'val', 'valid', 'validation'].includes(others[0]!)) return others[0]
  const todo = 'have one folder to test on: validation images are taken from train'
  throw new RlviError(folder, 'a folder train and one of test, val are needed', folders.join(', '), todo)
}
