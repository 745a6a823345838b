import { type Column, LabelCounts, type WholeTarget } from '@rlvi/estimator'
import { evenRows } from 'rlvi/passes'
import { FilledRows, Gaps } from './gaps.js'
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
    const out = new Float64Array(rows.length)
    for (let k = 0; k < out.length; k++) out[k] = own[rows[k]!]!
    return out
  }
}

/** Keeps a row for a reason; the last one of a reason stays. */
type Keep = (why: string, i: number) => void

/**
 * One scan for the rows that stand for a table, which fills its copy on the way: an even sample of about `size` rows, the first rows that miss nothing with every
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
  // A second look reads what the first one copied.
  const copy = scanned.copy?.isOpen ? scanned.copy : undefined
  const total = scanned.rows.reduce((sum, count) => sum + count, 0)
  // Texts too many for codes come as they are.
  const coded = codedColumns(scanned, names)
  const wide = names.filter((name) => !coded.includes(name))
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
  const isNumeric = coded.every((name) => numeric.has(name))
  /** Returns whether all is finite numbers. */
  const look = (rows: ScannedRows): boolean => {
    const end = rows.first + rows.rows
    while (even.length < places.length && places[even.length]! < end)
      even.push(kept.add(rows, places[even.length]! - rows.first))
    const keep: Keep = (why, i) => void rest.set(why, kept.add(rows, i))
    const ends = keepers.map((_, j) =>
      numeric.has(coded[j]!) ? endsOf(rows.numbers[j]!, rows.rows) : undefined,
    )
    const areNumbers = isNumeric && ends.every((own) => own!.areNumbers)
    // Rows without a gap, which most are, need no look at each.
    if (areNumbers) filled.lookAtFull(rows.rows)
    else filled.look(rows)
    const gap = areNumbers ? gaps.none(rows.rows) : gaps.of(rows)
    const before = complete
    if (areNumbers) complete += rows.rows
    else for (let i = 0; i < rows.rows; i++) if (gap[i] === 0) complete++
    const hasGaps = complete - before < rows.rows
    keepers.forEach((keeper, j) => {
      keeper.look(rows, gap, hasGaps, keep, ends[j])
    })
    wide.forEach((name, k) => {
      const isWord = rows.numbers[coded.length + k]!
      for (let i = 0; i < rows.rows && words[k]! < EACH_TEXT; i++)
        if (isWord[i] === 1) keep(`${name} word ${words[k]!++}`, i)
    })
    if (targetAt < 0) return areNumbers
    const items = rows.numbers[targetAt]!
    for (let i = 0; i < rows.rows && !labels.isMeasured; i++) {
      if (gap[i] !== 0) continue
      const known = labels.counts.size
      labels.add(items[i]!)
      if (labels.counts.size > known) keep(`label ${items[i]}`, i)
    }
    return areNumbers
  }
  await scan(
    scanned,
    coded,
    wide,
    async (rows) => {
      const areNumbers = look(rows)
      await copy?.add(coded, rows, areNumbers)
    },
    wide,
  )
  await copy?.finish()
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

/** The columns that a scan has as numbers, or as codes of texts. */
export function codedColumns({ numeric, texts }: Scanned, names: readonly string[]): string[] {
  return names.filter((name) => numeric.has(name) || texts.get(name)?.values !== undefined)
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

  look(
    { rows, numbers }: ScannedRows,
    gap: Uint8Array,
    hasGaps: boolean,
    keep: Keep,
    all: EndRows = endsOf(numbers[this.column]!, rows),
  ): void {
    const items = numbers[this.column]!
    this.ends.forEach((ends, onlyComplete) => {
      const { low, high } = onlyComplete === 1 && hasGaps ? endsOf(items, rows, gap) : all
      if (low >= 0 && items[low]! < ends[0]!) {
        ends[0] = items[low]!
        keep(`${this.column} least ${onlyComplete}`, low)
      }
      if (high >= 0 && items[high]! > ends[1]!) {
        ends[1] = items[high]!
        keep(`${this.column} most ${onlyComplete}`, high)
      }
    })
  }
}

/** The places of the smallest and the largest number, -1 where there is none, and whether all are finite. */
interface EndRows {
  readonly low: number
  readonly high: number
  readonly areNumbers: boolean
}

/** Of rows without a gap, if gaps are given. */
function endsOf(items: Float64Array, rows: number, gap?: Uint8Array): EndRows {
  let [low, high] = [-1, -1]
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  // What is no number, or infinite, makes this NaN.
  let nothing = 0
  for (let i = 0; i < rows; i++) {
    const value = items[i]!
    nothing += value - value
    if (!(value < least || value > most) || (gap !== undefined && gap[i] !== 0)) continue
    if (value < least) {
      least = value
      low = i
    }
    if (value > most) {
      most = value
      high = i
    }
  }
  return { low, high, areNumbers: nothing === 0 }
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

  look({ rows, numbers }: ScannedRows, gap: Uint8Array, _hasGaps: boolean, keep: Keep): void {
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
