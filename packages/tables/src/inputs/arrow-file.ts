/**
 * A process of its own for Arrow and Feather files (see apart.ts): writes the table as CSV, and prints what it left out, as JSON.
 *
 *   arrow-file.js FILE OUT MOST        MOST is how many bytes the columns may unpack to
 */
import { createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import type { DataType, Table } from 'apache-arrow'
import { csvCell, type Value } from './csv-cell.js'
import { failed } from './failed.js'
import { unpackLz4 } from './lz4.js'

/** What was written. */
export interface ArrowWritten {
  /** Whether the package that reads such files is there. */
  readonly isThere: boolean
  /** Columns of other types than numbers, texts, dates, true and false, with their types. */
  readonly left: readonly string[]
}

type Library = typeof import('apache-arrow')

async function write(file: string, out: string, most: number): Promise<ArrowWritten> {
  const arrow = await import('apache-arrow').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  })
  if (arrow === undefined) return { isThere: false, left: [] }
  const bytes = readFileSync(file)
  if (bytes.toString('latin1', 0, 4) === 'FEA1')
    throw new Error('Feather of version 1, which no program writes any more')
  unpackBy(arrow, most)
  const table = arrow.tableFromIPC(bytes)
  if (table.schema.fields.length === 0) throw new Error('no columns')
  const fields = table.schema.fields.map(({ name, type }, j) => ({ name, type, j }))
  const used = fields.filter(({ type }) => isSingle(arrow, type))
  await pipeline(Readable.from(lines(table, used, arrow)), createWriteStream(out, { mode: 0o600 }))
  const left = fields.filter((field) => !used.includes(field))
  return { isThere: true, left: left.map(({ name, type }) => `${JSON.stringify(name)} (${type})`) }
}

/** The library leaves it to others to unpack columns. */
function unpackBy({ compressionRegistry, CompressionType }: Library, most: number): void {
  let rest = most
  const counted = (unpacked: Uint8Array): Uint8Array => {
    rest -= unpacked.length
    return unpacked
  }
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (packed) => counted(unpackLz4(packed, rest)) })
  // In Node from 22.15 on.
  const unpack: ((packed: Uint8Array, options: object) => Uint8Array) | undefined = Reflect.get(
    zlib,
    'zstdDecompressSync',
  )
  const decode = (packed: Uint8Array): Uint8Array => {
    if (unpack === undefined) throw new Error('columns packed by zstd, which Node unpacks from 22.15 on')
    return counted(unpack(packed, { maxOutputLength: rest }))
  }
  compressionRegistry.set(CompressionType.ZSTD, { decode })
}

function isSingle(arrow: Library, type: DataType): boolean {
  const { DataType } = arrow
  if (DataType.isDictionary(type)) return isSingle(arrow, type.dictionary)
  return [
    DataType.isNull,
    DataType.isBool,
    DataType.isInt,
    DataType.isFloat,
    DataType.isUtf8,
    DataType.isLargeUtf8,
    DataType.isDate,
    DataType.isTimestamp,
  ].some((is) => is(type))
}

interface Used {
  readonly name: string
  readonly type: DataType
  readonly j: number
}

function* lines(table: Table, used: readonly Used[], { DataType }: Library): Generator<string> {
  yield `${used.map(({ name }) => csvCell(name)).join(',')}\n`
  for (const batch of table.batches) {
    const columns = used.map(({ type, j }) => ({
      isDate: DataType.isDate(type) || DataType.isTimestamp(type),
      values: batch.getChildAt(j)!,
    }))
    for (let i = 0; i < batch.numRows; i++) {
      const row = columns.map(({ values, isDate }) => csvCell(writable(values.get(i), isDate)))
      // A line without anything would be no row.
      yield `${row.length === 1 && row[0] === '' ? '""' : row.join(',')}\n`
    }
  }
}

/** Points in time come as milliseconds, and are written to the last one. */
function writable(value: Value | undefined, isDate: boolean): Value {
  if (value === null || value === undefined || (typeof value === 'number' && Number.isNaN(value))) return null
  return isDate && !(value instanceof Date) ? new Date(Number(value)) : value
}

const [file = '', out = '', most] = process.argv.slice(2)
const printed = await write(file, out, Number(most)).catch(failed)
process.stdout.write(JSON.stringify(printed), () => process.exit())
