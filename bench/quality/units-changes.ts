import { type Matrix, matrix } from 'rlvi'

const FACTORS = [1e-6, 1e-3, 1e3, 1e6]
/** In standard deviations of the column. */
const SHIFTS = [-100, -10, 10, 100]
/** So far that the data themselves lose three of their digits, and their squares six. */
const FAR = [-1000, 1000]
/** How a change of such shifts is called. */
export const FAR_SHIFT = 'shift far'

/** A column times factor plus shift. */
export interface Change {
  readonly factor: number
  readonly shift: number
}

/** The changes of all columns, and of the response. */
export interface Units {
  readonly what: string
  readonly columns: readonly Change[]
  readonly response: Change
}

const same: Change = { factor: 1, shift: 0 }

export function unchanged(columns: number): Units {
  return { what: '', columns: new Array<Change>(columns).fill(same), response: same }
}

/** All columns at once, `each` alone, and the response where it has a unit. */
export function changesOf(columns: number, which: { each: boolean; response: boolean }): Units[] {
  const all = (what: string, change: Change): Units => ({
    ...unchanged(columns),
    what,
    columns: new Array<Change>(columns).fill(change),
  })
  const one = (what: string, at: number, change: Change): Units => ({
    ...unchanged(columns),
    what,
    columns: Array.from({ length: columns }, (_, j) => (j === at ? change : same)),
  })
  const every = (verb: string, change: Change): Units[] => [
    all(`${verb} all columns`, change),
    ...(which.each ? Array.from({ length: columns }, (_, j) => one(`${verb} one column`, j, change)) : []),
    ...(which.response ? [{ ...unchanged(columns), what: `${verb} the response`, response: change }] : []),
  ]
  return [
    ...FACTORS.flatMap((factor) => every('scale', { factor, shift: 0 })),
    ...SHIFTS.flatMap((shift) => every('shift', { factor: 1, shift })),
    ...FAR.flatMap((shift) => every(FAR_SHIFT, { factor: 1, shift })),
  ]
}

export function changedColumns(x: Matrix, { columns }: Units): Matrix {
  const values = x.values.map((value, at) => columns[at % x.cols].factor * value + columns[at % x.cols].shift)
  return matrix(x.rows, x.cols, values)
}
