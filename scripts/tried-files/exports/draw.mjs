/** Random numbers by a seed (mulberry32 and Box-Muller): the same files everywhere. */
export function draw(seed) {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  const among = (values) => values[Math.floor(uniform() * values.length)]
  const count = (mean) => {
    let k = 0
    for (let p = uniform(); p > Math.exp(-mean); p *= uniform()) k++
    return k
  }
  return { uniform, normal, among, count }
}

/** Which of n rows are bad: that share of them, to a row. */
export function badRows({ uniform }, n, share) {
  const order = Array.from({ length: n }, (_, i) => [uniform(), i]).sort((a, b) => a[0] - b[0])
  return new Set(order.slice(0, Math.round(share * n)).map(([, i]) => i))
}

/** A point in time as programs write it. */
export function moment(start, minutes) {
  const at = new Date(Date.parse(start) + 60_000 * minutes).toISOString()
  return {
    at,
    day: at.slice(0, 10),
    time: at.slice(11, 19),
    y: at.slice(0, 4),
    m: at.slice(5, 7),
    d: at.slice(8, 10),
  }
}

/** Text with so many signs, at the right. */
export const right = (text, width) => String(text).padStart(width)
