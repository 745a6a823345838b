import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { temporaryFolder } from '../packages/io/dist/index.js'
import { exportOnnx } from '../packages/nn/dist/executors/onnx/export.js'
import { referenceExecutor } from '../packages/nn/dist/executors/reference/reference.js'
import { evaluation } from '../packages/nn/dist/models/graphs.js'
import { lenet } from '../packages/nn/dist/models/lenet.js'
import { modelWeights } from '../packages/nn/dist/models/weights.js'

/** Valid inputs, from which cases are made, and a folder for files. */

// Most processes of the fuzzer are killed; what they leave goes with the next one.
const home = temporaryFolder()
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
export const at = (name) => join(home, name)
export const file = (name, bytes) => {
  writeFileSync(at(name), bytes)
  return at(name)
}

const row = (i) => ({ x: Math.sin(i), c: ['a', 'b'][i % 2], y: i % 3 })
export const rows = Array.from({ length: 12 }, (_, i) => row(i))
export const csv = `x,c,y\n${rows.map(({ x, c, y }) => `${x},${c},${y}`).join('\n')}\n`
export const quoted = `"x";"a ""b""";"y"\r\n${rows.map(({ x, c, y }) => `${x};"${c},\n";${y}`).join('\r\n')}\r\n`
export const ndjson = `${rows.map((one) => JSON.stringify(one)).join('\n')}\n`
export const dates = `day,price,y\n${rows.map(({ x }, i) => `2024-01-${10 + i},"$${1000 + i}",${x}`).join('\n')}\n`

export async function parquet(name) {
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

export function idx(kind, dims, length) {
  const header = Buffer.alloc(4 + 4 * dims.length)
  header.writeUInt32BE(kind)
  for (const [k, dim] of dims.entries()) header.writeUInt32BE(dim, 4 + 4 * k)
  return Buffer.concat([header, Buffer.alloc(length, 7)])
}

export function tarball() {
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
export function xlsx() {
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
export function mat() {
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
export async function onnxFile() {
  if (network === undefined) {
    const model = lenet()
    const weights = await modelWeights(await referenceExecutor().compile(evaluation(model, 1)))
    const classes = Array.from({ length: 10 }, (_, i) => `${i}`)
    network = Buffer.from(exportOnnx(model, weights, { classes, normalisation: { mean: [0.5], sd: [0.5] } }))
  }
  return network
}

export async function pictures() {
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

export const tensors = new Map([
  ['a', { shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) }],
  ['b', { shape: [3], values: Int32Array.of(1, 2, 3) }],
])
