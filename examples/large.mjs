/** Writes out/large.parquet, 1,000,000 x 20 with every tenth target spoiled, to measure `rlvi fit` with. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'

const folder = fileURLToPath(new URL('../out/', import.meta.url))
mkdirSync(folder, { recursive: true })
const names = Array.from({ length: 20 }, (_, j) => `x${j + 1}`)
const noise = 'random() + random() + random() - 1.5'
const spoiled = 'case when random() < 0.1 then 20 * random() else 0 end'
const features = names.map((name) => `10 * random() - 5 as ${name}`).join(', ')
const rows = `select *, ${names.join(' + ')} + ${noise} + ${spoiled} as y from (select ${features} from range(1000000))`
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run('select setseed(0.5)')
await connection.run(`copy (${rows}) to '${folder.replaceAll("'", "''")}large.parquet'`)
console.log('out/large.parquet')
