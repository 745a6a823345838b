import { type LinearParams, type Matrix, matrix, type Params, type SoftmaxParams } from 'rlvi'
import type { RowWeights } from 'rlvi/passes'
import { choose, type Let, minus, number } from './dialect.js'
import { classesSql, predictorSql, sigmoid, type ValueSql } from './models.js'
import type { Piece } from './pieces.js'
import { numbersOf, triangle } from './rows.js'
import type { SqlScan } from './scan.js'

/** Observed information of labels or counts. */
export async function informationSums<P extends Params>(
  scan: SqlScan<P>,
  params: P,
  weights: RowWeights<P>,
): Promise<Matrix> {
  const w = scan.weight(weights)
  const { x, y, prefix } = scan.names
  const columns = scan.model.intercept ? [number(1), ...x] : [...x]
  if (scan.model.name === 'softmax')
    return await classInformation(scan, params as unknown as SoftmaxParams, w)
  const eta = predictorSql(params as unknown as LinearParams, scan.names, 'n')
  const [p, h] = [`${prefix}p`, `${prefix}h`]
  const isCount = scan.model.name === 'poisson'
  const a = number(scan.model.dispersion ?? 0)
  const expected = isCount ? `exp(${eta.sql})` : sigmoid(eta.sql)
  // 1 without a dispersion.
  const spread = isCount ? `(${number(1)} + ${a} * ${p})` : number(1)
  const curvature = isCount
    ? `(${p} / ${spread} * (${number(1)} + ${a} * ${y}) / ${spread})`
    : `(${p} * ${sigmoid(minus(eta.sql))})`
  const off = `((${p} - ${y}) / ${spread})`
  const unsure = `(${number(1)} - ${w.sql}) * ${off} * ${off}`
  const lets: Let[] = [...w.lets, ...eta.lets, [p, expected], [h, `${w.sql} * (${curvature} - ${unsure})`]]
  const answers = await scan.sums(lets, scan.products(h, columns, 'i'))
  return triangle(answers.flat(), columns.length)
}

/** As `information` of `softmax` has it: the rows' part for each two classes, and far more for the shift that all have in common. */
async function classInformation<P extends Params>(
  scan: SqlScan<P>,
  params: SoftmaxParams,
  w: ValueSql,
): Promise<Matrix> {
  const { intercept, classes: K } = scan.model
  const { x, y, prefix } = scan.names
  const columns = intercept ? [number(1), ...x] : [...x]
  const { lets, etas, total } = classesSql(params, scan.names, 'n')
  const p = etas.map((_, k) => `${prefix}p${k}`)
  const e = etas.map((_, k) => `${prefix}e${k}`)
  const own = etas.flatMap((eta, k): Let[] => [
    [p[k]!, `exp(${eta} - ${total})`],
    [e[k]!, `(${p[k]} - ${choose(`${y} = ${number(k)}`, number(1), number(0))})`],
  ])
  const pairs = etas.flatMap((_, k) => Array.from({ length: k + 1 }, (_, m) => ({ k, m })))
  const pieces: Piece[] = [
    { lets: [], items: [`[${columns.map((c) => `sum(${c} * ${c})`).join(', ')}]`], sums: columns.length },
  ]
  const starts = pairs.map(({ k, m }) => {
    const from = pieces.length
    const both = k === m ? `${p[k]} * (${number(1)} - ${p[k]})` : minus(`${p[k]} * ${p[m]}`)
    const weight = `${w.sql} * (${both} + (${w.sql} - ${number(1)}) * ${e[k]} * ${e[m]})`
    pieces.push(...scan.products(weight, columns, `i${k}_${m}`))
    return from
  })
  const answers = await scan.sums([...w.lets, ...lets, ...own], pieces)
  const lengths = numbersOf(answers[0]![0]!)
  const wide = columns.length
  const first = intercept ? K : 0
  const size = K * wide
  const out = matrix(size, size)
  const place = (k: number, j: number): number =>
    intercept && j === 0 ? k : first + k * scan.cols + j - (intercept ? 1 : 0)
  pairs.forEach(({ k, m }, at) => {
    const block = triangle(answers.slice(starts[at], starts[at + 1]).flat(), wide)
    for (let j = 0; j < wide; j++)
      for (let q = 0; q < wide; q++) {
        const shift = j === q ? (1e6 * lengths[j]!) / (K * K) : 0
        const value = block.values[j * wide + q]! + shift
        out.values[place(k, j) * size + place(m, q)] = value
        out.values[place(m, q) * size + place(k, j)] = value
      }
  })
  return out
}
