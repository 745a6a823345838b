import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writePicture } from '../../../vision/src/data/testing.js'

/** Files that lie in the wrong class: dark pictures among the bright ones. */
export const misplaced: readonly string[] = ['light & <b>bright/07.png', 'light & <b>bright/19.png']

/** Dark and bright pictures in two folders, of which two bright files are dark. Names hold what HTML must not take as tags. */
export async function writeShades(folder: string, each = 24): Promise<string> {
  for (const name of ['dark', 'light & <b>bright'])
    for (let i = 0; i < each; i++) {
      const path = `${name}/${String(i).padStart(2, '0')}.png`
      const isDark = name === 'dark' || misplaced.includes(path)
      const shade = (isDark ? 20 : 180) + ((i * 7) % 50)
      await writePicture(join(folder, path), {
        width: 30,
        height: 28 + (i % 3),
        colour: [shade, shade, shade],
      })
    }
  return folder
}

/** Dark, grey and bright pictures; most grey ones lie among the bright ones. */
export async function writeGreys(folder: string): Promise<string> {
  for (let i = 0; i < 96; i++) {
    const kind = (['dark', 'bright', 'grey', 'grey'] as const)[i % 4]!
    const shade = { dark: 20, grey: 100, bright: 200 }[kind] + ((i * 7) % 40)
    const home = kind === 'grey' && i % 3 < 2 ? 'bright' : kind
    const path = join(folder, home, `${i}.png`)
    await writePicture(path, { width: 28, height: 28, colour: [shade, shade, shade] })
  }
  return folder
}

/** Dark and bright pictures side by side, without labels. */
export async function writeMixed(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const [name, shade] of [
    ['a.png', 30],
    ['b.jpg', 210],
    ['c.png', 40],
  ] as const)
    await writePicture(join(folder, name), { width: 28, height: 28, colour: [shade, shade, shade] })
  return folder
}

/** So that LeNet learns the shades in a moment. */
export const quickly: readonly string[] = [
  '--size',
  '28',
  '--grey',
  '--network',
  'lenet',
  '--batch',
  '8',
  '--learning-rate',
  '0.04',
  '--epochs',
  '12',
]
