import { existsSync, readFileSync, rmSync } from 'node:fs'
import { main } from '../packages/cli/dist/main.js'
import { RlviError } from '../packages/core/dist/index.js'
import { fitSource, fitTable } from '../packages/estimator/dist/index.js'
import { read, withRowSource, withTable } from '../packages/tables/dist/index.js'
import { at, file } from './seeds.mjs'

/** What no output of ours says of itself, unless it stands in the input. */
const ODD = ['NaN', 'Infinity', 'undefined', '[object']

/** The command, run here; its own report of something unexpected is a failure, and so is a number that is none. */
export async function command(argv, bytes = Buffer.alloc(0)) {
  const remarks = []
  const written = []
  const io = {
    out: async (text) => void written.push(text),
    remark: (line) => remarks.push(line),
    terminal: false,
  }
  const status = await main(argv, io)
  const odd = remarks.find((line) => line.startsWith('rlvi: '))
  if (odd !== undefined) throw new Error(odd)
  if (status !== 0 && remarks.length === 0) throw new Error(`status ${status} without a word`)
  const size = remarks.join('\n').length
  if (size > 200_000) throw new Error(`${size} signs of remarks`)
  const out = written.join('')
  checkText(out, bytes)
  return { status, out }
}

function checkText(text, bytes) {
  const found = ODD.find((word) => text.includes(word) && !bytes.includes(word))
  if (found === undefined) return
  const at = text.indexOf(found)
  throw new Error(`${found} in ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))}`)
}

const linear = ['--target', 'y', '--model', 'linear']
const methods = ['ml', 'paper', 'calibrated']

export const fitted = (name) => (bytes) =>
  command(['fit', file(name, bytes), ...linear, '--method', 'ml'], bytes)

export const streamed =
  (name, ...flags) =>
  (bytes) =>
    command(['stream', '--input', file(name, bytes), ...linear, '--batch', '4', ...flags], bytes)

/** By what it begins with, as a file has a name that says what is in it. */
function named(name, bytes) {
  const kind =
    bytes.subarray(0, 4).toString('latin1') === 'PAR1' ? 'parquet' : bytes[0] === 0x7b ? 'ndjson' : 'csv'
  return file(`${name}.${kind}`, bytes)
}

export async function looked(bytes) {
  const report = at('look.html')
  rmSync(report, { force: true })
  const { status } = await command(['look', named('look', bytes), '--json', '--report', report], bytes)
  checkReport(report, status, bytes)
}

/** A page about a fit, its model chosen by the data, and its method by their length. */
export async function reported(bytes) {
  const report = at('fit.html')
  rmSync(report, { force: true })
  const method = methods[bytes.length % methods.length]
  const argv = ['fit', named('report', bytes), '--target', 'y', '--method', method, '--report', report]
  const { status } = await command(argv, bytes)
  checkReport(report, status, bytes)
}

function checkReport(report, status, bytes) {
  if (existsSync(report) !== (status === 0)) throw new Error(`status ${status}, and the other of a report`)
  if (status === 0) checkText(readFileSync(report, 'utf8').replace(/<script>.*?<\/script>/gs, ''), bytes)
}

/** A fit of rows that do not fit into memory says what one in memory does. */
export async function inBlocks(bytes) {
  const path = named('blocks', bytes)
  const method = methods[bytes.length % methods.length]
  const options = { target: 'y', model: 'linear', method }
  const wanted = ({ columns }) => ({
    features: columns.map(({ name }) => name).filter((name) => name !== 'y'),
    target: 'y',
  })
  const whole = await ended(() =>
    withTable(path, {}, async (table) => fitTable(await read(table, wanted(table)), options)),
  )
  const blocks = await ended(() =>
    withTable(path, {}, (table) =>
      withRowSource(table, wanted(table), async (source) => {
        const fit = await fitSource(source, options)
        await source.eachRows(['y'], ({ block }) => {
          const { clean } = fit.judge(block)
          if (!clean.every((p) => p >= 0 && p <= 1)) throw new Error('P(good) beyond 0 to 1 in blocks')
        })
        return fit
      }),
    ),
  )
  compare(whole, blocks, method === 'calibrated' ? 0.05 : 1e-5)
}

async function ended(fit) {
  try {
    const { part, rows, status, corruption, explained } = await fit()
    return { rows: part?.rows ?? rows.length, status: status.kind, corruption, explained }
  } catch (error) {
    if (!(error instanceof RlviError)) throw error
    return { status: 'an error' }
  }
}

function isWithin(level, { corruption: { interval } }) {
  return interval !== undefined && interval[0] <= level && level <= interval[1]
}

/** What does not depend on units, or on which of the labels is the first; of a fit that has an answer, and one alone. */
function compare(a, b, tolerance) {
  if (a.status === 'degenerate' || b.status === 'degenerate') return
  if (a.status !== b.status) throw new Error(`${a.status} in memory, ${b.status} in blocks`)
  if (a.status !== 'converged') return
  if (a.rows !== b.rows) throw new Error(`${a.rows} rows in memory, ${b.rows} in blocks`)
  // Of a few rows two laws of errors may explain the same: then each answer is within the other's interval.
  const differ = Math.abs(a.corruption.level - b.corruption.level) > tolerance
  if (differ && isWithin(a.corruption.level, b) && isWithin(b.corruption.level, a)) return
  const pairs = {
    level: [a.corruption.level, b.corruption.level],
    'explained share': [a.explained?.share ?? 0, b.explained?.share ?? 0],
  }
  for (const [what, [x, y]] of Object.entries(pairs))
    if (!(Math.abs(x - y) <= tolerance)) throw new Error(`${what}: ${x} in memory, ${y} in blocks`)
}
