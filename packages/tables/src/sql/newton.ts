import { type LinearParams, type Matrix, matrix, type Params, type SoftmaxParams } from 'rlvi'
import type { NewtonAsked, NewtonSums } from 'rlvi/passes'
import { choose, type Let, minus, number } from './dialect.js'
import { classesSql, lossSql, predictorSql, sigmoid } from './models.js'
import type { Piece } from './pieces.js'
import { type Answer, numberOf, numbersOf, triangle } from './rows.js'
import type { SqlScan } from './scan.js'

/** The weighted loss of labels or counts, with its derivatives. */
export async function newtonSums<P extends Params>(
  scan: SqlScan<P>,
  { weights, params, design, squared }: NewtonAsked<P>,
): Promise<NewtonSums> {
  const { name, intercept, classes } = scan.model
  const w = scan.weight(weights, squared)
  const z = scan.centred(intercept ? scan.centre : new Float64Array(scan.cols))
  const columns = intercept ? [number(1), ...z.names] : [...z.names]
  const { y } = scan.names
  const per = derivatives(scan, params, w.sql)
  const lets = [...w.lets, ...z.lets, ...per.lets]
  const labels =
    name === 'poisson'
      ? [`sum(${w.sql} * ${y})`]
      : Array.from({ length: classes }, (_, k) => `sum(${choose(`${y} = ${number(k)}`, w.sql, number(0))})`)
  const pieces: Piece[] = [
    {
      lets: [],
      items: [`sum(${w.sql})`, `sum(${w.sql} * (${per.value}))`, ...labels],
      sums: 2 + labels.length,
    },
  ]
  const parts: { from: number; put: (answers: readonly Answer[]) => void }[] = []
  const add = (own: readonly Piece[], put: (answers: readonly Answer[]) => void): void => {
    parts.push({ from: pieces.length, put })
    pieces.push(...own)
  }
  const wide = columns.length
  const size = per.scores.length * wide
  const gradient = new Float64Array(size)
  const curvature = matrix(size, size)
  let found: Matrix | undefined
  per.scores.forEach((score, k) => {
    const item = scan.table.dialect.sums(score, columns, `${scan.table.prefix}g${k}`)
    add([{ lets: [], items: [item], sums: wide }], ([sums]) => gradient.set(numbersOf(sums!), k * wide))
  })
  for (const { k, m, weight } of per.curvatures)
    add(scan.products(weight, columns, `c${k}_${m}`), (answers) => {
      const block = triangle(answers, wide)
      for (let j = 0; j < wide; j++)
        for (let q = 0; q < wide; q++)
          curvature.values[(k * wide + j) * size + m * wide + q] = block.values[j * wide + q]!
    })
  if (design)
    add(scan.products(w.sql, columns, 'd'), (answers) => {
      found = triangle(answers, wide)
    })
  const answers = await scan.sums(lets, pieces)
  for (const [k, { from, put }] of parts.entries()) put(answers.slice(from, parts[k + 1]?.from).flat())
  const [weight = 0, value = 0, ...responses] = answers[0]!.map(numberOf)
  return {
    weight,
    value,
    responses: Float64Array.from(responses),
    gradient,
    curvature,
    ...(found === undefined ? {} : { design: found }),
  }
}

/** Per row, for each predictor: the loss, w s and w h. */
function derivatives<P extends Params>(
  scan: SqlScan<P>,
  params: P,
  w: string,
): {
  readonly lets: readonly Let[]
  readonly value: string
  readonly scores: readonly string[]
  readonly curvatures: readonly { readonly k: number; readonly m: number; readonly weight: string }[]
} {
  const { names } = scan
  const { y, prefix } = names
  if (scan.model.name === 'softmax') {
    const { lets, etas, total } = classesSql(params as unknown as SoftmaxParams, names, 'n')
    const { sql: value } = lossSql(scan.model, params, names, 'n')
    const others = etas.slice(1)
    const p = others.map((_, k) => `${prefix}p${k}`)
    const own = p.map((name, k): Let => [name, `exp(${others[k]} - ${total})`])
    const scores = p.map(
      (name, k) => `${w} * (${choose(`${y} = ${number(k + 1)}`, number(1), number(0))} - ${name})`,
    )
    const curvatures = p.flatMap((name, k) =>
      p.slice(0, k + 1).map((other, m) => ({
        k,
        m,
        weight: k === m ? `${w} * ${name} * (${number(1)} - ${name})` : minus(`${w} * ${name} * ${other}`),
      })),
    )
    return { lets: [...lets, ...own], value, scores, curvatures }
  }
  const { lets, sql: eta } = predictorSql(params as unknown as LinearParams, names, 'n')
  if (scan.model.name === 'poisson') {
    const { dispersion = 0 } = scan.model
    const [rate, spread] = [`${prefix}rate`, `${prefix}spread`]
    if (dispersion === 0)
      return {
        lets: [...lets, [rate, `exp(${eta})`]],
        value: `${rate} - ${y} * ${eta}`,
        scores: [`${w} * (${y} - ${rate})`],
        curvatures: [{ k: 0, m: 0, weight: `${w} * ${rate}` }],
      }
    const a = number(dispersion)
    return {
      lets: [...lets, [rate, `exp(${eta})`], [spread, `(${number(1)} + ${a} * ${rate})`]],
      value: `(${y} + ${number(1 / dispersion)}) * ${names.dialect.ln(spread)} - ${y} * ${eta}`,
      scores: [`${w} * (${y} - ${rate}) / ${spread}`],
      curvatures: [
        { k: 0, m: 0, weight: `${w} * ${rate} / ${spread} * (${number(1)} + ${a} * ${y}) / ${spread}` },
      ],
    }
  }
  const [p, q] = [`${prefix}p`, `${prefix}q`]
  const { sql: value } = lossSql(scan.model, params, names, 'n')
  return {
    lets: [...lets, [p, sigmoid(eta)], [q, sigmoid(minus(eta))]],
    value,
    scores: [`${w} * (${y} - ${p})`],
    curvatures: [{ k: 0, m: 0, weight: `${w} * ${p} * ${q}` }],
  }
}
