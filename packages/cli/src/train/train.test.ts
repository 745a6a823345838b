import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeMnist } from '../../../vision/src/data/testing.js'
import { misplaced, quickly, writeMixed, writeShades } from '../testing/images.js'
import { run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const shades = at('shades')
const mnist = at('mnist')

beforeAll(async () => {
  await writeShades(shades)
  await writeMixed(at('mixed'))
  mkdirSync(mnist)
  writeMnist(mnist, 120, 40)
})

describe('from a folder of images to a network in use', () => {
  it('trains, logs, saves, and predicts', async () => {
    const [save, log] = [at('shades.onnx'), at('shades.csv')]
    const { status, out, remarks } = await run('train', shades, ...quickly, '--save', save, '--log', log)
    expect([status, remarks]).toEqual([
      0,
      [expect.stringMatching(/^\d+ images of 2 classes, .* too few to tell what share/)],
    ])
    const [head, titles, ...lines] = out.trimEnd().split('\n')
    expect(head).toBe('shades: lenet, posterior, seed 0; 43 images to train on, 5 to validate')
    expect(titles).toBe('epoch  train %  validation %  level %  seconds')
    expect(lines).toHaveLength(12 + 3)
    expect(lines.at(-2)).toMatch(/^an estimated [\d.]+ % of the labels are wrong/)
    expect(lines.at(-1)).toBe(`saved: ${save}`)
    expect(readFileSync(log, 'utf8').split('\n')[0]).toBe(
      'epoch,train,validation,test,threshold,clean_kept,corrupt_caught,level,seconds',
    )
    expect(folder.lines('shades.csv').map(([epoch]) => epoch)).toEqual(
      Array.from({ length: 12 }, (_, i) => `${i + 1}`),
    )

    // Brightness is all there is to learn: only the misplaced files differ from their labels.
    const rows = at('predicted.csv')
    const summary = await runJson('predict', save, shades, '--rows', rows)
    expect(summary).toEqual({ network: 'lenet', images: 48, accuracy: 46 / 48 })
    const wrong = folder.lines('predicted.csv').filter(([, , label, , suggested]) => label !== suggested)
    expect(wrong.map(([, file]) => file)).toEqual(misplaced)
    // Of two classes the label has what the other one leaves; what that is of nearly 1, float32 tells to a millionth.
    for (const [, , label, predicted, suggested, loss] of folder.lines('predicted.csv')) {
      const likely = label === suggested ? Number(predicted) : 1 - Number(predicted)
      expect(Math.abs(Math.exp(-Number(loss)) - likely)).toBeLessThan(1e-6)
    }

    // Images alone need no folders of classes.
    const { predictions } = await runJson('predict', save, at('mixed'))
    expect(predictions.map(({ file, suggested }: Record<string, string>) => [file, suggested])).toEqual([
      ['a.png', 'dark'],
      ['b.jpg', 'light & <b>bright'],
      ['c.png', 'dark'],
    ])
  })

  it('refuses images that the network was not made for', async () => {
    await run('train', shades, ...quickly, '--epochs', '1', '--save', at('one.onnx'))
    const damaged = at('damaged.onnx')
    writeFileSync(damaged, readFileSync(at('one.onnx')).subarray(0, 900))
    for (const [model, data, message] of [
      [at('one.onnx'), at('nowhere'), /nowhere: a folder or one of mnist,.* is needed, got no such folder/],
      [damaged, shades, /damaged\.onnx: must be whole/],
      [at('none.onnx'), shades, /none\.onnx: could not be read, got no such file/],
    ] as const) {
      const { status, out, remarks } = await run('predict', model, data)
      expect(remarks).toEqual([expect.stringMatching(message)])
      expect([status, out]).toEqual([1, ''])
    }
  })
})

describe('a run that goes on', () => {
  it('ends with the very numbers of one that was never stopped', async () => {
    const flags = ['train', mnist, '--noise', 'pairflip', '--rate', '0.3', '--batch', '16', '--seed', '4']
    const untimed = (result: { epochs: object[] }): object[] =>
      result.epochs.map((line) => ({ ...line, seconds: 0 }))
    const whole = await runJson(...flags, '--epochs', '3', '--save', at('whole.onnx'))
    const kept = ['--checkpoint', at('kept')]
    const first = await runJson(...flags, '--epochs', '1', ...kept)
    expect(untimed(first)).toEqual(untimed(whole).slice(0, 1))
    const again = await run(...flags, '--epochs', '3', ...kept)
    expect(again.remarks).toEqual([
      expect.stringMatching(/kept: a folder without a checkpoint is needed, got .*--resume/),
    ])
    expect(again.status).toBe(1)
    const rest = await runJson(...flags, '--epochs', '3', ...kept, '--resume', '--save', at('rest.onnx'))
    expect(untimed(rest)).toEqual(untimed(whole))
    expect(readFileSync(at('rest.onnx')).equals(readFileSync(at('whole.onnx')))).toBe(true)
    expect(whole).toMatchObject({
      dataset: 'mnist',
      method: 'posterior',
      noise: 'pairflip',
      rate: 0.3,
      measuredOn: 'test',
    })
    // How labels go wrong, the most frequent first; of each class no more than all of it does.
    const shares = whole.habits.map(({ share }: { share: number }) => share)
    expect(shares).toEqual([...shares].sort((a, b) => b - a))
    for (const { truth } of whole.habits) {
      const own = whole.habits.filter((habit: { truth: string }) => habit.truth === truth)
      expect(own.reduce((sum: number, { share }: { share: number }) => sum + share, 0)).toBeLessThanOrEqual(1)
    }
    expect(whole.images).toEqual({ train: 108, validation: 12, test: 40 })

    const other = await run(...flags, '--method', 'standard', '--epochs', '3', ...kept, '--resume')
    expect(other.remarks).toEqual([
      expect.stringMatching(/checkpoint\.safetensors: must have the same .*method/),
    ])
    expect([other.status, other.out]).toEqual([1, ''])
  })
})

describe('bad input', () => {
  const refused = (argv: readonly string[], message: RegExp, code: number): void => {
    it(`${argv.join(' ')}: ${message.source}`, async () => {
      const { status, out, remarks } = await run(...argv.map((text) => text.replace('@', `${folder.path}/`)))
      expect(remarks).toEqual([expect.stringMatching(message)])
      expect([status, out]).toEqual([code, ''])
    })
  }
  refused(['train', '@shades', '--network', 'vgg'], /--network: one of lenet, .* is needed, got "vgg"/, 2)
  refused(
    ['train', '@shades', '--network', 'lenet', '--size', '32'],
    /--network: lenet needs images of 28 x 28 pixels, got "1 x 32 x 32"/,
    1,
  )
  refused(
    ['train', '@shades', '--size', '8'],
    /--network: resnet18 needs images of at least 10 x 10 pixels/,
    1,
  )
  refused(['train', '@mnist', '--size', '28'], /--size: is for folders of images/, 2)
  refused(['train', '@shades', '--rate', '0.2'], /--rate: the kind of noise is needed too/, 2)
  refused(['train', '@shades', '--noise', 'pairflip', '--rate', '1.2'], /--rate: a number between 0 and 1/, 2)
  refused(
    ['train', '@shades', '--noise', 'asymmetric', '--rate', '0.2'],
    /asymmetric noise: a data set whose classes have a map is needed/,
    1,
  )
  refused(['train', '@shades', '--resume'], /--resume: the folder to go on from is needed/, 2)
  refused(['train', '@shades', '--save', 'x.json'], /--save: a file name that ends in \.onnx is needed/, 2)
  refused(
    ['train', '@shades', '--save', '@no/x.onnx'],
    /x\.onnx: could not be written, got no such file or folder/,
    1,
  )
  refused(
    ['train', '@shades', '--method', 'coteaching'],
    /--method: coteaching needs a share of wrong labels to assume/,
    2,
  )
  refused(
    ['train', '@shades', '--learning-rate', 'fast'],
    /--learning-rate: a number of at least 0 is needed, got "fast"/,
    2,
  )
  refused(['train', '@mnist', '--limit', '5'], /--limit: a whole number of at least 10 is needed/, 2)
  refused(['train', 'mnits'], /mnits: a folder or one of mnist,/, 1)
  refused(['predict', 'm.onnx', '@shades', '--table', 't'], /--table: is for models of tables/, 2)

  it('reports files that are damaged, cut off or empty', async () => {
    const broken = at('broken')
    mkdirSync(broken)
    writeMnist(broken, 20, 10)
    const labels = join(broken, 'train-labels-idx1-ubyte')
    const bytes = readFileSync(labels)
    bytes[8] = 77
    writeFileSync(labels, bytes)
    const wrong = await run('train', broken, '--epochs', '1')
    expect([wrong.status, wrong.remarks]).toEqual([
      1,
      [expect.stringMatching(/label 0 must be from 0 to 9, got 77/)],
    ])
    mkdirSync(at('half/dark'), { recursive: true })
    writeFileSync(at('half/dark/a.png'), 'no image')
    mkdirSync(at('half/light'))
    const empty = await run('train', at('half'))
    expect(empty.remarks).toEqual([
      expect.stringMatching(/light: a class needs at least one image, got "an empty folder"/),
    ])
    writeFileSync(at('half/light/b.png'), 'no image')
    const unreadable = await run('train', at('half'))
    expect(unreadable.remarks).toEqual([expect.stringMatching(/\.png: an image that can be read is needed/)])
    expect([empty.status, unreadable.status]).toEqual([1, 1])
  })

  it.runIf(existsSync('/dev/full'))('says that the disk is full', async () => {
    for (const [flag, name] of [
      ['--save', 'full.onnx'],
      ['--log', 'full.csv'],
    ] as const) {
      symlinkSync('/dev/full', at(name))
      const { status, remarks } = await run('train', mnist, '--epochs', '1', flag, at(name))
      expect(remarks).toEqual([
        expect.stringMatching(/full\.\w+: could not be written, got the disk is full/),
      ])
      expect(status).toBe(1)
    }
  })

  it('says where a checkpoint cannot be written', async () => {
    writeFileSync(at('file'), '')
    const { status, remarks } = await run('train', mnist, '--epochs', '1', '--checkpoint', at('file/run'))
    expect(remarks).toEqual([
      expect.stringMatching(/file.run: could not be written, got a part of the path is not a folder/),
    ])
    expect(status).toBe(1)
  })
})
