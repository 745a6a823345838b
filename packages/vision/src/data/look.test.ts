import { join } from 'node:path'
import { expect, it } from 'vitest'
import { look, readingFor } from './look.js'
import { testFolder, write, writeMnist, writePicture } from './testing.js'

const folder = testFolder()

async function pictures(
  name: string,
  width: number,
  height: number,
  colour: readonly [number, number, number],
) {
  for (const label of ['a', 'b'])
    for (let i = 0; i < 4; i++)
      await writePicture(join(folder, name, label, `${i}.${i % 2 === 0 ? 'png' : 'jpg'}`), {
        width,
        height,
        colour,
      })
  return join(folder, name)
}

it('sees the size, the number and whether there is a colour', async () => {
  const grey = await pictures('grey', 12, 8, [90, 90, 90])
  write(join(grey, 'a', 'broken.png'), 'no image')
  expect(await look(grey)).toEqual({ images: 9, classes: 2, width: 12, height: 8, grey: true })
  const red = await pictures('red', 200, 300, [200, 10, 10])
  expect(await look(red)).toEqual({ images: 8, classes: 2, width: 200, height: 300, grey: false })
})

it('leaves alone what has a size of its own, and what is no folder', async () => {
  expect(await look('mnist')).toBeUndefined()
  expect(await look(writeMnist(join(folder, 'mnist'), 10, 10))).toBeUndefined()
  expect(await look(join(folder, 'nowhere'))).toBeUndefined()
})

it('chooses a small network for small grey pictures or few ones, and nothing that was asked for', () => {
  const small = { images: 1797, classes: 10, width: 8, height: 8, grey: true }
  expect(readingFor(small, {})).toEqual({ size: 28, channels: 1 })
  expect(readingFor({ ...small, grey: false }, {})).toEqual({ size: 28, channels: 3 })
  expect(readingFor({ ...small, grey: false, images: 50_000 }, {})).toEqual({ size: 32, channels: 3 })
  const photos = { images: 400, classes: 4, width: 640, height: 480, grey: false }
  expect(readingFor(photos, {})).toEqual({ size: 28, channels: 3 })
  expect(readingFor(photos, { card: true })).toEqual({ size: 32, channels: 3 })
  expect(readingFor(photos, { network: 'resnet18' })).toEqual({ size: 32, channels: 3 })
  expect(readingFor({ ...photos, images: 50_000 }, {})).toEqual({ size: 32, channels: 3 })
  expect(readingFor({ ...photos, images: 50_000 }, { network: 'lenet' })).toEqual({ size: 28, channels: 3 })
  expect(readingFor(small, { network: 'resnet18', size: 64 })).toEqual({ size: 64, channels: 1 })
})
