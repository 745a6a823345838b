export { isClickhouse, withoutPassword } from './clickhouse/address.js'
export { type ClickhouseFit, fitClickhouse } from './clickhouse/fit.js'
export { type ClickhouseTable, withClickhouse } from './clickhouse/table.js'
export { checkNoTable } from './clickhouse/write-rows.js'
export { countRows } from './count.js'
export { type CsvOptions, csvLines } from './csv.js'
export { beside, keptColumns, rowsOf } from './kept.js'
export { look, type TableLook } from './look/look.js'
export type { InputRows } from './passes/input-rows.js'
export { type OwnCell, type SourceOptions, type TableSource, withRowSource } from './passes/row-source.js'
export { read, type Wanted } from './read.js'
export type { TextOptions } from './sources/source.js'
export { quoteName, quotePath, quoteText } from './sql/duckdb.js'
export { type Column, type Kind, type OpenOptions, type Part, type Table, withTable } from './table.js'
export {
  type Cell,
  type OutColumn,
  type OutTable,
  type WrittenTable,
  writePieces,
  writeTable,
} from './write.js'
