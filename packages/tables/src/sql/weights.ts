import { phrase, type Params, RlviError } from 'rlvi'
import type { PassModel, RowWeights } from 'rlvi/passes'
import { number } from './dialect.js'
import { lossSql, type RowsSql, type ValueSql } from './models.js'

/** The weight of a row: what `weigh` computes. */
export function weightSql<P extends Params>(
  model: PassModel<P>,
  weights: RowWeights<P>,
  rows: RowsSql,
): ValueSql {
  const weight = `${rows.prefix}weight`
  switch (weights.by) {
    case 'all':
      return { lets: [], sql: number(1) }
    case 'losses': {
      const { params, least, bend, height } = weights
      const { lets, sql } = lossSql(model, params, rows, 'w')
      const own = `${number(height)} / (${number(bend)} + exp(${sql} - ${number(least)}))`
      return { lets: [...lets, [weight, own]], sql: weight }
    }
    case 'law':
      throw new RlviError('weights', 'those by losses are needed', phrase('a law'))
  }
}
