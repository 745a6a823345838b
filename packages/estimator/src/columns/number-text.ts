import { OptionError, type Words } from '../words.js'
import { isFootnote, isPower, type Thousands, thousandsSigns } from './likeness.js'

/** How numbers are written in texts. */
export interface NumberRules {
  /** The sign before decimals in texts: a point, unless this is a comma. */
  readonly decimal?: '.' | ',' | undefined
  /** The sign between groups of digits, as in 1,234,567; without it there is none. */
  readonly thousands?: Thousands | undefined
  /** What may stand beside a number, such as `$`, `%` or `kg`, and is no part of it. */
  readonly units?: readonly string[] | undefined
}

/** A sign has one meaning. */
export function checkNumberRules({ decimal = '.', thousands, units = [] }: NumberRules, words: Words): void {
  if (thousands === decimal) {
    const rule = 'another sign than that before decimals is needed'
    const todo = `give ${words.option('decimal', decimal === '.' ? ',' : '.')} too`
    throw new OptionError(words.option('thousands'), rule, thousands, todo)
  }
  const odd = units.find(
    (unit) => unit.trim() === '' || (/[\d.,+-]/.test(unit) && !isFootnote(unit) && !isPower(unit)),
  )
  if (odd !== undefined)
    throw new OptionError(words.option('units'), 'signs or words without digits are needed', odd)
}

/** The minus of typography, which spreadsheets and journals have instead of a hyphen. */
export const MINUS = '\u2212'

/** An exponent as Fortran writes it, 1.5D+03: with a sign behind the D it can be nothing else. For the expressions of databases, too. */
export const fortranNumber: string = String.raw`\s*[+-]?(?:\d+[.,]\d*|[.,]\d+)D[+-]\d{1,3}\s*`
const fortran = new RegExp(`^${fortranNumber}$`)

/** A reader of the numbers in texts: NaN for a text that is none. */
export function numberReader(rules: NumberRules): (text: string) => number {
  const read = plainReader(rules)
  return (text) => {
    const number = read(text)
    if (!Number.isNaN(number)) return number
    if (fortran.test(text)) return read(text.replace('D', 'E'))
    return text.includes(MINUS) ? read(text.replaceAll(MINUS, '-')) : number
  }
}

function plainReader({ decimal = '.', thousands, units = [] }: NumberRules): (text: string) => number {
  if (thousands === undefined && units.length === 0) return (text) => parseNumber(text, decimal)
  const bare = withoutUnits(units)
  const whole = thousands === undefined ? (text: string): string => text : withoutGroups(thousands, decimal)
  return (text) => parseNumber(whole(bare(text)), decimal)
}

/** Without one unit, before the number or behind it. */
function withoutUnits(units: readonly string[]): (text: string) => string {
  if (units.length === 0) return (text) => text
  const any = [...units]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|')
  const before = new RegExp(`^\\s*([+-]?)\\s*(?:${any})\\s*(?=[+-]?[\\d.,])`, 'u')
  const behind = new RegExp(`(?<=\\d[.,]?)\\s*(?:${any})\\s*$`, 'u')
  return (text) => (before.test(text) ? text.replace(before, '$1') : text.replace(behind, ''))
}

/** Groups of three digits in one piece; in India those before the last have two. Other texts are left to be no numbers. */
function withoutGroups(thousands: Thousands, decimal: '.' | ','): (text: string) => string {
  const sign = `[${escaped(thousandsSigns[thousands])}]`
  const grouped = new RegExp(
    `^\\s*[+-]?\\d{1,3}(?:${sign}\\d{2,3})*${sign}\\d{3}(?:${escaped(decimal)}\\d*)?\\s*$`,
  )
  const every = new RegExp(sign, 'g')
  return (text) => {
    if (grouped.test(text)) return text.trim().replaceAll(every, '')
    // A point that stands for thousands is none before decimals.
    return thousands === '.' && text.includes('.') ? 'no number' : text
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Number knows hexadecimal; a table has none. */
function parseNumber(text: string, decimal: '.' | ','): number {
  if (isOtherBase(text)) return Number.NaN
  if (decimal === '.') return Number(text)
  return text.includes('.') ? Number.NaN : Number(text.replace(',', '.'))
}

function isOtherBase(text: string): boolean {
  const bare = text.charCodeAt(0) > 0x20 ? text : text.trimStart()
  const sign = bare.charCodeAt(1) | 0x20
  return bare.charCodeAt(0) === 0x30 && (sign === 0x78 || sign === 0x6f || sign === 0x62)
}
