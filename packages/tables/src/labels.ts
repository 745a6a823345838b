/** A column of texts as codes: row i holds `values[codes[i]]`; -1 where there is none. */
export interface Labels {
  readonly codes: Int32Array
  readonly values: readonly string[]
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

  /** The values are sorted, so the codes do not depend on the order of the rows. */
  finish(): Labels {
    const values = [...this.known.keys()].sort(byCodeUnits)
    const renamed = new Int32Array(this.known.size)
    values.forEach((value, code) => {
      renamed[this.known.get(value)!] = code
    })
    const { codes } = this
    for (let i = 0; i < codes.length; i++) if (codes[i]! >= 0) codes[i] = renamed[codes[i]!]!
    return { codes, values }
  }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
