/**
 * Wrong labels where a colour tells a label by itself: how often the 90 % interval of their share holds it, in a table's fit and in
 * one of all rows alone.
 */
import { fitTable } from '@rlvi/estimator'
import { fit, softmax } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'

const [SETS, ROWS] = [20, 400]
const species = ['alpha', 'beta', 'gamma', 'delta'] as const

/** Which kinds have a colour of their own: of `delta` all, or half of them; or every kind. */
const colours = {
  'only delta is yellow': (k: number, other: string) => (k === 3 ? 'yellow' : other),
  'half of delta is yellow, nothing else': (k: number, other: string, half: boolean) =>
    k === 3 && half ? 'yellow' : other,
  'every kind has its colour': (k: number) => ['red', 'blue', 'green', 'yellow'][k]!,
}

for (const [name, colour] of Object.entries(colours))
  for (const rate of [0.2, 0]) {
    const held = { table: 0, alone: 0 }
    const width = { table: 0, alone: 0 }
    for (let set = 0; set < SETS; set++) {
      const { normal, uniform } = draws('bench', 'hidden-labels', name, set)
      let wrong = 0
      const rows = Array.from({ length: ROWS }, () => {
        const k = Math.floor(uniform(0, 4))
        const isWrong = k === 3 && uniform(0, 1) < rate
        if (isWrong) wrong++
        return {
          length: 2.5 * (k % 2) + normal(),
          width: (k > 1 ? 2.5 : 0) + normal(),
          colour: colour(k, uniform(0, 1) < 0.5 ? 'red' : 'blue', uniform(0, 1) < 0.5),
          kind: species[isWrong ? 1 : k]!,
        }
      })
      const of = <K extends keyof (typeof rows)[0]>(key: K): (typeof rows)[0][K][] =>
        rows.map((row) => row[key])
      const table = fitTable(
        { length: of('length'), width: of('width'), colour: of('colour'), kind: of('kind') },
        { target: 'kind' },
      )
      const alone = fit(softmax({ classes: 4, ridge: 0.01 }), { x: table.design.x, y: table.response!.y })
      for (const [which, { corruption }] of [
        ['table', table],
        ['alone', alone],
      ] as const) {
        const [low, high] = corruption.interval!
        if (low <= wrong / ROWS && wrong / ROWS <= high) held[which]++
        width[which] += (high - low) / SETS
      }
    }
    const words = (which: 'table' | 'alone'): string =>
      `held in ${held[which]} of ${SETS}, mean width ${(100 * width[which]).toFixed(1)} %`
    say(`${name}, ${rate === 0 ? 'no label wrong' : 'a fifth of delta labelled beta'}:`)
    say(`  table ${words('table')}; all rows alone ${words('alone')}`)
  }
