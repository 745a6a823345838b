/** A model of one's own (online-poisson.ts) on counts that come batch by batch; one in ten lost a digit or got one more. */
import { matrix, online } from 'rlvi'
import { draws } from 'rlvi/random'
import { onlinePoisson as model } from './dist/online-poisson.js'

const random = draws('calls')
const batches = Array.from({ length: 400 }, () => {
  const x = matrix(50, 2)
  for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal()
  const rate = Float64Array.from({ length: 50 }, (_, i) => {
    return Math.exp(3 + 0.6 * x.values[2 * i] - 0.4 * x.values[2 * i + 1])
  })
  const wrong = rate.map(() => (random.uniform(0, 1) < 0.1 ? 1 : 0))
  const y = rate.map((mean, i) => {
    // Nearly Poisson where the mean is about 20: a normal of the same mean and variance.
    const count = Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
    if (wrong[i] === 0) return count
    return random.uniform(0, 1) < 0.5 ? 10 * count : Math.floor(count / 10)
  })
  return { x, y, rate, wrong }
})

for (const method of ['sgd', 'calibrated']) {
  let state = online.init({ model, features: 2, method })
  let [error, rows, bad, found, flagged] = [0, 0, 0, 0, 0]
  const levels = []
  for (const { x, y, rate, wrong } of batches) {
    const step = online.update(state, { x, y }, { model })
    state = step.state
    if (state.batches <= 200) continue
    const { predictions, clean, level } = step.result
    levels.push(level)
    for (let i = 0; i < y.length; i++) {
      error += Math.abs(predictions[i] / rate[i] - 1)
      rows++
      bad += wrong[i]
      if (clean[i] >= 0.5) continue
      flagged++
      found += wrong[i]
    }
  }
  const off = ((100 * error) / rows).toFixed(0)
  console.log(`${method.padEnd(10)}  predictions ${off} % off`)
  if (method === 'sgd') continue
  const level = (100 * levels.reduce((sum, one) => sum + one, 0)) / levels.length
  console.log(`            ${level.toFixed(0)} % bad, in truth ${((100 * bad) / rows).toFixed(0)} %`)
  console.log(
    `            ${flagged} of ${rows} counts flagged, ${found} of the ${bad} wrong ones among them`,
  )
}
