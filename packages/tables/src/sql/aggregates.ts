import type { Params } from 'rlvi'
import { type Aggregates, type CountAggregates, type PassModel, withDispersion } from 'rlvi/passes'
import { lossBins, offsetBins } from './bins.js'
import { shellBinsBySql } from './counts.js'
import { informationSums } from './information.js'
import { momentSums } from './moments.js'
import { newtonSums } from './newton.js'
import { checkRows, numbersOf, type SqlRows } from './rows.js'
import { SqlScan } from './scan.js'

/** The sums that a fit needs, by SQL where the rows are: nothing else travels. */
export function sqlAggregates<P extends Params>(model: PassModel<P>, table: SqlRows): Aggregates<P> {
  const scan = new SqlScan(model, table)
  const all: Aggregates<P> = {
    rows: table.rows,
    cols: table.x.length,
    centre: table.centre,
    losses: (params) => lossBins(scan, params),
    moments: (ask) => momentSums(scan, ask),
    newton: (ask) => newtonSums(scan, ask),
    offsets: (ask) => offsetBins(scan, ask),
    information: (params, weights) => informationSums(scan, params, weights),
  }
  if (model.name !== 'poisson') return all
  return { ...all, counted: (dispersion) => countAggregates(withDispersion(model, dispersion), table) }
}

/** Counts, under a law of some dispersion. */
function countAggregates<P extends Params>(model: PassModel<P>, table: SqlRows): CountAggregates<P> {
  const scan = new SqlScan(model, table)
  return {
    ...sqlAggregates(model, table),
    model,
    async shells(ask) {
      const { bins, rows } = await shellBinsBySql(model, ask, scan.names, async (...query) =>
        (await scan.query(...query)).map((row) => row.flatMap(numbersOf)),
      )
      checkRows(table, rows)
      return bins
    },
  }
}
