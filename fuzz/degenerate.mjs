import * as rlvi from '../packages/core/dist/index.js'
import * as passes from '../packages/core/dist/passes/index.js'

/** Numbers that break careless arithmetic, chosen by the bytes of a case: model, method, rows, columns, then a number each. */
const palette = [
  0,
  1,
  -1,
  2,
  0.5,
  3,
  1e-300,
  5e-324,
  1e150,
  -1e150,
  1e300,
  Number.MAX_VALUE,
  1e9,
  1e9 + 1e-6,
  1e-9,
  7,
]
const {
  covariance,
  fit,
  huber,
  linear,
  logistic,
  matrix,
  mean,
  ml,
  paper,
  pca,
  poisson,
  rrm,
  sever,
  softmax,
} = rlvi
const models = [
  linear(),
  logistic(),
  softmax({ classes: 3 }),
  poisson(),
  mean(),
  covariance(),
  pca({ components: 1 }),
]
const methods = [fit, (m, d) => paper(m, d, m.name === 'covariance' ? { goodRows: 0.7 * d.x.rows } : {}), ml]
  .concat([(m, d) => sever(m, d, { assumed: 0.3 }), (m, d) => rrm(m, d, { assumed: 0.3 })])
  .concat([(m, d) => (m.name === 'linear' ? huber(m, d) : ml(m, d))])
const { passModels } = passes
const passed = [
  passModels.linear(),
  passModels.logistic({ ridge: 0.01 }),
  passModels.softmax({ classes: 3, ridge: 0.01 }),
  passModels.poisson(),
  passModels.mean(),
  passModels.covariance(),
  passModels.pca({ components: 1 }),
]
const byPasses = [
  (m, rows, data) => passes.calibratedByPasses(m, rows, data),
  (m, rows) => passes.paperByPasses(m, rows, m.name === 'covariance' ? { goodRows: 0.7 * rows.rows } : {}),
  (m, rows) => passes.mlByPasses(m, rows),
]

/** Data for a model that the bytes choose. */
function dataOf(name, bytes) {
  const [c = 0, d = 0, ...rest] = bytes
  const [n, cols] = [1 + (c % 24), 1 + (d % 4)]
  const value = (k) => palette[(rest[k % Math.max(1, rest.length)] ?? 0) % palette.length]
  const x = matrix(
    n,
    cols,
    Float64Array.from({ length: n * cols }, (_, k) => value(k)),
  )
  const whole = (v) => Math.abs(Math.floor(Math.min(v, 1e9)))
  const label = { logistic: (v) => (v > 0.5 ? 1 : 0), softmax: (v) => whole(v) % 3, poisson: whole }[name]
  const y = Float64Array.from({ length: n }, (_, i) => (label ?? ((v) => v))(value(n * cols + i)))
  return { x, y }
}

/** Every model by every method, on data of which nobody would think. */
export function degenerate(bytes) {
  const [a = 0, b = 0, ...rest] = bytes
  const model = models[a % models.length]
  const found = methods[b % methods.length](model, dataOf(model.name, rest))
  checkFit(found, found.clean)
  const { losses, status } = found
  if (status.kind !== 'degenerate' && !losses.every(Number.isFinite))
    throw new Error('losses that are no numbers')
}

/** The same by passes over blocks of a few rows. */
export async function degeneratePasses(bytes) {
  const [a = 0, b = 0, ...rest] = bytes
  const model = passed[a % passed.length]
  const data = dataOf(model.name, rest)
  const rows = passes.inBlocks(model, passes.memoryBlocks(model, data, 5))
  const found = await byPasses[b % byPasses.length](model, rows, data)
  checkFit(found, passes.weigh(model, data, found.clean))
}

function checkFit({ params, corruption, status }, clean) {
  const all = numbersOf({ ...params, problem: 0 })
  if (!all.every(Number.isFinite)) throw new Error(`parameters that are no numbers, status ${status.kind}`)
  if (!clean.every((p) => p >= 0 && p <= 1)) throw new Error(`P(good) beyond 0 to 1, status ${status.kind}`)
  if (!numbersOf([corruption.level ?? 0, corruption.interval ?? []]).every(Number.isFinite))
    throw new Error('a level that is no number')
}

function numbersOf(value) {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Array.from(ArrayBuffer.isView(value) ? value : Object.values(value)).flatMap(numbersOf)
}
