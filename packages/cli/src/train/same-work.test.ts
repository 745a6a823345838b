import { copyFileSync, linkSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from '@rlvi/io'
import { beforeAll, describe, expect, it } from 'vitest'
import { writePicture } from '../../../vision/src/data/testing.js'
import { run, testFolder } from '../testing/run.js'

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)

/** Twenty pictures of two classes, of the shades that are given. */
async function pictures(name: string, shade: (i: number) => number): Promise<string> {
  for (let i = 0; i < 20; i++) {
    const [grey, path] = [shade(i), `${i % 2 ? 'a' : 'b'}/${String(i).padStart(2, '0')}.png`]
    await writePicture(join(at(name), path), { width: 28, height: 28, colour: [grey, grey, grey] })
  }
  return at(name)
}

const quick = ['--size', '28', '--grey', '--network', 'lenet', '--batch', '8', '--epochs', '1']
beforeAll(async () => {
  await pictures('first', (i) => 10 * i)
  await pictures('second', (i) => 200 - 10 * i)
})

describe('a checkpoint', () => {
  it('is not taken up with other pictures that have the same names and labels', async () => {
    const checkpoint = at('kept')
    expect((await run('train', at('first'), ...quick, '--checkpoint', checkpoint)).status).toBe(0)
    const again = await run('train', at('second'), ...quick, '--checkpoint', checkpoint, '--resume')
    expect(again.status).toBe(1)
    expect(again.remarks.at(-1)).toMatch(
      /kept.checkpoint\.safetensors: must have the same samples to learn from, [0-9a-f]{64}/,
    )
    expect((await run('train', at('first'), ...quick, '--checkpoint', checkpoint, '--resume')).status).toBe(0)
  })

  it('is one run’s alone, also in a folder that is new', async () => {
    for (const argv of [
      ['train', at('first'), ...quick, '--checkpoint'],
      ['audit', at('first'), ...quick, '--checkpoint'],
      ['reproduce', 'mean', '--runs', '1', '--out'],
    ]) {
      const shared = at(`shared ${argv[0]}`)
      const release = lockFolder(shared)
      const { status, remarks } = await run(...argv, shared)
      expect([status, remarks]).toEqual([
        1,
        [expect.stringContaining(`one run at a time is needed, got process ${process.pid} at work on it`)],
      ])
      expect(readdirSync(shared)).toEqual(['.rlvi.lock'])
      release()
    }
  })
})

describe('weights to start from', () => {
  it.each(['train', 'audit'])('are not replaced by an output of %s', async (command) => {
    expect((await run('train', at('first'), ...quick, '--save', at('w.onnx'))).status).toBe(0)
    const before = readFileSync(at('w.onnx'))
    const ending = command === 'train' ? 'onnx' : 'html'
    const flag = command === 'train' ? '--save' : '--report'
    const [same, link, hard] = ['same', 'link', 'hard'].map((name) => at(`${command}-${name}.${ending}`))
    copyFileSync(at('w.onnx'), same!)
    symlinkSync(same!, link!)
    linkSync(same!, hard!)
    for (const out of [same!, link!, hard!]) {
      const argv = [command, at('first'), ...quick, '--weights', same!, flag, out]
      const { status, remarks } = await run(...argv)
      expect([status, remarks.at(-1)]).toEqual([2, expect.stringMatching(/a file of its own is needed/)])
      expect(readFileSync(same!)).toEqual(before)
    }
  })
})
