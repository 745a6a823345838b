import { show } from 'rlvi'
import type { Dates, Numbers, Texts } from '../columns/column.js'
import type { Needed } from '../columns/complete.js'
import { dateParts, dateText, isClock } from '../columns/dates.js'
import type { Problem } from '../columns/problem.js'
import { areTooMany } from '../columns/too-many.js'
import { capitalsRemark } from '../diagnostics/capitals.js'
import { loneSignRemark } from '../diagnostics/lone-signs.js'
import type { Feature } from '../encoding/design.js'
import { categories, levels, type OfDate } from '../encoding/encoding.js'
import { ofDate } from '../encoding/of-date.js'
import type { Words } from '../words.js'
import { keepsConstant, onlyValue, shownValue } from './constants.js'
import { manyTexts } from './features.js'
import type { LeftOut } from './left-out.js'
import type { ModelName } from './methods.js'
import type { Settings } from './options.js'

/** Features as they enter the design. */
export interface Encoded {
  readonly features: readonly Feature[]
  readonly left: readonly LeftOut[]
  readonly problems: readonly Problem[]
  readonly remarks: readonly string[]
  /** The columns of times without a date. */
  readonly clocks: readonly Clock[]
}

export function encode(
  usable: readonly Needed[],
  rows: Int32Array,
  model: ModelName,
  settings: Settings,
  words: Words,
): Encoded {
  const left: LeftOut[] = []
  const problems: Problem[] = []
  const remarks: string[] = []
  const clocks: Clock[] = []
  const features = usable.flatMap(({ name, data }): Feature[] => {
    const parts = data.kind === 'date' ? partsOf(data, rows, settings.dateParts) : [{ data }]
    const found = parts.filter((part) => {
      const value = onlyValue(part.data, rows)
      return value === undefined || keepsConstant(model, settings.intercept, value)
    })
    if (found.length === 0) left.push({ column: name, reason: 'constant', value: shownValue(data, rows) })
    else if (data.kind === 'date' && !isClock(data.order)) remarks.push(dateRemark(name, data, found, words))
    else if (data.kind === 'date') clocks.push({ name, inMinutes: data.order === 'minutes' })
    return found.map((part): Feature => {
      const own = part.date === undefined ? {} : { date: part.date }
      const said = settings.numbers.includes(name) ? ({ words: 'missing' } as const) : {}
      if (part.data.kind === 'number')
        return { encoding: { name, kind: 'number', ...own, ...said }, data: part.data }
      const seen = levels(part.data, rows)
      const capitals = capitalsRemark(name, seen.values)
      if (capitals !== undefined) remarks.push(capitals)
      const signs = loneSignRemark(name, seen.values, words)
      if (signs !== undefined) remarks.push(signs)
      if (part.date === undefined && areTooMany(seen.values.length, rows.length))
        problems.push(manyTexts(name, seen.values.length, seen.values))
      return { encoding: { ...categories(name, seen), ...own }, data: part.data }
    })
  })
  return { features, left, problems, remarks, clocks }
}

interface Part {
  readonly data: Numbers | Texts
  readonly date?: OfDate
}

function partsOf(dates: Dates, rows: Int32Array, apart: boolean): Part[] {
  const { order } = dates
  if (isClock(order))
    return [{ data: ofDate(dates, { order, part: 'hours' }), date: { order, part: 'hours' } }]
  if (apart) return dateParts.map((part) => ({ data: ofDate(dates, { order, part }), date: { order, part } }))
  let first = Number.POSITIVE_INFINITY
  for (const row of rows) first = Math.min(first, dates.values[row]!)
  const date = { order, part: 'days', from: dateText(first) } as const
  return [{ data: ofDate(dates, date), date }]
}

const orders: Readonly<Record<OfDate['order'], string>> = {
  ymd: '',
  dmy: ', the day before the month',
  mdy: ', the month before the day',
  ym: ' without a day, taken as the first',
  my: ' without a day, taken as the first',
  compact: '',
  clock: '',
  minutes: '',
}

const digitWords: Readonly<Record<number, string>> = { 8: 'eight', 10: 'ten', 12: 'twelve', 14: 'fourteen' }

/** A column of times, and whether they are written as minutes and seconds. */
export interface Clock {
  readonly name: string
  readonly inMinutes: boolean
}

/** One sentence for all columns of times: a watch writes a dozen. */
export function clockRemarks(clocks: readonly Clock[]): string[] {
  return [false, true].flatMap((inMinutes) => {
    const names = clocks.filter((clock) => clock.inMinutes === inMinutes).map(({ name }) => show(name))
    const which = `column${names.length > 1 ? 's' : ''} ${names.join(', ')}`
    const taken = inMinutes ? 'minutes (1:30.6 is 1.51)' : 'hours (1:30 is 1.5)'
    return names.length === 0 ? [] : [`${which}: times, taken as ${taken}`]
  })
}

function dateRemark(
  name: string,
  { order, hasShortYears, digits }: Dates,
  parts: readonly Part[],
  words: Words,
): string {
  const dates = parts.flatMap(({ date }) => date ?? [])
  const [first] = dates
  const years = hasShortYears ? ', with years of two digits as 1969 to 2039' : ''
  const [what, otherwise] =
    digits === undefined
      ? ['dates', '']
      : [
          `${digits === 8 ? 'dates' : 'dates and times'} of ${digitWords[digits] ?? digits} digits`,
          `; ${words.option('numbers', [name])} takes them as numbers`,
        ]
  const written = `column ${show(name)}: ${what}${orders[order]}${years}`
  if (first?.part !== 'days')
    return `${written}, taken as ${dates.map(({ part }) => part).join(', ')}${otherwise}`
  const other = `${words.option('dateParts')} gives year, month, weekday and hour`
  return `${written}, taken as days since ${first.from}; ${other}${otherwise}`
}
