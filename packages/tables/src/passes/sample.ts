import { type Column, cells, type Filled, LabelCounts, type WholeTarget } from '@rlvi/estimator'
import { evenRows } from 'rlvi/passes'
import { type Scanned, type ScannedRows, scan } from './scan.js'

/** So many complete rows of every text, where it has as many; of texts that are too many for categories one. */
const EACH_TEXT = 20
const MANY_TEXTS = 1000

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
  private columns: Float64Array[]
  private readonly wide: number

  constructor(cols: number, wide: number) {
    this.columns = Array.from({ length: cols }, () => new Float64Array(1024))
    this.wide = wide
  }

  /** Keeps a row, and returns its number among the kept. */
  add({ first, numbers, text }: ScannedRows, i: number): number {
    const { columns, places } = this
    const at = places.length
    if (columns.length > 0 && at === columns[0]!.length)
      this.columns = columns.map((old) => {
        const more = new Float64Array(2 * old.length)
        more.set(old)
        return more
      })
    for (let j = 0; j < columns.length; j++) this.columns[j]![at] = numbers[j]![i]!
    if (this.wide > 0) this.words.push(Array.from({ length: this.wide }, (_, j) => text(j, i)))
    return places.push(first + i) - 1
  }

  /** A column of the listed rows. */
  column(j: number, rows: readonly number[]): Float64Array {
    const own = this.columns[j]!
    return Float64Array.from(rows, (row) => own[row]!)
  }
}

/** Keeps a row for a reason; the last one of a reason stays. */
type Keep = (why: string, i: number) => void

/**
 * One scan for the rows that stand for a table: an even sample of about `size` rows, the first rows that miss nothing with every
 * text of a column that may hold categories and with every label, and of each column of numbers those with the smallest and
 * the largest. So no category is unseen, and what is constant among them is so in the whole table.
 */
export async function sampleOf(
  scanned: Scanned,
  names: readonly string[],
  target: string | undefined,
  size: number,
  ignored: readonly string[] = [],
): Promise<Sample> {
  const { texts, numeric } = scanned
  const total = scanned.rows.reduce((sum, count) => sum + count, 0)
  // Texts too many for codes come as they are.
  const wide = names.filter((name) => !numeric.has(name) && texts.get(name)?.values === undefined)
  const coded = names.filter((name) => !wide.includes(name))
  const kept = new Kept(coded.length, wide.length)
  const places = evenRows(total, size)
  const even: number[] = []
  const rest = new Map<string, number>()
  const labels = new LabelCounts()
  const keepers = coded.map((name, j) =>
    numeric.has(name) ? new Ends(j) : new EachText(j, texts.get(name)!.values!.length),
  )
  const gaps = new Gaps(scanned, coded, ignored)
  const filled = new FilledRows(scanned, coded, target)
  let complete = 0
  const targetAt = target === undefined || !numeric.has(target) ? -1 : coded.indexOf(target)
  // A word far down, among more numbers than can be told one by one.
  const words = wide.map(() => 0)
  const look = (rows: ScannedRows): void => {
    const end = rows.first + rows.rows
    while (even.length < places.length && places[even.length]! < end)
      even.push(kept.add(rows, places[even.length]! - rows.first))
    const keep: Keep = (why, i) => void rest.set(why, kept.add(rows, i))
    filled.look(rows)
    const gap = gaps.of(rows)
    for (let i = 0; i < rows.rows; i++) if (gap[i] === 0) complete++
    for (const keeper of keepers) keeper.look(rows, gap, keep)
    wide.forEach((name, k) => {
      const isWord = rows.numbers[coded.length + k]!
      for (let i = 0; i < rows.rows && words[k]! < EACH_TEXT; i++)
        if (isWord[i] === 1) keep(`${name} word ${words[k]!++}`, i)
    })
    if (targetAt < 0) return
    const items = rows.numbers[targetAt]!
    for (let i = 0; i < rows.rows && !labels.isMeasured; i++) {
      if (gap[i] !== 0) continue
      const known = labels.counts.size
      labels.add(items[i]!)
      if (labels.counts.size > known) keep(`label ${items[i]}`, i)
    }
  }
  await scan(scanned, coded, wide, look, wide)
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
          : codedColumn(
              kept.column(coded.indexOf(name), rows),
              scanned,
              name,
              countsOf(keepers[coded.indexOf(name)]!),
            ),
      ]),
    ),
    places: Float64Array.from(order),
    even: Int32Array.from(order.keys()).filter((k) => isEven.has(order[k]!)),
    whole: { rows: complete, numbers: labels, filled: filled.found(wide, total) },
  }
}

interface Gone {
  readonly at: number
  /** Of texts: which of them say that there is none. */
  readonly gone: Uint8Array | undefined
}

/** How a missing value is told, of columns whose values can be told one by one. */
function goneIn({ numeric, texts, rules }: Scanned, names: readonly string[]): Gone[] {
  const { missing } = cells(rules)
  return names.map((name, at): Gone => {
    if (numeric.has(name)) return { at, gone: undefined }
    const { values = [] } = texts.get(name)!
    return { at, gone: Uint8Array.from(values, (text) => (missing.isText(text) ? 1 : 0)) }
  })
}

function isGap(item: number, gone: Uint8Array | undefined): boolean {
  return Number.isNaN(item) || gone?.[item] === 1
}

/** How many rows have a value in each column, of those that have the target, or anything where there is none. */
class FilledRows {
  private rows = 0
  private readonly there: number[]
  private readonly columns: readonly Gone[]
  private readonly names: readonly string[]
  private readonly counting: readonly Gone[]
  private readonly texts: Scanned['texts']

  constructor(scanned: Scanned, names: readonly string[], target: string | undefined) {
    this.names = names
    this.texts = scanned.texts
    this.columns = goneIn(scanned, names)
    this.counting = this.columns.filter(({ at }) => target === undefined || names[at] === target)
    this.there = names.map(() => 0)
  }

  look({ rows, numbers }: ScannedRows): void {
    const counts = new Uint8Array(rows)
    for (const { at, gone } of this.counting) {
      const items = numbers[at]!
      for (let i = 0; i < rows; i++) if (!isGap(items[i]!, gone)) counts[i] = 1
    }
    for (let i = 0; i < rows; i++) this.rows += counts[i]!
    for (const { at, gone } of this.columns) {
      const items = numbers[at]!
      let there = 0
      for (let i = 0; i < rows; i++) if (counts[i] === 1 && !isGap(items[i]!, gone)) there++
      this.there[at]! += there
    }
  }

  /** Of columns of too many texts only is known how many rows of all have one: as many of those that count, in proportion. */
  found(wide: readonly string[], total: number): Filled {
    const { rows } = this
    const columns = new Map(this.names.map((name, j) => [name, this.there[j]!]))
    for (const name of wide)
      columns.set(name, Math.ceil((rows * this.texts.get(name)!.there) / Math.max(1, total)))
    return { rows, columns }
  }
}

/** Which rows miss a value, in any column that has some and whose values can be told one by one. */
class Gaps {
  private readonly columns: readonly Gone[]
  private gap = new Uint8Array(0)

  constructor(scanned: Scanned, names: readonly string[], ignored: readonly string[]) {
    this.columns = goneIn(scanned, names).filter(({ at, gone }) => {
      if (ignored.includes(names[at]!) || scanned.empty.has(names[at]!)) return false
      return gone === undefined || !gone.every((is) => is === 1)
    })
  }

  /** 1 for each row that does, good until the next call. */
  of({ rows, numbers }: ScannedRows): Uint8Array {
    if (this.gap.length < rows) this.gap = new Uint8Array(rows)
    const gap = this.gap.fill(0)
    for (const { at, gone } of this.columns) {
      const items = numbers[at]!
      for (let i = 0; i < rows; i++) if (isGap(items[i]!, gone)) gap[i] = 1
    }
    return gap
  }
}

/** The rows with the smallest and the largest number of a column, of all rows and of those that miss nothing. */
class Ends {
  private readonly column: number
  private readonly ends = [
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ]

  constructor(column: number) {
    this.column = column
  }

  look({ rows, numbers }: ScannedRows, gap: Uint8Array, keep: Keep): void {
    const items = numbers[this.column]!
    this.ends.forEach((ends, onlyComplete) => {
      let [least = 0, most = 0] = ends
      let [low, high] = [-1, -1]
      for (let i = 0; i < rows; i++) {
        const value = items[i]!
        if (!(value < least || value > most) || (onlyComplete === 1 && gap[i] !== 0)) continue
        if (value < least) {
          least = value
          low = i
        }
        if (value > most) {
          most = value
          high = i
        }
      }
      ends[0] = least
      ends[1] = most
      if (low >= 0) keep(`${this.column} least ${onlyComplete}`, low)
      if (high >= 0) keep(`${this.column} most ${onlyComplete}`, high)
    })
  }
}

/** The first rows with each text of a column that miss nothing, and how many there are. */
class EachText {
  readonly counts: number[]
  private readonly column: number
  private readonly each: number

  constructor(column: number, values: number) {
    this.column = column
    this.counts = new Array<number>(values).fill(0)
    this.each = values > MANY_TEXTS ? 1 : EACH_TEXT
  }

  look({ rows, numbers }: ScannedRows, gap: Uint8Array, keep: Keep): void {
    const items = numbers[this.column]!
    for (let i = 0; i < rows; i++) {
      const code = items[i]!
      if (gap[i] !== 0 || Number.isNaN(code)) continue
      const count = this.counts[code]!++
      if (count < this.each) keep(`${this.column} ${code} ${count}`, i)
    }
  }
}

function countsOf(keeper: Ends | EachText): readonly number[] {
  return keeper instanceof EachText ? keeper.counts : []
}

function codedColumn(
  numbers: Float64Array,
  { numeric, texts, table }: Scanned,
  name: string,
  complete: readonly number[],
): Column {
  if (numeric.has(name)) return numbers
  const { values = [], names = values, counts = [], there, different } = texts.get(name)!
  const codes = Int32Array.from(numbers, (code) => (Number.isNaN(code) ? -1 : code))
  const asText = isText(table, name)
  return {
    codes,
    values: names,
    whole: { counts, there, different, complete },
    ...(asText ? { asText } : {}),
  }
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
