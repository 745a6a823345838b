import { type Caution, type CautionSubject, show } from 'rlvi'
import type { Units } from '../fit/units.js'

/** What speaks against taking a fit at its word, in the table's own names. */
export interface TableCaution {
  /** What it is about, in a word that programs can look for. */
  readonly about: CautionSubject
  /** One sentence for people, and what to do; it names the column, where it is about one. */
  readonly message: string
  /** The feature that it is about, by its name in `design`: `column`, or `column=category`. */
  readonly column?: string
}

/** A fit's cautions with the names of features in place of their positions. */
export function namedCautions(
  cautions: readonly Caution[] | undefined,
  features: readonly string[],
  units?: Units,
): TableCaution[] {
  return (cautions ?? []).map(({ about, message, column, columns, values }) => {
    if (columns !== undefined) return { about, message: namingAll(message, columns, features) }
    const name = column === undefined ? undefined : features[column]
    if (name === undefined) return { about, message }
    const own = values?.map((value) => inUnits(value, column!, units))
    return { about, message: naming(message, column!, name, own), column: name }
  })
}

/** `column 3` becomes `column "age"`; a message that names no column gets it in front. */
function naming(message: string, column: number, name: string, values?: readonly number[]): string {
  const own = `column ${show(name)}${values === undefined ? '' : `, at ${named(values)}`}`
  const position = new RegExp(`\\bcolumn ${column}\\b`, 'g')
  // A function: a name may hold `$&`, which a text to replace by gives a meaning.
  return position.test(message) ? message.replaceAll(position, () => own) : `${own}: ${message}`
}

/** So many values are named one by one. */
const NAMED = 3

function named(values: readonly number[]): string {
  const short = values.map((value) => String(Number(value.toPrecision(6))))
  return short.length <= NAMED ? short.join(', ') : `${short[0]} to ${short.at(-1)}`
}

/** The fit saw (x - centre) / scale. */
function inUnits(value: number, column: number, units: Units | undefined): number {
  return units === undefined ? value : value * units.scale[column]! + units.centre[column]!
}

/** `columns 0, 2` become `columns "age", "pay"`. */
function namingAll(message: string, columns: readonly number[], features: readonly string[]): string {
  const names = columns.map((column) => (features[column] === undefined ? column : show(features[column])))
  return message.replaceAll(`columns ${columns.join(', ')}`, () => `columns ${names.join(', ')}`)
}

export function cautionRemark({ message }: TableCaution): string {
  return `caution: ${message}`
}
