import { createRequire } from 'node:module'

/**
 * DuckDB, by `require`: before an `import`, Node would look through each of its CommonJS files for the names that it exports,
 * which takes longer than loading them.
 */
export const duckdb: typeof import('@duckdb/node-api') = createRequire(import.meta.url)('@duckdb/node-api')
