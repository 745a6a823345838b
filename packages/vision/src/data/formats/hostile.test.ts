import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { testFolder, writePicture } from '../testing.js'
import { loadFolder } from './folder.js'

const folder = testFolder()
afterEach(() => vi.unstubAllEnvs())

test('a picture of too many pixels is refused before it is decoded, and the limit can be raised', async () => {
  const home = join(folder, 'large')
  mkdirSync(join(home, 'a'), { recursive: true })
  // One colour: a few kilobytes of file, 300 MB of pixels.
  const create = { width: 10_000, height: 10_000, channels: 3, background: '#804020' } as const
  await sharp({ create })
    .png({ compressionLevel: 1 })
    .toFile(join(home, 'a', 'bomb.png'))
  const refused =
    /bomb\.png: at most 64000000 pixels are needed, got more; scale it down, or set RLVI_MAX_PIXELS/
  await expect(loadFolder(home, { size: 8 })).rejects.toThrow(refused)
  vi.stubEnv('RLVI_MAX_PIXELS', '100000000')
  expect([...(await loadFolder(home, { size: 1 })).pixels]).toEqual([0x80, 0x40, 0x20])
  vi.stubEnv('RLVI_MAX_PIXELS', 'many')
  await expect(loadFolder(home)).rejects.toThrow('RLVI_MAX_PIXELS: a whole number above 0 is needed')
})

test.skipIf(process.platform === 'win32')(
  'links to pipes and devices are no pictures to wait for',
  async () => {
    const home = join(folder, 'links')
    await writePicture(join(home, 'a', 'real.png'), { width: 8, height: 8, colour: [1, 2, 3] })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    symlinkSync(join(folder, 'pipe'), join(home, 'a', 'pipe.png'))
    symlinkSync('/dev/zero', join(home, 'a', 'endless.png'))
    symlinkSync(join(home, 'a', 'real.png'), join(home, 'a', 'link.png'))
    expect((await loadFolder(home, { size: 8 })).paths).toEqual(['a/link.png', 'a/real.png'])
  },
)
