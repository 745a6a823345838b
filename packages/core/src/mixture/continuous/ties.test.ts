import { expect, test } from 'vitest'
import { draws } from '../../random/draws.js'
import { rounded } from './ties.js'

test('nine digits by arithmetic are those of the text', () => {
  const { normal, uniform } = draws('rounded', 1)
  const edges = [1, 0.1, 1e8, 99999999.95, 999999999.5, 123456789.5, 1e22, 1e-22, 1e300, 1e-310, 0.1 + 0.2]
  const drawn = Array.from({ length: 50_000 }, (_, i) => {
    const value = normal() * 10 ** Math.floor(uniform(-30, 30))
    // Numbers of few digits too, as people write them.
    return i % 2 === 0 ? value : Number(value.toPrecision(1 + (i % 12)))
  })
  for (const value of [...edges, ...edges.map((edge) => -edge), ...drawn])
    if (rounded(value) !== Number(value.toPrecision(9))) expect.fail(`${value} became ${rounded(value)}`)
})
