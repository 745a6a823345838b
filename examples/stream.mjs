/**
 * A stream of clicks to try `rlvi stream` with: who buys, by price, visits and age of the account. One label in ten is
 * wrong; for rows 2001 to 3000 a fault makes it nearly every second; from row 4001 on, taste turns around.
 */
import { draws } from 'rlvi/random'

const rows = Number(process.argv[2] ?? 6000)
const { normal, uniform } = draws('clicks')

let text = ''
for (let row = 0; row < rows; row++) {
  const price = 20 + 5 * normal()
  const visits = Math.round(3 + 10 * uniform(0, 1))
  const age = uniform(0, 400)
  const wants = 0.4 * (visits - 8) - 0.3 * (price - 20) + 0.002 * (age - 200)
  const buys = (row < 4000 ? wants : -wants) + 0.3 * normal() > 0
  const wrong = uniform(0, 1) < (row >= 2000 && row < 3000 ? 0.45 : 0.1)
  text += `${JSON.stringify({ price: Number(price.toFixed(2)), visits, age: Math.round(age), bought: buys !== wrong })}\n`
}
process.stdout.write(text)
