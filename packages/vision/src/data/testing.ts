import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { draws } from 'rlvi/random'
import sharp from 'sharp'
import { afterAll } from 'vitest'

/** A folder for the files of one test file, gone when it is done. */
export function testFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rlvi-data-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export function write(path: string, content: Uint8Array | string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

export function bytes(n: number, ...key: Array<string | number>): Uint8Array {
  const random = draws('bytes', ...key)
  return Uint8Array.from({ length: n }, () => random.uniform(0, 256))
}

export function idxImages(count: number, height: number, width: number, pixels: Uint8Array): Uint8Array {
  return Buffer.concat([words(0x803, count, height, width), pixels])
}

export function idxLabels(labels: readonly number[]): Uint8Array {
  return Buffer.concat([words(0x801, labels.length), Uint8Array.from(labels)])
}

function words(...values: number[]): Uint8Array {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) buffer.writeUInt32BE(value, 4 * i)
  return buffer
}

/** MNIST's four files with few samples: digits are noise, brighter where the class is. The test files are gzipped. */
export function writeMnist(folder: string, train: number, test: number): string {
  for (const [part, n] of [
    ['train', train],
    ['t10k', test],
  ] as const) {
    const labels = Array.from({ length: n }, (_, i) => i % 10)
    const pixels = bytes(n * 784, part)
    // Two bright rows say which class it is, so that a network has something to learn.
    for (const [i, label] of labels.entries())
      pixels.fill(255, i * 784 + (4 + 2 * label) * 28, i * 784 + (6 + 2 * label) * 28)
    const images = idxImages(n, 28, 28, pixels)
    const pack = (content: Uint8Array) => (part === 't10k' ? gzipSync(content) : content)
    const end = part === 't10k' ? '.gz' : ''
    write(join(folder, `${part}-images-idx3-ubyte${end}`), pack(images))
    write(join(folder, `${part}-labels-idx1-ubyte${end}`), pack(idxLabels(labels)))
  }
  return folder
}

/** Records of CIFAR's binary format: the label bytes, then 3 x 32 x 32 pixels. */
export function cifarRecords(labels: ReadonlyArray<readonly number[]>, key: string): Uint8Array {
  return Buffer.concat(labels.map((label, i) => Buffer.concat([Uint8Array.from(label), bytes(3072, key, i)])))
}

/** CIFAR-10's six files, `n` records each. */
export function writeCifar10(folder: string, n: number): string {
  const label = (i: number) => [i % 10]
  const labels = Array.from({ length: n }, (_, i) => label(i))
  for (const name of [
    'data_batch_1',
    'data_batch_2',
    'data_batch_3',
    'data_batch_4',
    'data_batch_5',
    'test_batch',
  ])
    write(join(folder, `${name}.bin`), cifarRecords(labels, name))
  return folder
}

/** CIFAR-100's files: coarse and fine label before the pixels. */
export function writeCifar100(folder: string, train: number, test: number): string {
  for (const [part, n] of [
    ['train', train],
    ['test', test],
  ] as const) {
    const labels = Array.from({ length: n }, (_, i) => [(i * 7) % 20, (i * 3) % 100])
    write(join(folder, `${part}.bin`), cifarRecords(labels, part))
  }
  const names = Array.from({ length: 100 }, (_, k) => `class_${String(k).padStart(2, '0')}`)
  write(join(folder, 'fine_label_names.txt'), `${names.join('\n')}\n`)
  return folder
}

export interface Picture {
  readonly width: number
  readonly height: number
  readonly colour: readonly [number, number, number]
}

/** A file of one colour, in the format of its ending. */
export async function writePicture(path: string, { width, height, colour }: Picture): Promise<string> {
  const [r, g, b] = colour
  mkdirSync(dirname(path), { recursive: true })
  await sharp({ create: { width, height, channels: 3, background: { r, g, b } } }).toFile(path)
  return path
}

/** Food-101's layout with tiny pictures. */
export async function writeFood101(
  folder: string,
  classes: readonly string[],
  each: number,
): Promise<string> {
  const train: string[] = []
  const test: string[] = []
  for (const [k, name] of classes.entries()) {
    for (let i = 0; i < each; i++) {
      const id = `${name}/${1000 + i}`
      ;(i % 4 === 3 ? test : train).push(id)
      const colour = [40 * k, 255 - 40 * k, 20 * i] as const
      await writePicture(join(folder, 'images', `${id}.jpg`), { width: 24 + k, height: 20 + i, colour })
    }
  }
  write(join(folder, 'meta', 'classes.txt'), `${classes.join('\n')}\n`)
  write(
    join(folder, 'meta', 'labels.txt'),
    `${classes.map((name) => name.replaceAll('_', ' ')).join('\n')}\n`,
  )
  write(join(folder, 'meta', 'train.txt'), train.join('\n'))
  write(join(folder, 'meta', 'test.txt'), test.join('\n'))
  return folder
}

export interface Member {
  readonly name: string
  readonly content?: Uint8Array | string
  /** As in a tar header; default a plain file. */
  readonly type?: string
  /** As in a tar header; default that of the content. */
  readonly size?: string
}

/** A tar archive of the members, gzipped. */
export function tarGz(members: readonly Member[]): Uint8Array {
  const blocks = members.flatMap(({ name, content = '', type = '0', size }) => {
    const data = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write(size ?? `${data.length.toString(8).padStart(11, '0')}\0`, 124, 12, 'latin1')
    header.write(' '.repeat(8), 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

/** The files of a folder by name. */
export function filesOf(home: string): Record<string, Uint8Array> {
  return Object.fromEntries(readdirSync(home).map((name) => [name, readFileSync(join(home, name))]))
}

export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Puts an `npm` before the real one on PATH: a script of ours. Returns a function that takes it away again. */
export function fakeNpm(folder: string, script: string): () => void {
  const path = write(join(folder, 'npm'), `#!${process.execPath}\n${script}\n`)
  chmodSync(path, 0o755)
  const before = process.env.PATH
  process.env.PATH = `${folder}${delimiter}${before}`
  return () => {
    process.env.PATH = before
  }
}
