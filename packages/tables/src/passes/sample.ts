import { type Column, LabelCounts, type WholeTarget } from '@rlvi/estimator'
import { evenRows, SAMPLE_ROWS } from 'rlvi/passes'
import { type Scanned, type ScannedRows, scan } from './scan.js'

/** So many rows of every text, where it has as many. */
const EACH_TEXT = 20

/** Some rows of a table that show all there is in it. */
export interface Sample {
  readonly columns: ReadonlyMap<string, Column>
  /** The place in the table of each row. */
  readonly places: Float64Array
  /** Which of them are the even sample. */
  readonly even: Int32Array
  readonly whole: WholeTarget
}

/** A row, kept. */
interface Row {
  readonly place: number
  readonly numbers: Float64Array
  readonly words: readonly (string | null)[]
}

/**
 * One scan for the rows that stand for a table: an even sample, the first rows with every text of a column that may hold
 * categories and with every label, and of each column of numbers those with the smallest and the largest. So no category is
 * unseen, and what is constant among them is so in the whole table.
 */
export async function sampleOf(
  scanned: Scanned,
  names: readonly string[],
  target: string | undefined,
): Promise<Sample> {
  const { texts, numeric } = scanned
  const total = scanned.rows.reduce((sum, count) => sum + count, 0)
  // Texts too many for codes come as they are.
  const wide = names.filter((name) => !numeric.has(name) && texts.get(name)?.values === undefined)
  const coded = names.filter((name) => !wide.includes(name))
  const even = new EvenRows(total)
  const labels = new LabelCounts()
  const rest = new Map<string, Row>()
  const keepers = coded.map((name, j) => {
    const keep = (why: string, row: Row): void => void rest.set(`${j} ${why}`, row)
    return numeric.has(name) ? new Ends(j, keep) : new EachText(j, texts.get(name)!.values!.length, keep)
  })
  const targetAt = target === undefined || !numeric.has(target) ? -1 : coded.indexOf(target)
  await scan(scanned, coded, wide, (rows) => {
    const row = (i: number): Row => ({
      place: rows.first + i,
      numbers: Float64Array.from(rows.numbers, (items) => items[i]!),
      words: wide.map((_, j) => rows.text(j, i)),
    })
    even.look(rows, row)
    for (const keeper of keepers) keeper.look(rows, row)
    if (targetAt < 0) return
    const items = rows.numbers[targetAt]!
    for (let i = 0; i < rows.rows && !labels.isMeasured; i++) {
      const known = labels.counts.size
      labels.add(items[i]!)
      if (labels.counts.size > known) rest.set(`label ${items[i]}`, row(i))
    }
  })
  const rows = [...new Map([...even.rows, ...rest.values()].map((row) => [row.place, row])).values()]
  rows.sort((a, b) => a.place - b.place)
  const isEven = new Set(even.rows.map(({ place }) => place))
  return {
    columns: new Map(
      names.map((name) => [
        name,
        wide.includes(name)
          ? wideColumn(rows, wide.indexOf(name), scanned, name)
          : codedColumn(rows, coded.indexOf(name), scanned, name),
      ]),
    ),
    places: Float64Array.from(rows, ({ place }) => place),
    even: Int32Array.from(rows.keys()).filter((k) => isEven.has(rows[k]!.place)),
    whole: { rows: total, numbers: labels },
  }
}

class EvenRows {
  readonly rows: Row[] = []
  private readonly places: Int32Array
  private next = 0

  constructor(total: number) {
    this.places = evenRows(total, SAMPLE_ROWS)
  }

  look({ first, rows }: ScannedRows, row: (i: number) => Row): void {
    for (; this.next < this.places.length && this.places[this.next]! < first + rows; this.next++)
      this.rows.push(row(this.places[this.next]! - first))
  }
}

/** The rows with the smallest and the largest number of a column. */
class Ends {
  private readonly column: number
  private readonly keep: (why: string, row: Row) => void
  private least = Number.POSITIVE_INFINITY
  private most = Number.NEGATIVE_INFINITY

  constructor(column: number, keep: (why: string, row: Row) => void) {
    this.column = column
    this.keep = keep
  }

  look({ rows, numbers }: ScannedRows, row: (i: number) => Row): void {
    const items = numbers[this.column]!
    let [low, high] = [-1, -1]
    for (let i = 0; i < rows; i++) {
      const value = items[i]!
      if (value < this.least) {
        this.least = value
        low = i
      }
      if (value > this.most) {
        this.most = value
        high = i
      }
    }
    if (low >= 0) this.keep('least', row(low))
    if (high >= 0) this.keep('most', row(high))
  }
}

/** The first rows with each text of a column. */
class EachText {
  private readonly column: number
  private readonly counts: Int32Array
  private readonly keep: (why: string, row: Row) => void
  private missing: number

  constructor(column: number, values: number, keep: (why: string, row: Row) => void) {
    this.column = column
    this.counts = new Int32Array(values)
    this.keep = keep
    this.missing = values * EACH_TEXT
  }

  look({ rows, numbers }: ScannedRows, row: (i: number) => Row): void {
    if (this.missing === 0) return
    const items = numbers[this.column]!
    for (let i = 0; i < rows; i++) {
      const code = items[i]!
      if (Number.isNaN(code) || this.counts[code]! >= EACH_TEXT) continue
      this.keep(`${code} ${this.counts[code]!++}`, row(i))
      this.missing--
    }
  }
}

function codedColumn(
  rows: readonly Row[],
  at: number,
  { numeric, texts, table }: Scanned,
  name: string,
): Column {
  const numbers = Float64Array.from(rows, (row) => row.numbers[at]!)
  if (numeric.has(name)) return numbers
  const { values = [], counts = [], there, different } = texts.get(name)!
  const codes = Int32Array.from(numbers, (code) => (Number.isNaN(code) ? -1 : code))
  const asText = isText(table, name)
  return { codes, values, whole: { counts, there, different }, ...(asText ? { asText } : {}) }
}

function wideColumn(rows: readonly Row[], at: number, { texts, table }: Scanned, name: string): Column {
  const { there, different } = texts.get(name)!
  const known = new Map<string, number>()
  const codes = Int32Array.from(rows, ({ words }) => {
    const text = words[at]!
    if (text === null) return -1
    if (!known.has(text)) known.set(text, known.size)
    return known.get(text)!
  })
  const asText = isText(table, name)
  return { codes, values: [...known.keys()], whole: { there, different }, ...(asText ? { asText } : {}) }
}

function isText({ parts }: Scanned['table'], name: string): boolean {
  return parts.every(({ columns }) => columns.some((column) => column.name === name && column.asText))
}
