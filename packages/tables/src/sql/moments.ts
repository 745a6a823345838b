import { type LinearParams, matrix, type Params } from 'rlvi'
import type { Moments, MomentsAsked } from 'rlvi/passes'
import { number } from './dialect.js'
import { predictorSql } from './models.js'
import type { Piece } from './pieces.js'
import { numberOf, triangle } from './rows.js'
import type { SqlScan } from './scan.js'

/** Weighted sums of columns and of their products. */
export async function momentSums<P extends Params>(
  scan: SqlScan<P>,
  { weights, params, squared }: MomentsAsked<P>,
): Promise<Moments> {
  const { prefix } = scan.table
  const { lets: own, sql: weight } = scan.weight(weights, squared)
  const z = scan.centred(scan.centre)
  const isLinear = scan.model.name === 'linear'
  const lets = [...own, ...z.lets]
  const columns = [number(1), ...z.names]
  const { y } = scan.names
  if (isLinear) {
    const residual = `${prefix}residual`
    const from = params as unknown as LinearParams | undefined
    const eta = from === undefined ? undefined : predictorSql(from, scan.names, 'm')
    lets.push(...(eta?.lets ?? []), [residual, eta === undefined ? y : `(${y} - ${eta.sql})`])
    columns.push(residual)
  }
  const squares: Piece[] = isLinear ? [{ lets: [], items: [`sum(${weight} * ${y} * ${y})`], sums: 1 }] : []
  const answers = await scan.sums(lets, [...squares, ...scan.products(weight, columns, 'm')])
  const all = triangle(answers.slice(squares.length).flat(), columns.length)
  const d = columns.length - 1
  const out = matrix(d, d)
  for (let j = 0; j < d; j++)
    for (let k = 0; k < d; k++) out.values[j * d + k] = all.values[(j + 1) * (d + 1) + k + 1]!
  return {
    weight: all.values[0]!,
    sums: all.values.slice(1, d + 1),
    squares: out,
    responses: isLinear ? numberOf(answers[0]![0]!) : 0,
  }
}
