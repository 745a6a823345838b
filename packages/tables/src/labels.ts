/** A column of texts as codes: row i holds `values[codes[i]]`; -1 where there is none. */
export interface Labels {
  readonly codes: Int32Array
  readonly values: readonly string[]
  /** How many rows hold each value. */
  readonly counts: Int32Array
}

export class LabelsBuilder {
  private readonly codes: Int32Array
  private readonly known = new Map<string, number>()

  constructor(rows: number) {
    this.codes = new Int32Array(rows)
  }

  set(row: number, text: string | null): void {
    if (text === null) {
      this.codes[row] = -1
      return
    }
    let code = this.known.get(text)
    if (code === undefined) {
      code = this.known.size
      this.known.set(text, code)
    }
    this.codes[row] = code
  }

  /**
   * The first `rows` codes. The values are sorted, so the codes do not depend on the order of the rows, and those
   * seen only in rows that were left out are gone.
   */
  finish(rows: number): Labels {
    const codes = this.codes.subarray(0, rows)
    const seen = new Int32Array(this.known.size)
    for (let i = 0; i < rows; i++) if (codes[i]! >= 0) seen[codes[i]!]!++
    const values = [...this.known.keys()].filter((_, code) => seen[code]! > 0).sort(byCodeUnits)
    const renamed = new Int32Array(this.known.size).fill(-1)
    const counts = new Int32Array(values.length)
    values.forEach((value, code) => {
      const old = this.known.get(value)!
      renamed[old] = code
      counts[code] = seen[old]!
    })
    for (let i = 0; i < rows; i++) if (codes[i]! >= 0) codes[i] = renamed[codes[i]!]!
    return { codes, values, counts }
  }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
