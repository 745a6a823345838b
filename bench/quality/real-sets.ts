import { matrix, type Supervised } from 'rlvi'
import { readColumns } from './csv.js'

export interface NamedSet {
  readonly name: string
  readonly data: Supervised
}

/** The real sets of data/regression.csv, which data/regression.R wrote. */
export function realSets(): NamedSet[] {
  const columns = readColumns('bench/quality/data/regression.csv')
  const names = columns.get('set')!
  const features = [...columns.keys()].filter((name) => /^x\d+$/.test(name)).map((name) => columns.get(name)!)
  return [...new Set(names)].map((name) => {
    const rows = Array.from(names.keys()).filter((i) => names[i] === name)
    const own = features.filter((cells) => cells[rows[0]] !== '')
    const x = matrix(rows.length, own.length)
    rows.forEach((row, i) => {
      x.values.set(
        own.map((cells) => Number(cells[row])),
        i * own.length,
      )
    })
    return { name, data: { x, y: Float64Array.from(rows, (row) => Number(columns.get('y')![row])) } }
  })
}
