import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { fitTable } from '../index.js'

const places = { alpha: [0, 0], beta: [2.5, 0], gamma: [0, 2.5], delta: [2.5, 2.5] } as const
const species = Object.keys(places) as (keyof typeof places)[]

/** Two measures and a colour, which only one kind has; some of that kind have another's label. */
function table(seed: number, rate: number): { columns: Record<string, number[] | string[]>; wrong: number } {
  const { normal, uniform } = draws('hidden-labels', seed)
  const columns = {
    length: [] as number[],
    width: [] as number[],
    colour: [] as string[],
    kind: [] as string[],
  }
  let wrong = 0
  for (let i = 0; i < 400; i++) {
    const truth = species[Math.floor(uniform(0, 4))]!
    columns.length.push(places[truth][0] + normal())
    columns.width.push(places[truth][1] + normal())
    columns.colour.push(truth === 'delta' ? 'yellow' : uniform(0, 1) < 0.5 ? 'red' : 'blue')
    const isWrong = truth === 'delta' && uniform(0, 1) < rate
    columns.kind.push(isWrong ? 'beta' : truth)
    if (isWrong) wrong++
  }
  return { columns, wrong: wrong / 400 }
}

test('wrong labels that hide in a category with a label of its own are within the interval', () => {
  for (const seed of [1, 12, 15]) {
    const { columns, wrong } = table(seed, 0.2)
    const { corruption, status } = fitTable(columns, { target: 'kind' })
    expect(status).toMatchObject({ reason: 'separable' })
    const [low, high] = corruption.interval!
    expect(low).toBeLessThanOrEqual(wrong)
    expect(high).toBeGreaterThanOrEqual(wrong)
    expect(high).toBeLessThan(0.2)
  }
})

test('where no label is wrong the interval stays short', () => {
  const { corruption } = fitTable(table(1, 0).columns, { target: 'kind' })
  expect(corruption.interval![0]).toBe(0)
  expect(corruption.interval![1]).toBeLessThan(0.05)
})
