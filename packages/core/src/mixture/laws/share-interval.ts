/** Half the 90 % point of chi-squared with one degree of freedom: by so much a profile drops within an interval. */
export const DROP: number = 2.706 / 2

/** A 90 % interval for a share of which `count` of `rows` were seen, by its likelihood. */
export function shareInterval(count: number, rows: number): readonly [number, number] {
  const value = (p: number): number =>
    (count > 0 ? count * Math.log(p) : 0) + (count < rows ? (rows - count) * Math.log1p(-p) : 0)
  const best = count / rows
  const least = (count > 0 && count < rows ? value(best) : 0) - DROP
  const edge = (outside: number): number => {
    let [out, within] = [outside, best]
    for (let k = 0; k < 60; k++) {
      const middle = (out + within) / 2
      if (value(middle) < least) out = middle
      else within = middle
    }
    return within
  }
  return [count === 0 ? 0 : edge(0), count === rows ? 1 : edge(1)]
}

/** The interval of a share of all rows and a level of the others, together: their errors are those of two counts. */
export function withShare(
  level: number,
  [low, high]: readonly [number, number],
  share: number,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  const others = 1 - share
  const centre = share + level * others
  return [
    Math.max(0, centre - Math.hypot((level - low) * others, share - from)),
    Math.min(1, centre + Math.hypot((high - level) * others, to - share)),
  ]
}
