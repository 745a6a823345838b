/**
 * A stream of clicks to try `rlvi stream` with: who buys, by price, visits and age of the account. One label in ten is
 * wrong; for rows 2000 to 2999 a fault makes it nearly every second; from row 4000 on, taste turns around.
 */
const rows = Number(process.argv[2] ?? 6000)
let state = 1
/** Uniform in (0, 1), the same on every run (mulberry32). */
function uniform() {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32
}
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())

let text = ''
for (let row = 0; row < rows; row++) {
  const price = 20 + 5 * normal()
  const visits = Math.round(3 + 10 * uniform())
  const age = 400 * uniform()
  const wants = 0.4 * (visits - 8) - 0.3 * (price - 20) + 0.002 * (age - 200)
  const buys = (row < 4000 ? wants : -wants) + 0.3 * normal() > 0
  const wrong = uniform() < (row >= 2000 && row < 3000 ? 0.45 : 0.1)
  text += `${JSON.stringify({ price: Number(price.toFixed(2)), visits, age: Math.round(age), bought: buys !== wrong })}\n`
}
process.stdout.write(text)
