import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { subset } from '../image-set.js'
import {
  bytes,
  cifarRecords,
  idxImages,
  idxLabels,
  testFolder,
  write,
  writeCifar10,
  writeCifar100,
  writeMnist,
} from '../testing.js'
import { loadCifar10, loadCifar100 } from './cifar.js'
import { readHumanLabels } from './cifar-n.js'
import { readIdxImages, readIdxLabels } from './idx.js'
import { digits, loadIdx } from './mnist.js'

const folder = testFolder()

describe('IDX', () => {
  const pixels = bytes(3 * 4 * 5, 'idx')
  const images = idxImages(3, 4, 5, pixels)

  it.each(['plain', 'gz'])('is read %s', async (kind) => {
    const pack = kind === 'gz' ? gzipSync : (content: Uint8Array) => content
    const read = await readIdxImages(write(join(folder, kind), pack(images)))
    expect({ ...read, pixels: Array.from(read.pixels) }).toEqual({
      count: 3,
      height: 4,
      width: 5,
      pixels: Array.from(pixels),
    })
    const labels = await readIdxLabels(write(join(folder, `${kind}-labels`), pack(idxLabels([7, 0, 9]))))
    expect(Array.from(labels)).toEqual([7, 0, 9])
  })

  it.each([
    [
      'cut off',
      images.subarray(0, images.length - 1),
      'promises 60 bytes of data, got 59; get it again: it was cut',
    ],
    ['too long', Buffer.concat([images, Buffer.alloc(2)]), 'promises 60 bytes of data, got 62'],
    ['a header only', images.subarray(0, 10), '16 bytes of header is needed, got 10 bytes'],
    ['empty', new Uint8Array(), 'got 0 bytes'],
    [
      'labels',
      idxLabels(new Array(20).fill(0)),
      'must begin with 0x00000803, got 0x00000801; this is another kind',
    ],
    ['a cut gzip', gzipSync(images).subarray(0, 40), 'the gzipped file must be whole'],
    [
      'a broken gzip',
      Buffer.concat([gzipSync(images).subarray(0, 12), bytes(40, 'x')]),
      'could not be unpacked',
    ],
    ['a gzip with a wrong sum', wrongSum(images), 'could not be unpacked'],
    ['no images', idxImages(0, 4, 5, new Uint8Array()), 'at least one image'],
    ['a huge promise', idxImages(2 ** 31, 2 ** 31, 4, pixels), 'bytes of data, got 60'],
  ])('%s is refused with its path', async (name, content, message) => {
    const path = write(join(folder, `bad ${name}`), content)
    await expect(readIdxImages(path)).rejects.toThrow(`${path}: `)
    await expect(readIdxImages(path)).rejects.toThrow(message)
  })

  it('says when a file is missing, a folder, or may not be read', async () => {
    await expect(readIdxImages(join(folder, 'none'))).rejects.toThrow(
      'no such file or folder; check the path',
    )
    await expect(readIdxImages(folder)).rejects.toThrow(/could not be read, got a folder/)
    const path = write(join(folder, 'locked'), images)
    chmodSync(path, 0)
    if (process.getuid?.() !== 0) await expect(readIdxImages(path)).rejects.toThrow('no permission')
  })

  it('makes a set of a folder, and checks its labels', async () => {
    const home = writeMnist(join(folder, 'mnist'), 30, 20)
    const train = await loadIdx(home, 'train', 'mnist', digits)
    const test = await loadIdx(home, 't10k', 'mnist', digits)
    expect([train.labels.length, train.width, train.height, train.channels]).toEqual([30, 28, 28, 1])
    expect(test.pixels.length).toBe(20 * 784)
    expect(Array.from(test.labels.subarray(0, 12))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1])
    expect(train.pixels[4 * 28]).toBe(255)
    expect(train.pixels.buffer).toBeInstanceOf(SharedArrayBuffer)

    write(join(home, 'train-labels-idx1-ubyte'), idxLabels([1, 2, 3]))
    await expect(loadIdx(home, 'train', 'mnist', digits)).rejects.toThrow(
      'one label for each of 30 images is needed, got 3',
    )
    write(join(home, 'train-labels-idx1-ubyte'), idxLabels(Array.from({ length: 30 }, (_, i) => i % 11)))
    await expect(loadIdx(home, 'train', 'mnist', digits)).rejects.toThrow(
      'label 10 must be from 0 to 9, got 10',
    )
    rmSync(join(home, 'train-labels-idx1-ubyte'))
    await expect(loadIdx(home, 'train', 'mnist', digits)).rejects.toThrow(
      'a file train-labels-idx1-ubyte or train-labels-idx1-ubyte.gz is needed',
    )
  })
})

function wrongSum(content: Uint8Array): Uint8Array {
  const packed = gzipSync(content)
  packed[packed.length - 6] ^= 1
  return packed
}

describe('CIFAR', () => {
  it('reads the five batches in their order', async () => {
    const home = writeCifar10(join(folder, 'cifar10'), 12)
    const train = await loadCifar10(home, 'train')
    expect([train.labels.length, train.pixels.length]).toEqual([60, 60 * 3072])
    // The third record of the second batch.
    expect(train.labels[14]).toBe(2)
    expect(train.pixels.slice(14 * 3072, 15 * 3072)).toEqual(bytes(3072, 'data_batch_2', 2))
    expect((await loadCifar10(home, 'test')).labels.length).toBe(12)
    expect(train.classes[3]).toBe('cat')
  })

  it('takes the fine label of CIFAR-100, and its names', async () => {
    const home = writeCifar100(join(folder, 'cifar100'), 40, 10)
    const test = await loadCifar100(home, 'test')
    expect(Array.from(test.labels)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27])
    expect(test.pixels.slice(3072, 6144)).toEqual(bytes(3072, 'test', 1))
    expect(test.classes[99]).toBe('class_99')
    rmSync(join(home, 'fine_label_names.txt'))
    expect((await loadCifar100(home, 'train')).classes[99]).toBe('99')
    write(join(home, 'fine_label_names.txt'), 'apple\n')
    await expect(loadCifar100(home, 'train')).rejects.toThrow('100 different names')
  })

  it('refuses what is cut, of another size, or out of range', async () => {
    const home = writeCifar10(join(folder, 'cifar-bad'), 4)
    const second = join(home, 'data_batch_2.bin')
    write(second, cifarRecords([[1], [2]], 'x').subarray(0, 3073 + 100))
    await expect(loadCifar10(home, 'train')).rejects.toThrow(
      `${second}: records of 3073 bytes are needed, got 3173 bytes; get it again`,
    )
    write(second, cifarRecords([[1], [2]], 'x'))
    await expect(loadCifar10(home, 'train')).rejects.toThrow('a batch as long as the first, 12292 bytes')
    write(second, cifarRecords([[1], [2], [10], [3]], 'x'))
    await expect(loadCifar10(home, 'train')).rejects.toThrow(`${second}: label 2 must be from 0 to 9, got 10`)
    write(second, '')
    await expect(loadCifar10(home, 'train')).rejects.toThrow('got 0 bytes')
    rmSync(second)
    await expect(loadCifar10(home, 'train')).rejects.toThrow(`${second}: could not be read`)
  })
})

describe('CIFAR-N', () => {
  const images = { labels: Uint8Array.from([6, 9, 9, 4]), classes: new Array(10).fill('x'), name: 'cifar10' }
  const header = 'clean,aggre,random1,random2,random3,worse'
  const lines = ['6,6,6,4,6,4', '9,9,9,9,9,9', '9,9,9,9,0,0', '4,4,4,5,4,5']
  const csv = (name: string, text: string | Uint8Array) => write(join(folder, name), text)

  it('reads every annotation, gzipped or not, under our names and the authors', async () => {
    const path = csv('n.csv.gz', gzipSync(`${header}\n${lines.join('\n')}\n`))
    const worst = await readHumanLabels(path, 'cifar10n', 'worst', images)
    expect(Array.from(worst.given)).toEqual([4, 9, 0, 5])
    expect(Array.from(worst.corrupt)).toEqual([1, 0, 1, 1])
    expect(worst.expected).toBe(0.75)
    expect(Array.from((await readHumanLabels(path, 'cifar10n', 'random2', images)).given)).toEqual([
      4, 9, 9, 5,
    ])
    const official = csv(
      'official.csv',
      '\ufeffworse_label,clean_label,aggre_label,random_label1,random_label2,random_label3\r\n4,6,6,6,6,6\r\n9,9,9,9,9,9\r\n9,9,9,9,9,9\r\n4,4,4,4,4,4\r\n',
    )
    expect(Array.from((await readHumanLabels(official, 'cifar10n', 'worst', images)).given)).toEqual([
      4, 9, 9, 4,
    ])
    const hundred = csv(
      'hundred.csv',
      'clean_fine,noisy_fine,clean_coarse,noisy_coarse\n19,19,11,11\n29,63,15,12\n',
    )
    const fine = { labels: Uint8Array.from([19, 29]), classes: new Array(100).fill('x'), name: 'cifar100' }
    expect(Array.from((await readHumanLabels(hundred, 'cifar100n', 'fine', fine)).given)).toEqual([19, 63])
  })

  it.each([
    [
      'another order',
      `${header}\n${[...lines].reverse().join('\n')}`,
      'the clean label of image 0 must be that of cifar10, 6',
    ],
    ['too few lines', `${header}\n${lines.slice(1).join('\n')}`, 'a line for each of 4 training images'],
    [
      'a class too many',
      `${header}\n6,6,6,4,6,10\n${lines.slice(1).join('\n')}`,
      'column worse: label 0 must be from 0 to 9, got 10',
    ],
    [
      'a word',
      `${header}\n6,6,6,4,6,cat\n${lines.slice(1).join('\n')}`,
      'line 2: a label is needed in column worse, got "cat"',
    ],
    ['a short line', `${header}\n6,6,6\n`, 'line 2: 6 values are needed, got 3'],
    ['no such column', 'clean,noisy\n6,6\n', 'a column worse or worse_label or worst is needed'],
    ['an empty file', '', 'a column clean or clean_label or clean_fine is needed'],
    [
      'PyTorch',
      Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0),
      'got a PyTorch or NumPy file; write its arrays as columns',
    ],
  ])('%s is refused', async (name, content, message) => {
    const path = csv(`bad ${name}.csv`, content)
    await expect(readHumanLabels(path, 'cifar10n', 'worst', images)).rejects.toThrow(message)
  })

  it('knows its annotations', async () => {
    await expect(readHumanLabels(csv('a.csv', header), 'cifar10n', 'best', images)).rejects.toThrow(
      'aggregate, random1, random2, random3, worst is needed, got "best"',
    )
  })
})

it('a subset has the images of its indices', async () => {
  const set = await loadCifar10(writeCifar10(join(folder, 'subset'), 4), 'test')
  const some = subset(set, [3, 1])
  expect(Array.from(some.labels)).toEqual([3, 1])
  expect(some.pixels.slice(0, 3072)).toEqual(bytes(3072, 'test_batch', 3))
  expect(() => subset(set, [4])).toThrow('an index below 4 is needed, got 4')
})
