import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { main } from '../packages/cli/dist/main.js'
import * as rlvi from '../packages/core/dist/index.js'
import { onnxClassifier } from '../packages/nn/dist/executors/onnx/classifier.js'
import { exportOnnx } from '../packages/nn/dist/executors/onnx/export.js'
import { referenceExecutor } from '../packages/nn/dist/executors/reference/reference.js'
import { evaluation } from '../packages/nn/dist/models/graphs.js'
import { lenet } from '../packages/nn/dist/models/lenet.js'
import { readSafetensors, writeSafetensors } from '../packages/nn/dist/models/safetensors.js'
import { modelWeights } from '../packages/nn/dist/models/weights.js'
import { readOnnx } from '../packages/nn/dist/onnx/read.js'
import { readCheckpoint } from '../packages/nn/dist/training/checkpoint.js'
import { readMat } from '../packages/paper/dist/online/data/mat.js'
import { unpack } from '../packages/vision/dist/data/fetch/tar.js'
import { loadCifar10 } from '../packages/vision/dist/data/formats/cifar.js'
import { decode } from '../packages/vision/dist/data/formats/decode.js'
import { readIdxImages, readIdxLabels } from '../packages/vision/dist/data/formats/idx.js'

/**
 * What is fuzzed. `seeds` are valid inputs; `run` ends, or throws an error of ours, for any bytes at all. A `run` that ends in
 * any other error, too late, with too much memory or not at all is a failure.
 */

const home = mkdtempSync(join(tmpdir(), 'rlvi-fuzz-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const at = (name) => join(home, name)
const file = (name, bytes) => {
  writeFileSync(at(name), bytes)
  return at(name)
}

/** The command, run here; its own report of something unexpected is a failure. */
async function command(...argv) {
  const remarks = []
  const io = { out: async () => undefined, remark: (line) => remarks.push(line), terminal: false }
  const status = await main(argv, io)
  const odd = remarks.find((line) => line.startsWith('rlvi: '))
  if (odd !== undefined) throw new Error(odd)
  if (status !== 0 && remarks.length === 0) throw new Error(`status ${status} without a word`)
  const size = remarks.join('\n').length
  if (size > 200_000) throw new Error(`${size} signs of remarks`)
}

const row = (i) => ({ x: Math.sin(i), c: ['a', 'b'][i % 2], y: i % 3 })
const rows = Array.from({ length: 12 }, (_, i) => row(i))
const csv = `x,c,y\n${rows.map(({ x, c, y }) => `${x},${c},${y}`).join('\n')}\n`
const quoted = `"x";"a ""b""";"y"\r\n${rows.map(({ x, c, y }) => `${x};"${c},\n";${y}`).join('\r\n')}\r\n`
const ndjson = `${rows.map((one) => JSON.stringify(one)).join('\n')}\n`
const dates = `day,price,y\n${rows.map(({ x }, i) => `2024-01-${10 + i},"$${1000 + i}",${x}`).join('\n')}\n`

const linearRows = ['--target', 'y', '--model', 'linear', '--exclude', 'c']

async function parquet(name) {
  const duckdb = createRequire(new URL('../packages/tables/dist/duckdb.js', import.meta.url))(
    '@duckdb/node-api',
  )
  const instance = await duckdb.DuckDBInstance.create(name.endsWith('.duckdb') ? at(name) : ':memory:')
  const connection = await instance.connect()
  await connection.run('create table t as select sin(range) as x, range % 3 as y from range(12)')
  if (name.endsWith('.parquet')) await connection.run(`copy t to '${at(name)}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()
  return readFileSync(at(name))
}

const fitted = (name) => (bytes) =>
  command('fit', file(name, bytes), '--target', 'y', '--model', 'linear', '--method', 'ml')
const streamed =
  (name, ...flags) =>
  (bytes) =>
    command(
      'stream',
      '--input',
      file(name, bytes),
      '--target',
      'y',
      '--model',
      'linear',
      '--batch',
      '4',
      ...flags,
    )

function idx(kind, dims, length) {
  const header = Buffer.alloc(4 + 4 * dims.length)
  header.writeUInt32BE(kind)
  for (const [k, dim] of dims.entries()) header.writeUInt32BE(dim, 4 + 4 * k)
  return Buffer.concat([header, Buffer.alloc(length, 7)])
}

function tarball() {
  const member = (name, content) => {
    const head = Buffer.alloc(512)
    head.write(name, 0)
    head.write('0000644\0', 100)
    head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    head.write('        ', 148)
    head.write('0ustar\x0000', 156)
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
  }
  return Buffer.concat([
    member('p/a.bin', Buffer.alloc(30, 1)),
    member('p/b/c', Buffer.alloc(600, 2)),
    Buffer.alloc(1024),
  ])
}

/** A spreadsheet that is not packed, so that what is changed in it are its cells. */
function xlsx() {
  const word = (...values) => Buffer.from(Uint32Array.from(values).buffer)
  const half = (...values) => Buffer.from(Uint16Array.from(values).buffer)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const related = (type, target) =>
    `<Relationships><Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`
  const cell = (value, name) =>
    typeof value === 'number'
      ? `<c r="${name}"><v>${value}</v></c>`
      : `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`
  const line = (values, r) =>
    `<row r="${r}">${values.map((value, j) => cell(value, `${'ABC'[j]}${r}`)).join('')}</row>`
  const lines = [Object.keys(rows[0]), ...rows.map((one) => Object.values(one))]
  const parts = {
    '_rels/.rels': related('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${lines.map((values, k) => line(values, k + 1)).join('')}</sheetData></worksheet>`,
  }
  const members = Object.entries(parts).map(([name, text]) =>
    Buffer.concat([
      Buffer.from('PK\x03\x04'),
      half(20, 0, 0, 0, 0),
      word(crc32(text), text.length, text.length),
      half(name.length, 0),
      Buffer.from(name + text),
    ]),
  )
  // Its reader takes the members as they come, and needs of the directory only that it begins.
  return Buffer.concat([...members, Buffer.from('PK\x05\x06'), Buffer.alloc(18)])
}

/** A MAT file of version 5 with one matrix of doubles. */
function mat() {
  const word = (...values) => Buffer.from(Uint32Array.from(values).buffer)
  const element = (type, bytes) =>
    Buffer.concat([word(type, bytes.length), bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)])
  const inner = Buffer.concat([
    element(6, word(6, 0)),
    element(5, word(2, 2)),
    element(1, Buffer.from('feat')),
    element(9, Buffer.from(Float64Array.of(1, 2, 3, 4).buffer)),
  ])
  const header = Buffer.alloc(128, 0x20)
  header.write('MATLAB 5.0 MAT-file')
  header.writeUInt16LE(0x0100, 124)
  header.write('IM', 126)
  return Buffer.concat([header, element(14, inner)])
}

let network
async function onnxFile() {
  if (network === undefined) {
    const model = lenet()
    const weights = await modelWeights(await referenceExecutor().compile(evaluation(model, 1)))
    const classes = Array.from({ length: 10 }, (_, i) => `${i}`)
    network = Buffer.from(exportOnnx(model, weights, { classes, normalisation: { mean: [0.5], sd: [0.5] } }))
  }
  return network
}

async function pictures() {
  const sharp = createRequire(new URL('../packages/vision/dist/index.js', import.meta.url))('sharp')
  const create = { width: 12, height: 9, channels: 3, background: '#336699' }
  const one = () => sharp({ create })
  return Promise.all([
    one().png().toBuffer(),
    one().png({ progressive: true, palette: true }).toBuffer(),
    one().jpeg({ progressive: true }).toBuffer(),
    one().webp().toBuffer(),
    one().gif().toBuffer(),
    one().tiff().toBuffer(),
  ])
}

const tensors = new Map([
  ['a', { shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) }],
  ['b', { shape: [3], values: Int32Array.of(1, 2, 3) }],
])

/** Numbers that break careless arithmetic, chosen by the bytes of a case: model, method, rows, columns, then a number each. */
const palette = [
  0,
  1,
  -1,
  2,
  0.5,
  3,
  1e-300,
  5e-324,
  1e150,
  -1e150,
  1e300,
  Number.MAX_VALUE,
  1e9,
  1e9 + 1e-6,
  1e-9,
  7,
]
const {
  covariance,
  fit,
  huber,
  linear,
  logistic,
  matrix,
  mean,
  ml,
  paper,
  pca,
  poisson,
  rrm,
  sever,
  softmax,
} = rlvi
const models = [
  linear(),
  logistic(),
  softmax({ classes: 3 }),
  poisson(),
  mean(),
  covariance(),
  pca({ components: 1 }),
]
const methods = [fit, (m, d) => paper(m, d, m.name === 'covariance' ? { goodRows: 0.7 * d.x.rows } : {}), ml]
  .concat([(m, d) => sever(m, d, { assumed: 0.3 }), (m, d) => rrm(m, d, { assumed: 0.3 })])
  .concat([(m, d) => (m.name === 'linear' ? huber(m, d) : ml(m, d))])

function degenerate(bytes) {
  const [a = 0, b = 0, c = 0, d = 0, ...rest] = bytes
  const model = models[a % models.length]
  const [n, cols] = [1 + (c % 24), 1 + (d % 4)]
  const value = (k) => palette[(rest[k % Math.max(1, rest.length)] ?? 0) % palette.length]
  const x = matrix(
    n,
    cols,
    Float64Array.from({ length: n * cols }, (_, k) => value(k)),
  )
  const whole = (v) => Math.abs(Math.floor(Math.min(v, 1e9)))
  const label = { logistic: (v) => (v > 0.5 ? 1 : 0), softmax: (v) => whole(v) % 3, poisson: whole }[
    model.name
  ]
  const y = Float64Array.from({ length: n }, (_, i) => (label ?? ((v) => v))(value(n * cols + i)))
  const { params, clean, losses, corruption, status } = methods[b % methods.length](model, { x, y })
  const all = numbersOf({ ...params, problem: 0 })
  if (!all.every(Number.isFinite)) throw new Error(`parameters that are no numbers, status ${status.kind}`)
  if (!clean.every((p) => p >= 0 && p <= 1)) throw new Error(`P(good) beyond 0 to 1, status ${status.kind}`)
  if (!numbersOf([corruption.level ?? 0, corruption.interval ?? []]).every(Number.isFinite))
    throw new Error('a level that is no number')
  if (status.kind !== 'degenerate' && !losses.every(Number.isFinite))
    throw new Error('losses that are no numbers')
}

function numbersOf(value) {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Array.from(ArrayBuffer.isView(value) ? value : Object.values(value)).flatMap(numbersOf)
}

export const targets = {
  csv: { seeds: () => [csv, quoted, dates].map(Buffer.from), run: fitted('f.csv') },
  json: { seeds: () => [ndjson, JSON.stringify(rows)].map(Buffer.from), run: fitted('f.json') },
  gz: { seeds: () => [csv, ndjson].map((text) => gzipSync(text)), run: fitted('f.csv.gz') },
  xlsx: {
    seeds: () => [xlsx(), readFileSync(new URL('../packages/tables/golden/sheets.xlsx', import.meta.url))],
    run: fitted('f.xlsx'),
  },
  parquet: { seeds: async () => [await parquet('seed.parquet')], run: fitted('f.parquet') },
  duckdb: { seeds: async () => [await parquet('seed.duckdb')], run: fitted('f.duckdb'), apart: true },
  'stream-csv': {
    seeds: () => [csv, quoted].map(Buffer.from),
    run: streamed('s.csv', '--exclude', 'c', '--id', 'x'),
  },
  'stream-ndjson': {
    seeds: () => [Buffer.from(ndjson)],
    run: streamed('s.ndjson', '--categories', 'c=a,b', '--id', 'x'),
  },
  state: {
    async seeds() {
      const input = file('state-rows.ndjson', ndjson)
      rmSync(at('seed.state'), { force: true })
      await command('stream', '--input', input, ...linearRows, '--state', at('seed.state'))
      return [readFileSync(at('seed.state'))]
    },
    async run(bytes) {
      await command(
        'stream',
        '--input',
        at('state-rows.ndjson'),
        ...linearRows,
        '--state',
        file('f.state', bytes),
      )
    },
  },
  model: {
    async seeds() {
      const path = file('model-rows.csv', csv)
      const saved = []
      for (const model of ['linear', 'softmax', 'poisson']) {
        await command('fit', path, '--target', 'y', '--model', model, '--save', at('seed.json'))
        saved.push(readFileSync(at('seed.json')))
      }
      return saved
    },
    run: (bytes) => command('predict', file('f-model.json', bytes), file('model-rows.csv', csv)),
  },
  idx: {
    seeds: () => [idx(0x803, [3, 4, 4], 48), idx(0x801, [5], 5), gzipSync(idx(0x801, [5], 5))],
    async run(bytes) {
      const path = file('f.idx', bytes)
      await readIdxImages(path).catch(ours)
      await readIdxLabels(path)
    },
  },
  cifar: {
    seeds: () => [Buffer.alloc(3073 * 2, 3), Buffer.concat([Buffer.of(9), Buffer.alloc(3072, 200)])],
    async run(bytes) {
      mkdirSync(at('cifar'), { recursive: true })
      file('cifar/test_batch.bin', bytes)
      await loadCifar10(at('cifar'), 'test')
    },
  },
  mat: { seeds: () => [mat()], run: async (bytes) => void readMat('fuzz', bytes) },
  tar: {
    seeds: () => [tarball(), gzipSync(tarball())],
    run: (bytes) =>
      unpack(file('f.tar.gz', bytes[0] === 0x1f ? bytes : gzipSync(bytes)), () => at('unpacked')),
  },
  safetensors: {
    seeds: () => [Buffer.from(writeSafetensors(tensors, { note: 'x' }))],
    run: async (bytes) => void readSafetensors(bytes),
  },
  checkpoint: {
    seeds: () => [
      Buffer.from(
        writeSafetensors(tensors, { 'rlvi.checkpoint': '{"format":2,"identity":{},"numbers":{}}' }),
      ),
    ],
    run: (bytes) => readCheckpoint(bytes),
  },
  onnx: {
    // Of the weights a part is enough to be damaged.
    seeds: async () => [await onnxFile()],
    run: async (bytes) => void readOnnx(bytes),
  },
  network: {
    seeds: async () => [await onnxFile()],
    apart: true,
    async run(bytes) {
      const classifier = await onnxClassifier(bytes, { threads: 1 })
      try {
        const size = classifier.info.image.reduce((product, side) => product * side, 1)
        if (size < 1e6) await classifier.probabilities(new Float32Array(size))
      } finally {
        await classifier.dispose()
      }
    },
  },
  picture: {
    seeds: pictures,
    run: (bytes) => decode(file('f.png', bytes), { width: 8, height: 8, channels: 3 }),
  },
  degenerate: {
    seeds: () =>
      Array.from({ length: 42 }, (_, k) =>
        Buffer.from([k % 7, k, 12, 2, ...Array.from({ length: 60 }, (_, i) => (i * 5 + k) % 16)]),
      ),
    run: async (bytes) => degenerate(bytes),
  },
}

/** Errors of ours are an ending like any other. */
export function ours(error) {
  if (!(error instanceof rlvi.RlviError)) throw error
}
