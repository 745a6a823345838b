import { printable } from './printable.js'

const WIDEST = 40

/** How a table is laid out. */
export interface GridOptions {
  /** The side of the first column: right where it holds numbers. Default left. */
  readonly first?: 'left' | 'right'
  /** Columns of words, to the left; default: the first, unless it holds numbers. */
  readonly left?: readonly number[]
  /** Signs that a line may have: a wider table continues below, with its first column again. Default: any number. */
  readonly width?: number | undefined
}

/** A table: numbers to the right, and the first column to the left, unless it holds numbers. All cells are made safe to show. */
export function grid(
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  { first = 'left', left = first === 'left' ? [0] : [], width = Number.POSITIVE_INFINITY }: GridOptions = {},
): string {
  const cells = [...(header === undefined ? [] : [header]), ...rows].map((row) => row.map(cell))
  const wide = (cells[0] ?? []).map((_, j) => Math.max(...cells.map((row) => widthOf(row[j] ?? ''))))
  return blocks(wide, width)
    .map((columns) =>
      cells
        .map((row) => {
          const parts = columns.map((j) => {
            const text = row[j] ?? ''
            const space = ' '.repeat(Math.max(0, wide[j]! - widthOf(text)))
            return left.includes(j) ? text + space : space + text
          })
          return `${parts.join('  ').trimEnd()}\n`
        })
        .join(''),
    )
    .join('\n')
}

/** Which columns stand beside each other: the first one, and as many others as there is room for, but at least one. */
function blocks(wide: readonly number[], width: number): number[][] {
  const out: number[][] = []
  let at = 0
  for (let j = 1; j < wide.length; j++) {
    if (out.length === 0 || at + 2 + wide[j]! > width) {
      out.push([0])
      at = wide[0]!
    }
    out.at(-1)!.push(j)
    at += 2 + wide[j]!
  }
  return out.length === 0 ? [[0]] : out
}

/** Five digits are enough to read, and of large numbers all before the point; files and JSON have all of them. */
export function brief(value: number): string {
  const isLarge = Math.abs(value) >= 1e5 && Math.abs(value) < 1e15
  return String(isLarge ? Math.round(value) : Number(value.toPrecision(5)))
}

const SHORT = 10
const LARGE = 1e4

/** A value of the user's own, by which a row is looked up: as it was written where that is short, else as `brief`. */
export function asWritten(value: number): string {
  // Units and back change the last of sixteen digits.
  const text = String(Number(value.toPrecision(SHORT)))
  // Of a large number `brief` would leave no decimals, by which rows may differ.
  const most = Math.abs(value) >= LARGE ? SHORT + 2 : SHORT
  return text.length <= most ? text : brief(value)
}

/** What rounding leaves of a number that is 0 beside numbers of a given size. */
const ROUNDING = 1e-11

/** 0 where a number is nothing but rounding beside numbers of that size. */
export function orZero(value: number, size: number): number {
  return Math.abs(value) <= ROUNDING * size ? 0 : value
}

/**
 * A value with its standard error: two digits of the error, and of the value as many as they leave a meaning, but at
 * least three.
 */
export function withError(value: number, error: number | undefined): readonly [string, string] {
  if (error === undefined) return [brief(value), '']
  if (value === 0) return ['0', `± ${significant(error, 2)}`]
  const least = 2 - magnitude(value)
  const digits = Math.max(1 - magnitude(error), least)
  const text =
    Math.abs(digits) > 12 ? brief(value) : digits < 0 ? rounded(value, -digits) : value.toFixed(digits)
  return [text, `± ${significant(error, 2)}`]
}

/** A large number without its last digits, of which nobody knows anything. */
function rounded(value: number, zeros: number): string {
  const unit = 10 ** zeros
  return String(Math.round(value / unit) * unit)
}

/** From one number to another, with as many decimals as a third has. */
export function fromTo(low: number, high: number, text: string): string {
  return `${like(low, text)} to ${like(high, text)}`
}

/** A number with as many decimals as another has, beside which it stands. */
export function like(value: number, text: string): string {
  const [, decimals = ''] = /^-?\d+(?:\.(\d+))?$/.exec(text) ?? []
  if (text === '0' || !/^[-.\d]+$/.test(text)) return brief(value)
  // Without a minus before nothing but zeros.
  return value.toFixed(decimals.length).replace(/^-(?=[0.]*$)/, '')
}

/** That many digits, trailing zeros too, where the number is of a size that is written without an exponent. */
export function significant(value: number, digits: number): string {
  if (value === 0) return '0'
  const places = digits - 1 - magnitude(value)
  return places >= 0 && places <= 12 ? value.toFixed(places) : String(Number(value.toPrecision(digits)))
}

function magnitude(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)))
}

/** In how many parts below each other a table of that width is shown. */
export function partsOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): number {
  const cells = [header, ...rows]
  const wide = header.map((_, j) => Math.max(...cells.map((row) => widthOf(cell(row[j] ?? '')))))
  return blocks(wide, width).length
}

/** A text on one line of so many signs, safe to show: one that is longer loses its end. */
export function inLine(text: string, width: number): string {
  const safe = printable(text)
  return widthOf(safe) <= width ? safe : `${beginning([...safe], width - 1).join('')}…`
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

/** Texts that are too long lose their end; names of indicators, column=value, which differ there, their middle. */
function cell(text: string): string {
  const safe = printable(text)
  if (widthOf(safe) <= WIDEST) return safe
  const end = safe.includes('=') ? Math.floor((WIDEST - 1) / 3) : 0
  const signs = [...safe]
  return `${beginning(signs, WIDEST - 1 - end).join('')}…${beginning(signs.reverse(), end).reverse().join('')}`
}

/** The first signs, as many as have room. */
function beginning(signs: readonly string[], room: number): string[] {
  const out: string[] = []
  let used = 0
  for (const sign of signs) {
    used += widthOf(sign)
    if (used > room) break
    out.push(sign)
  }
  return out
}

/** Signs of East Asian scripts and pictures, which take two places of a terminal. */
const DOUBLE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
/** Marks that stand on the sign before them. */
const NOTHING = /\p{Mn}|\p{Me}|\p{Cf}/u

/** Places that a text takes on a terminal. */
export function widthOf(text: string): number {
  // Most texts are plain.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let sum = 0
  for (const sign of text) sum += NOTHING.test(sign) ? 0 : DOUBLE.test(sign) ? 2 : 1
  return sum
}
