import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { testFolder, write, writeFood101, writePicture } from '../testing.js'
import { decode } from './decode.js'
import { listFolder, loadFolder } from './folder.js'
import { loadFood101 } from './food101.js'

const folder = testFolder()
const red = [255, 0, 0] as const
const blue = [0, 0, 255] as const

/** The colour of the middle pixel. */
function middle(pixels: Uint8Array, side: number): number[] {
  const at = (side >> 1) * side + (side >> 1)
  return [0, 1, 2].map((c) => pixels[c * side * side + at])
}

describe('a folder of images', () => {
  it('has a class for each subfolder, of any size and format', async () => {
    const home = join(folder, 'own')
    for (const [path, colour] of [
      ['cats/b.png', red],
      ['cats/a.webp', red],
      ['cats/more/c.tiff', red],
      ['dogs/x.gif', blue],
      ['dogs/UPPER.JPG', blue],
    ] as const)
      await writePicture(join(home, path), { width: 40, height: 30, colour })
    write(join(home, 'cats', '.hidden.png'), 'no image')
    write(join(home, 'cats', 'notes.txt'), 'a cat')
    write(join(home, 'README.md'), 'about')
    const set = await loadFolder(home, { size: 8 })
    expect(set.classes).toEqual(['cats', 'dogs'])
    expect(set.paths).toEqual([
      'cats/a.webp',
      'cats/b.png',
      'cats/more/c.tiff',
      'dogs/UPPER.JPG',
      'dogs/x.gif',
    ])
    expect(Array.from(set.labels)).toEqual([0, 0, 0, 1, 1])
    expect(set.skipped).toEqual(['cats/notes.txt'])
    expect(set.name).toBe('own')
    expect(set.pixels.length).toBe(5 * 3 * 64)
    for (let i = 0; i < 5; i++) {
      const [r, , b] = middle(set.pixels.subarray(i * 192, (i + 1) * 192), 8)
      expect([r > 250, b > 250]).toEqual(set.labels[i] === 0 ? [true, false] : [false, true])
    }
    const grey = await loadFolder(home, { size: 8, channels: 1 })
    expect(grey.pixels.length).toBe(5 * 64)
  })

  it('refuses what would leave samples out', async () => {
    const bad = async (name: string) => {
      await writePicture(join(folder, name, 'a', '1.png'), { width: 4, height: 4, colour: red })
      return join(folder, name)
    }
    const empty = await bad('empty class')
    mkdirSync(join(empty, 'b'))
    await expect(listFolder(empty)).rejects.toThrow(
      `${join(empty, 'b')}: a class needs at least one image, got "an empty folder"; add images`,
    )
    const other = await bad('other format')
    write(join(other, 'a', 'x.bmp'), 'BM')
    await expect(listFolder(other)).rejects.toThrow('convert it to png or jpg')
    const broken = await bad('broken')
    const path = write(join(broken, 'a', '2.jpg'), 'this is no picture')
    await expect(loadFolder(broken, { size: 8 })).rejects.toThrow(
      `${path}: an image that can be read is needed`,
    )
    const cut = await bad('cut')
    const whole = readFileSync(
      await writePicture(join(folder, 'w.jpg'), { width: 400, height: 400, colour: blue }),
    )
    write(join(cut, 'a', '2.jpg'), whole.subarray(0, whole.length >> 1))
    await expect(loadFolder(cut, { size: 8 })).rejects.toThrow(
      'repair the image or take it out of the folder',
    )
    const lost = await bad('lost')
    symlinkSync(join(lost, 'nowhere.png'), join(lost, 'a', '3.png'))
    await expect(loadFolder(lost, { size: 8 })).rejects.toThrow(`${join(lost, 'a', '3.png')}: `)
    await expect(listFolder(join(empty, 'b'))).rejects.toThrow(
      'a folder with a subfolder for each class is needed',
    )
    await expect(listFolder(join(folder, 'none'))).rejects.toThrow('no such file or folder')
    await expect(listFolder(path)).rejects.toThrow('a part of the path is not a folder')
    await expect(listFolder(empty, { size: 0 })).rejects.toThrow('size: a whole number from 1 to 4096')
  })
})

describe('decode', () => {
  /** Left half red, right half blue: 40 x 20. */
  const halves = async (name: string) => {
    const path = join(folder, name)
    const right = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer()
    await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
      .composite([{ input: right, left: 20, top: 0 }])
      .toFile(path)
    return path
  }

  it('crops the middle, stretches or pads, channel by channel', async () => {
    const path = await halves('halves.png')
    const shape = { width: 4, height: 4, channels: 3 } as const
    const reds = async (fit: 'crop' | 'stretch' | 'pad') =>
      Array.from((await decode(path, { ...shape, fit })).subarray(0, 16), (value) =>
        value > 128 ? 1 : 0,
      ).join('')
    expect(await reds('crop')).toBe('1100'.repeat(4))
    expect(await reds('stretch')).toBe('1100'.repeat(4))
    expect(await reds('pad')).toBe('000011001100'.padEnd(16, '0'))
    // Short side 8 first: the middle 4 x 4 is nearer to the seam, half red, half blue all the same.
    const blueHalf = (await decode(path, { ...shape, short: 8 })).subarray(32)
    expect(Array.from(blueHalf, (value) => (value > 128 ? 1 : 0)).join('')).toBe('0011'.repeat(4))
  })

  it('takes grey, transparent, turned and deep images', async () => {
    const shape = { width: 2, height: 2, channels: 3 } as const
    const grey = join(folder, 'grey.png')
    await sharp({ create: { width: 4, height: 4, channels: 3, background: '#808080' } })
      .toColourspace('b-w')
      .toFile(grey)
    expect(new Set(await decode(grey, shape))).toEqual(new Set([128]))
    const clear = join(folder, 'clear.png')
    await sharp({
      create: { width: 4, height: 4, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
    }).toFile(clear)
    expect(new Set(await decode(clear, shape))).toEqual(new Set([255]))
    expect(new Set(await decode(clear, { ...shape, channels: 1 }))).toEqual(new Set([255]))
    const deep = join(folder, 'deep.png')
    await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ff0000' } })
      .toColourspace('rgb16')
      .toFile(deep)
    expect(Array.from(await decode(deep, shape))).toEqual([255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0])
    // Orientation 6: to be turned by 90 degrees, so that what was left comes on top.
    const turned = join(folder, 'turned.png')
    await sharp(await halves('h.png'))
      .withMetadata({ orientation: 6 })
      .toFile(turned)
    const top = await decode(turned, { ...shape, fit: 'stretch' })
    expect(Array.from(top.subarray(0, 4), (value) => value > 128)).toEqual([true, true, false, false])
  })
})

describe('Food-101', () => {
  const classes = ['apple_pie', 'baby_back_ribs', 'waffles']

  it('follows its lists', async () => {
    const home = await writeFood101(join(folder, 'food'), classes, 8)
    const train = await loadFood101(home, 'train')
    const test = await loadFood101(home, 'test', 16)
    expect([train.labels.length, test.labels.length]).toEqual([18, 6])
    expect(train.classes).toEqual(classes)
    expect(Array.from(test.labels)).toEqual([0, 0, 1, 1, 2, 2])
    expect(test.paths[2]).toBe('baby_back_ribs/1003.jpg')
    expect([train.width, test.width]).toEqual([224, 16])
  })

  it.each([
    ['outside', '../../etc/passwd', 'train.txt, line 2: CLASS/ID with a class of classes.txt is needed'],
    ['unknown', 'pizza/1001', 'got "pizza/1001"'],
    ['missing', 'waffles/999', '999.jpg: an image that the list names must be there'],
    ['twice', 'waffles/1000', 'every image must be listed once'],
  ])('refuses a line that is %s', async (name, line, message) => {
    const home = await writeFood101(join(folder, `food ${name}`), classes, 2)
    write(join(home, 'meta', 'train.txt'), `waffles/1000\n${line}\n`)
    await expect(loadFood101(home, 'train')).rejects.toThrow(message)
  })

  it('refuses a folder that is not of its layout', async () => {
    const home = await writeFood101(join(folder, 'food bad'), classes, 1)
    write(join(home, 'meta', 'classes.txt'), 'apple_pie\n../..\n')
    await expect(loadFood101(home, 'train')).rejects.toThrow(
      'a class must be the name of a folder, got "../.."',
    )
    write(join(home, 'meta', 'train.txt'), '\n')
    write(join(home, 'meta', 'classes.txt'), 'apple_pie\n')
    await expect(loadFood101(home, 'train')).rejects.toThrow('at least one line is needed')
    await expect(loadFood101(folder, 'train')).rejects.toThrow('classes.txt: could not be read')
  })
})
