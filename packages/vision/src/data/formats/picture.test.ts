import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ImageSet } from '../image-set.js'
import { bytes, testFolder, write, writeFood101 } from '../testing.js'
import { decode } from './decode.js'
import { loadFood101 } from './food101.js'
import { picture } from './picture.js'

const folder = testFolder()

it.each([1, 3] as const)('a picture of %i channels decodes to its pixels', async (channels) => {
  const shape = { width: 5, height: 4, channels }
  const size = 20 * channels
  const set: ImageSet = {
    ...shape,
    name: 'x',
    classes: ['a'],
    labels: new Uint8Array(3),
    pixels: bytes(3 * size, 'picture'),
  }
  const path = write(join(folder, `${channels}.png`), await picture(set, 2))
  expect(Array.from(await decode(path, shape))).toEqual(Array.from(set.pixels.subarray(2 * size)))
  await expect(picture(set, 3)).rejects.toThrow('an index below 3 is needed, got 3')
})

it('a picture of a file has the size of the set', async () => {
  const set = await loadFood101(await writeFood101(join(folder, 'food'), ['a', 'b'], 4), 'train', 8)
  const path = write(join(folder, 'file.png'), await picture(set, 0))
  const whole = await decode(join(set.folder, set.paths[0]), set)
  expect(Array.from(await decode(path, set))).toEqual(Array.from(whole))
})
