import { type Matrix, matrix } from '../matrix.js'
import type { OnlineModel } from '../online/models/model.js'
import { predictedRoom } from '../online/plain.js'
import { draws } from '../random/draws.js'
import { mustBeClose, mustBeFinite } from './assert.js'
import type { Law } from './law.js'
import {
  checkColumnOrder,
  checkColumnUnit,
  checkJson,
  checkPredictedFirst,
  checkSame,
} from './online-learning.js'
import { FEATURES, type LawfulOnlineModel, normals, someRows } from './online-rows.js'

export type { LawfulOnlineModel, ResponseGrid } from './online-rows.js'

const ROWS = 6

/**
 * The laws that every model learned online must obey, a user's own included. Each `check` throws an error where its law
 * does not hold, so that they fit any test runner.
 *
 * @example
 * const model = { ...onlineLogistic, name: 'my own' }
 * const laws = onlineModelLaws({ model, response: (f, random) => (f + random.normal() > 0 ? 1 : 0) })
 * for (const { check } of laws) check() // with a test runner: it(name, check)
 */
export function onlineModelLaws(lawful: LawfulOnlineModel): readonly Law[] {
  return [
    { name: 'its gradients are the differences of its losses', check: () => checkGradient(lawful) },
    { name: 'its densities add up to 1', check: () => checkDensities(lawful) },
    { name: 'it stays finite where scores overflow', check: () => checkOverflow(lawful) },
    { name: 'the same rows give the same result', check: () => checkSame(lawful) },
    { name: 'a state that went through JSON goes on bit for bit', check: () => checkJson(lawful) },
    { name: 'a batch is predicted before it is learned', check: () => checkPredictedFirst(lawful) },
    { name: 'the order of the columns does not matter', check: () => checkColumnOrder(lawful) },
    { name: 'the unit of a column does not matter', check: () => checkColumnUnit(lawful) },
  ]
}

function checkGradient({ model, response }: LawfulOnlineModel): void {
  const random = draws('online-model', 'gradient')
  const { x, y } = someRows(ROWS, response, random)
  const params = normals(model.parameters(FEATURES), random)
  const gradient = new Float64Array(params.length)
  const h = 1e-6
  const moved = (j: number, step: number) => params.map((p, k) => (k === j ? p + step : p))
  for (let i = 0; i < ROWS; i++) {
    model.gradient(x, y, i, params, gradient)
    const differences = params.map(
      (_, j) => (lossesAt(model, x, y, moved(j, h))[i] - lossesAt(model, x, y, moved(j, -h))[i]) / (2 * h),
    )
    mustBeClose(`gradient of row ${i}`, gradient, differences, 1e-5, 1e-8)
    if (model.slope === undefined) continue
    const row = x.values.slice(i * FEATURES, (i + 1) * FEATURES)
    const slope = model.slope(
      row.reduce((sum, value, j) => sum + value * params[j], params[FEATURES]),
      y[i],
    )
    mustBeClose(
      `slope of row ${i}`,
      gradient,
      [...row, 1].map((value) => slope * value),
      1e-9,
      1e-12,
    )
  }
}

function checkDensities({ model, support }: LawfulOnlineModel): void {
  const grid = model.labels === undefined ? support : { from: 0, to: model.labels - 1, step: 1 }
  if (grid === undefined) return
  const { from, to, step, tail = 0 } = grid
  const random = draws('online-model', 'densities')
  const x = matrix(ROWS, FEATURES, normals(ROWS * FEATURES, random))
  const params = normals(model.parameters(FEATURES), random)
  const predicted = predictedRoom(model, ROWS)
  model.predict(x, params, predicted)
  const [out, density, reference] = [0, 0, 0].map(() => new Float64Array(ROWS))
  const y = new Float64Array(ROWS)
  const points = Math.round((to - from) / step)
  for (let k = 0; k <= points; k++) {
    y.fill(from + k * step)
    model.losses(y, params, predicted, out)
    for (let i = 0; i < ROWS; i++) density[i] += step * Math.exp(-out[i])
    if (model.reference === undefined) continue
    model.reference(y, params, predicted, out)
    for (let i = 0; i < ROWS; i++) reference[i] += step * Math.exp(-out[i])
  }
  const one = new Float64Array(ROWS).fill(1)
  mustBeClose('sum of the density', density, one, 1e-9)
  if (model.reference !== undefined) mustBeClose('sum of the reference', reference, one, tail + 1e-9)
}

function checkOverflow({ model, response }: LawfulOnlineModel): void {
  const random = draws('online-model', 'overflow')
  const { x, y } = someRows(ROWS, response, random)
  const far = normals(model.parameters(FEATURES), random).map((p) => 1e5 * p)
  mustBeFinite('losses', lossesAt(model, x, y, far))
  const gradient = new Float64Array(far.length)
  for (let i = 0; i < ROWS; i++) {
    model.gradient(x, y, i, far, gradient)
    mustBeFinite(`gradient of row ${i}`, gradient)
  }
}

function lossesAt(model: OnlineModel, x: Matrix, y: Float64Array, params: Float64Array): Float64Array {
  const predicted = predictedRoom(model, x.rows)
  const out = new Float64Array(x.rows)
  model.predict(x, params, predicted)
  model.losses(y, params, predicted, out)
  return out
}
