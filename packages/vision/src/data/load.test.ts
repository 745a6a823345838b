import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fetchData } from './fetch/fetch.js'
import type { ImageSet } from './image-set.js'
import { loadData } from './load.js'
import { dataSetInfo } from './sets/catalogue.js'
import type { DataSetInfo } from './sets/info.js'
import { tarGz, testFolder, write, writeCifar10, writeCifar100, writeFood101, writeMnist } from './testing.js'

const folder = testFolder()
let made = 0
const place = (name: string) => join(folder, `${name}${++made}`)

describe('from a path', () => {
  it('takes a folder, gzipped or not, and checks the sums', async () => {
    const home = writeMnist(place('mnist'), 20, 10)
    const info: DataSetInfo = {
      ...dataSetInfo('mnist'),
      samples: [20, 10],
      files: dataSetInfo('mnist').files.map(({ name }) => ({ name })),
    }
    const cache = place('cache')
    const { verified, folder: kept } = await fetchData(info, { cache, from: home })
    expect(verified).toBe('structure')
    expect(readFileSync(join(kept, 't10k-labels-idx1-ubyte')).length).toBe(18)
    await expect(fetchData(dataSetInfo('mnist'), { cache: place('cache'), from: home })).rejects.toThrow(
      'train-images-idx3-ubyte: 47040016 bytes are needed',
    )
    await expect(
      fetchData({ ...info, samples: [60_000, 10_000] }, { cache: place('cache'), from: home }),
    ).rejects.toThrow('60000 and 10000 samples are needed, got [20, 10]; this is not the official set')
    await expect(fetchData(info, { cache, from: join(folder, 'nowhere') })).rejects.toThrow(
      'no such file or folder',
    )
    await expect(fetchData(info, { cache, from: folder })).rejects.toThrow(
      'train-images-idx3-ubyte.gz is needed, got neither',
    )
    // What was there before is still there.
    expect((await loadData('mnist', { cache })).train.labels.length).toBe(20)
  })

  it('takes Food-101 as a folder or an archive', async () => {
    const home = await writeFood101(place('food'), ['apple_pie', 'sushi'], 4)
    const info: DataSetInfo = { ...dataSetInfo('food101'), samples: [6, 2] }
    const cache = place('cache')
    await fetchData(info, { cache, from: home })
    const { train, preparation } = await loadData('food101', { cache })
    expect([train.labels.length, train.width, preparation.test.short]).toEqual([6, 224, 256])
    const images = ['apple_pie', 'sushi'].flatMap((name) =>
      readdirSync(join(home, 'images', name)).map((file) => `images/${name}/${file}`),
    )
    const pack = (names: readonly string[]) => {
      const members = names.map((name) => ({
        name: `food-101/${name}`,
        content: readFileSync(join(home, name)),
      }))
      const readme = { name: 'food-101/README.txt', content: 'about' }
      return write(`${place('mine')}.tar.gz`, tarGz([readme, ...members]))
    }
    const meta = ['meta/classes.txt', 'meta/train.txt', 'meta/test.txt']
    const { folder: kept } = await fetchData(info, {
      cache: place('cache'),
      from: pack([...meta, ...images]),
    })
    expect(readdirSync(kept).sort()).toEqual(['images', 'meta', 'rlvi.json'])
    await expect(
      fetchData(info, { cache: place('cache'), from: pack([...meta, ...images.slice(1)]) }),
    ).rejects.toThrow('an image that the list names must be there')
  })

  it('takes the official archive only with its sum', async () => {
    const path = write(
      join(place('official'), 'cifar-100-binary.tar.gz'),
      tarGz([{ name: 'x', content: 'x' }]),
    )
    await expect(fetchData(dataSetInfo('cifar100'), { cache: place('cache'), from: path })).rejects.toThrow(
      'the file with SHA-256 58a81ae192c23a4b',
    )
  })

  it('takes human labels, which come with the images of their set', async () => {
    const cache = place('cache')
    const files = dataSetInfo('cifar10').files.map(({ name }) => ({ name }))
    const cifar: DataSetInfo = { ...dataSetInfo('cifar10'), samples: [15, 3], files }
    await fetchData(cifar, { cache, from: writeCifar10(place('cifar'), 3) })
    const lines = Array.from({ length: 15 }, (_, i) =>
      [i % 3, i % 3, i % 3, i % 3, i % 3, (i + 1) % 3].join(),
    )
    const csv = write(place('labels'), `clean,aggre,random1,random2,random3,worse\n${lines.join('\n')}\n`)
    await fetchData({ ...dataSetInfo('cifar10n'), samples: [15, 10_000] }, { cache, from: csv })
    const worst = await loadData('cifar10n', { cache })
    expect(worst.human?.corrupt).toEqual(new Uint8Array(15).fill(1))
    expect((await loadData('cifar10n:aggregate', { cache })).human?.expected).toBe(0)
    await expect(loadData('cifar10n:best', { cache })).rejects.toThrow('got "best"')
    await expect(loadData('mnist:best', { cache })).rejects.toThrow(
      'only cifar10n and cifar100n have annotations',
    )
    await expect(fetchData(dataSetInfo('cifar10n'), { cache: place('cache') })).rejects.toThrow(
      'give the labels as a CSV file, `from`, and fetch cifar10 for the images',
    )
    await expect(fetchData(dataSetInfo('cifar80no'), { cache })).rejects.toThrow(
      'fetch cifar100: that is all it needs',
    )
  })
})

describe('loadData', () => {
  it('takes folders: of a known layout, with train and test, or of classes', async () => {
    expect((await loadData(writeMnist(place('m'), 10, 10))).name).toBe('mnist')
    expect((await loadData(writeMnist(place('Fashion'), 10, 10))).classes[0]).toBe('T-shirt/top')
    expect((await loadData(writeCifar100(place('c'), 10, 10))).train.classes.length).toBe(100)
    const home = await writeFood101(place('f'), ['a', 'b'], 4)
    expect((await loadData(home)).name).toBe('food101')
    const own = await loadData(join(home, 'images'), { size: 8 })
    expect([own.name, own.train.labels.length, own.test, own.open]).toEqual(['images', 8, undefined, false])
    expect((own.train as ImageSet).pixels.length).toBe(8 * 192)
    expect(own.preparation.train.padding).toBe(1)
    const both = place('both')
    for (const part of ['train', 'test'])
      for (const name of readdirSync(join(home, 'images', 'a')))
        for (const label of ['x', 'y'])
          write(join(both, part, label, name), readFileSync(join(home, 'images', 'a', name)))
    expect((await loadData(both, { size: 4, channels: 1 })).test?.labels.length).toBe(8)
    write(join(both, 'test', 'z', '1.jpg'), readFileSync(join(home, 'images', 'a', '1000.jpg')))
    await expect(loadData(both, { size: 4 })).rejects.toThrow('the classes of train are needed, got "z"')
  })

  it('does not take parts for classes', async () => {
    const home = await writeFood101(place('f'), ['a', 'b'], 1)
    const picture = readFileSync(join(home, 'images', 'a', '1000.jpg'))
    const parts = place('parts')
    for (const part of ['train', 'test', 'val']) write(join(parts, part, 'a', '1.jpg'), picture)
    await expect(loadData(parts)).rejects.toThrow(
      'have one folder to test on: validation images are taken from train',
    )
    // Trains and trucks are classes.
    const classes = place('classes')
    for (const name of ['train', 'truck']) write(join(classes, name, '1.jpg'), picture)
    expect((await loadData(classes, { size: 4 })).classes).toEqual(['train', 'truck'])
  })

  it('says how to get what is not there', async () => {
    const cache = place('cache')
    await expect(loadData('mnist', { cache })).rejects.toThrow(
      'must be fetched first, got no data; run: rlvi data fetch mnist',
    )
    await expect(loadData('cifar80no', { cache })).rejects.toThrow('rlvi data fetch cifar100')
    await expect(loadData('minst', { cache })).rejects.toThrow('minst: a folder or one of mnist, ')
  })
})
