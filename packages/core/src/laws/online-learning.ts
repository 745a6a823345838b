import { init } from '../online/init.js'
import type { OnlineModel } from '../online/models/model.js'
import type { OnlineMethod, OnlineOptions } from '../online/options.js'
import { predict } from '../online/predict.js'
import type { OnlineBatch, OnlineResult } from '../online/result.js'
import type { OnlineState } from '../online/state.js'
import { update } from '../online/update.js'
import { mustBeClose, mustBeSame } from './assert.js'
import { FEATURES, type LawfulOnlineModel, mapped, someBatches } from './online-rows.js'

export function checkSame(lawful: LawfulOnlineModel): void {
  const batches = someBatches(lawful)
  for (const method of methodsFor(lawful.model)) {
    mustBeSame(method, learned(lawful.model, { method }, batches), learned(lawful.model, { method }, batches))
  }
}

export function checkJson(lawful: LawfulOnlineModel): void {
  const batches = someBatches(lawful)
  const copied = (state: OnlineState): OnlineState => JSON.parse(JSON.stringify(state))
  for (const method of methodsFor(lawful.model)) {
    const straight = learned(lawful.model, { method }, batches)
    mustBeSame(method, learned(lawful.model, { method }, batches, copied), straight)
    mustBeSame(`${method}, the state`, copied(straight.state), straight.state)
  }
}

export function checkPredictedFirst(lawful: LawfulOnlineModel): void {
  const { model } = lawful
  const [last, ...others] = someBatches(lawful)
  const mixed = { x: last.x, y: last.y.slice().reverse() }
  for (const method of methodsFor(model)) {
    const { state } = learned(model, { method }, others)
    const { predictions } = update(state, last, { model }).result
    mustBeSame(method, update(state, mixed, { model }).result.predictions, predictions)
    mustBeSame(method, predict(state, last.x, { model }).predictions, predictions)
  }
}

export function checkColumnOrder(lawful: LawfulOnlineModel): void {
  const batches = someBatches(lawful)
  const reversed = batches.map(({ x, y }) => ({
    x: mapped(x, (row, j) => x.values[row * FEATURES + (FEATURES - 1 - j)]),
    y,
  }))
  sameLearning(lawful.model, reversed, batches)
}

export function checkColumnUnit(lawful: LawfulOnlineModel): void {
  const batches = someBatches(lawful)
  const scaled = batches.map(({ x, y }) => ({
    x: mapped(x, (row, j) => (j === 1 ? 1e4 : 1) * x.values[row * FEATURES + j] + (j === 1 ? 300 : 0)),
    y,
  }))
  sameLearning(lawful.model, scaled, batches)
}

/** To rounding, which steps that feed back on themselves enlarge. */
function sameLearning(
  model: OnlineModel,
  some: readonly OnlineBatch[],
  others: readonly OnlineBatch[],
): void {
  for (const method of methodsFor(model).filter((name) => name === 'calibrated' || name === 'sgd')) {
    const [a, b] = [some, others].map((batches) => learned(model, { method }, batches).results)
    a.forEach(({ losses, clean }, t) => {
      mustBeClose(`${method}, losses of batch ${t + 1}`, losses, b[t].losses, 1e-4, 1e-6)
      mustBeClose(`${method}, clean of batch ${t + 1}`, clean, b[t].clean, 1e-4, 1e-6)
    })
  }
}

function methodsFor({ labels, reference }: OnlineModel): OnlineMethod[] {
  const calibrated = labels !== undefined || reference !== undefined
  return calibrated ? ['calibrated', 'paper', 'rrm', 'sgd'] : ['paper', 'rrm', 'sgd']
}

function learned(
  model: OnlineModel,
  options: Pick<OnlineOptions, 'method'>,
  batches: readonly OnlineBatch[],
  between: (state: OnlineState) => OnlineState = (state) => state,
): { readonly state: OnlineState; readonly results: readonly OnlineResult[] } {
  let state = init({ model, features: FEATURES, ...options })
  const results = batches.map((batch) => {
    const step = update(between(state), batch, { model })
    state = step.state
    return step.result
  })
  return { state, results }
}
