import { normals, uniforms } from './run.js'

export type Row = (number | string | null)[]

export const header: string[] = ['x1', 'x2', 'city', 'y']

/** y = 1 + 2 x1 - x2 (+ 3 in oslo) + a little noise; every tenth row is 20 too high. */
function rows(n: number, seed: number): Row[] {
  const z = normals(seed)
  const u = uniforms(seed)
  return Array.from({ length: n }, (_, i) => {
    const [x1, x2, place] = [z(), 5 + 3 * z(), u()]
    const city = place < 0.25 ? 'bonn' : place < 0.5 ? 'oslo' : 'rome'
    const y = 1 + 2 * x1 - x2 + (city === 'oslo' ? 3 : 0) + 0.1 * z() + (i % 10 === 0 ? 20 : 0)
    return [x1, x2, city, y]
  })
}

export const data: Row[] = rows(80, 1)

/** The same features with a target of each kind, some of them wrong. */
export const withTarget: Record<string, (row: Row, i: number) => number | string> = {
  linear: (row) => row[3]!,
  logistic: (row, i) => ((row[0] as number) + Math.sin(7 * i) > 0 ? 'yes' : 'no'),
  softmax: (row, i) => {
    const place = (row[0] as number) + Math.sin(7 * i)
    return i % 11 === 0 || place < -0.5 ? 'low' : place > 0.5 ? 'high' : 'mid'
  },
  poisson: (row, i) => Math.round(Math.exp(1 + 0.5 * (row[0] as number))) + (i % 3) + (i % 20 === 0 ? 40 : 0),
}
export const models: string[] = Object.keys(withTarget)
