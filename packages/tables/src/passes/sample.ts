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

/** Rows that are kept: by their numbers, and by the texts that have no codes. */
class Kept {
  readonly places: number[] = []
  readonly words: (readonly (string | null)[])[] = []
  private numbers = new Float64Array(0)
  private readonly cols: number
  private readonly wide: number

  constructor(cols: number, wide: number) {
    this.cols = cols
    this.wide = wide
  }

  /** Keeps a row, and returns its number among the kept. */
  add({ first, numbers, text }: ScannedRows, i: number): number {
    const { cols, places } = this
    const at = places.length * cols
    if (at + cols > this.numbers.length) {
      const more = new Float64Array(Math.max(1024 * cols, 2 * this.numbers.length))
      more.set(this.numbers)
      this.numbers = more
    }
    for (let j = 0; j < cols; j++) this.numbers[at + j] = numbers[j]![i]!
    if (this.wide > 0) this.words.push(Array.from({ length: this.wide }, (_, j) => text(j, i)))
    return places.push(first + i) - 1
  }

  /** A column of the listed rows. */
  column(j: number, rows: readonly number[]): Float64Array {
    return Float64Array.from(rows, (row) => this.numbers[row * this.cols + j]!)
  }
}

/** Keeps a row for a reason; the last one of a reason stays. */
type Keep = (why: string, i: number) => void

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
  const kept = new Kept(coded.length, wide.length)
  const places = evenRows(total, SAMPLE_ROWS)
  const even: number[] = []
  const rest = new Map<string, number>()
  const labels = new LabelCounts()
  const keepers = coded.map((name, j) =>
    numeric.has(name) ? new Ends(j) : new EachText(j, texts.get(name)!.values!.length),
  )
  const targetAt = target === undefined || !numeric.has(target) ? -1 : coded.indexOf(target)
  await scan(scanned, coded, wide, (rows) => {
    const end = rows.first + rows.rows
    while (even.length < places.length && places[even.length]! < end)
      even.push(kept.add(rows, places[even.length]! - rows.first))
    const keep: Keep = (why, i) => void rest.set(why, kept.add(rows, i))
    for (const keeper of keepers) keeper.look(rows, keep)
    if (targetAt < 0) return
    const items = rows.numbers[targetAt]!
    for (let i = 0; i < rows.rows && !labels.isMeasured; i++) {
      const known = labels.counts.size
      labels.add(items[i]!)
      if (labels.counts.size > known) keep(`label ${items[i]}`, i)
    }
  })
  const byPlace = new Map([...even, ...rest.values()].map((row) => [kept.places[row]!, row]))
  const order = [...byPlace.keys()].sort((a, b) => a - b)
  const rows = order.map((place) => byPlace.get(place)!)
  const isEven = new Set(even.map((row) => kept.places[row]!))
  return {
    columns: new Map(
      names.map((name) => [
        name,
        wide.includes(name)
          ? wideColumn(
              rows.map((row) => kept.words[row]![wide.indexOf(name)]!),
              scanned,
              name,
            )
          : codedColumn(kept.column(coded.indexOf(name), rows), scanned, name),
      ]),
    ),
    places: Float64Array.from(order),
    even: Int32Array.from(order.keys()).filter((k) => isEven.has(order[k]!)),
    whole: { rows: total, numbers: labels },
  }
}

/** The rows with the smallest and the largest number of a column. */
class Ends {
  private readonly column: number
  private least = Number.POSITIVE_INFINITY
  private most = Number.NEGATIVE_INFINITY

  constructor(column: number) {
    this.column = column
  }

  look({ rows, numbers }: ScannedRows, keep: Keep): void {
    const items = numbers[this.column]!
    let { least, most } = this
    let [low, high] = [-1, -1]
    for (let i = 0; i < rows; i++) {
      const value = items[i]!
      if (value < least) {
        least = value
        low = i
      }
      if (value > most) {
        most = value
        high = i
      }
    }
    this.least = least
    this.most = most
    if (low >= 0) keep(`${this.column} least`, low)
    if (high >= 0) keep(`${this.column} most`, high)
  }
}

/** The first rows with each text of a column. */
class EachText {
  private readonly column: number
  private readonly counts: Int32Array
  private missing: number

  constructor(column: number, values: number) {
    this.column = column
    this.counts = new Int32Array(values)
    this.missing = values * EACH_TEXT
  }

  look({ rows, numbers }: ScannedRows, keep: Keep): void {
    if (this.missing === 0) return
    const items = numbers[this.column]!
    for (let i = 0; i < rows; i++) {
      const code = items[i]!
      if (Number.isNaN(code) || this.counts[code]! >= EACH_TEXT) continue
      keep(`${this.column} ${code} ${this.counts[code]!++}`, i)
      this.missing--
    }
  }
}

function codedColumn(numbers: Float64Array, { numeric, texts, table }: Scanned, name: string): Column {
  if (numeric.has(name)) return numbers
  const { values = [], counts = [], there, different } = texts.get(name)!
  const codes = Int32Array.from(numbers, (code) => (Number.isNaN(code) ? -1 : code))
  const asText = isText(table, name)
  return { codes, values, whole: { counts, there, different }, ...(asText ? { asText } : {}) }
}

function wideColumn(words: readonly (string | null)[], { texts, table }: Scanned, name: string): Column {
  const { there, different } = texts.get(name)!
  const known = new Map<string, number>()
  const codes = Int32Array.from(words, (text) => {
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
