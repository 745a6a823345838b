import type { Params } from 'rlvi'
import type { PassModel, RowWeights } from 'rlvi/passes'
import { goodCountsSql } from './counts.js'
import { minus, number } from './dialect.js'
import { lawSql } from './laws.js'
import { lossSql, type RowsSql, type ValueSql } from './models.js'

/** The weight of a row: what `weigh` computes. */
export function weightSql<P extends Params>(
  model: PassModel<P>,
  weights: RowWeights<P>,
  rows: RowsSql,
): ValueSql {
  switch (weights.by) {
    case 'all':
      return { lets: [], sql: number(1) }
    case 'losses': {
      const { params, least, bend, height, orRight } = weights
      const { lets, sql } = lossSql(model, params, rows, 'w')
      const { dialect, prefix } = rows
      const weightOf = (l: string): string =>
        `${number(height)} / (${number(bend)} + exp(${l} - ${number(least)}))`
      // A label that is random is right, too, with the probability that the model gives it.
      const right = (l: string): string =>
        dialect.bind(
          weightOf(l),
          `${prefix}known`,
          (w) => `${w} + (${number(1)} - ${w}) * exp(${minus(`(${l})`)})`,
        )
      const own = orRight ? dialect.bind(sql, `${prefix}lw`, right) : weightOf(`(${sql})`)
      return { lets: [...lets, [`${prefix}weight`, own]], sql: `${prefix}weight` }
    }
    case 'law':
      return lawSql(model, weights.params, weights.law, weights.use, rows)
    case 'counts':
      return goodCountsSql(model, weights, rows)
  }
}
