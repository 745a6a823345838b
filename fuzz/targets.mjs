import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { RlviError } from '../packages/core/dist/index.js'
import { onnxClassifier } from '../packages/nn/dist/executors/onnx/classifier.js'
import { readSafetensors, writeSafetensors } from '../packages/nn/dist/models/safetensors.js'
import { readOnnx } from '../packages/nn/dist/onnx/read.js'
import { readCheckpoint } from '../packages/nn/dist/training/checkpoint.js'
import { readMat } from '../packages/paper/dist/online/data/mat.js'
import { parseAddress } from '../packages/tables/dist/clickhouse/address.js'
import { unpack } from '../packages/vision/dist/data/fetch/tar.js'
import { loadCifar10 } from '../packages/vision/dist/data/formats/cifar.js'
import { decode } from '../packages/vision/dist/data/formats/decode.js'
import { readIdxImages, readIdxLabels } from '../packages/vision/dist/data/formats/idx.js'
import { command, fitted, inBlocks, looked, reported, streamed } from './commands.mjs'
import { degenerate, degeneratePasses } from './degenerate.mjs'
import {
  at,
  csv,
  dates,
  file,
  idx,
  mat,
  ndjson,
  onnxFile,
  parquet,
  pictures,
  quoted,
  rows,
  tarball,
  tensors,
  xlsx,
} from './seeds.mjs'
import { readSheet, sheetText } from './sheets.mjs'

/**
 * What is fuzzed. `seeds` are valid inputs; `run` ends, or throws an error of ours, for any bytes at all. A `run` that ends in
 * any other error, too late, with too much memory or not at all is a failure.
 */

const linearRows = ['--target', 'y', '--model', 'linear', '--exclude', 'c']
const tables = async () => [
  ...[csv, quoted, dates, ndjson].map((text) => Buffer.from(text)),
  await parquet('tables.parquet'),
]
const fits = (methods) => () =>
  Array.from({ length: 7 * methods }, (_, k) =>
    Buffer.from([k % 7, k, 12, 2, ...Array.from({ length: 60 }, (_, i) => (i * 5 + k) % 16)]),
  )

export const targets = {
  csv: { seeds: () => [csv, quoted, dates].map(Buffer.from), run: fitted('f.csv') },
  json: { seeds: () => [ndjson, JSON.stringify(rows)].map(Buffer.from), run: fitted('f.json') },
  gz: { seeds: () => [csv, ndjson].map((text) => gzipSync(text)), run: fitted('f.csv.gz') },
  xlsx: {
    seeds: () => [xlsx(), readFileSync(new URL('../packages/tables/golden/sheets.xlsx', import.meta.url))],
    run: fitted('f.xlsx'),
  },
  sheets: { seeds: () => [Buffer.from(sheetText())], run: readSheet },
  arrow: {
    seeds: () =>
      ['lz4', 'plain'].map((name) =>
        readFileSync(new URL(`../packages/tables/golden/${name}.feather`, import.meta.url)),
      ),
    run: fitted('f.feather'),
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
      await command(['stream', '--input', input, ...linearRows, '--state', at('seed.state')])
      return [readFileSync(at('seed.state'))]
    },
    async run(bytes) {
      const state = file('f.state', bytes)
      await command(['stream', '--input', at('state-rows.ndjson'), ...linearRows, '--state', state], bytes)
    },
  },
  model: {
    async seeds() {
      const path = file('model-rows.csv', csv)
      const saved = []
      for (const model of ['linear', 'softmax', 'poisson']) {
        await command(['fit', path, '--target', 'y', '--model', model, '--save', at('seed.json')])
        saved.push(readFileSync(at('seed.json')))
      }
      return saved
    },
    run: (bytes) => command(['predict', file('f-model.json', bytes), file('model-rows.csv', csv)], bytes),
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
  look: { seeds: tables, run: looked },
  blocks: { seeds: tables, run: inBlocks },
  report: { seeds: tables, run: reported },
  address: {
    seeds: () => [Buffer.from('clickhouse+https://user:pass%20word@host.example:8443/data')],
    run: async (bytes) => void parseAddress(bytes.toString(), {}),
  },
  degenerate: { seeds: fits(6), run: async (bytes) => degenerate(bytes) },
  passes: { seeds: fits(3), run: degeneratePasses },
}

/** Errors of ours are an ending like any other. */
export function ours(error) {
  if (!(error instanceof RlviError)) throw error
}
