/** A date in digits alone, and a time behind it: 20200131, 2020013108, 202001310830, 20200131083000, 20200131T083000Z, 20200131:0830. */
const compact =
  /^(\d{4})(\d{2})(\d{2})(?:[T :]?(\d{2})(?:(\d{2})(?:(\d{2})(?:(?<=[T ]\d{6})[.,](\d+))?)?)?(Z)?)?(?:\.0*)?$/

/** What such a text has: year, month and day, the part of a day, and how many digits it is written in. */
export interface CompactDate {
  readonly date: readonly string[]
  readonly time: number
  readonly digits: number
}

/** Undefined for other texts. As pandas writes whole numbers where one is missing, `.0` may stand behind it. */
export function compactDate(bare: string): CompactDate | undefined {
  const found = compact.exec(bare)
  if (found === null) return undefined
  const [, year = '', month = '', day = '', hour, minute, second, part] = found
  const time = partOfDay(Number(hour ?? 0), Number(minute ?? 0), Number(`${second ?? 0}.${part ?? 0}`))
  const digits = [year, month, day, hour, minute, second].reduce((sum, text) => sum + (text?.length ?? 0), 0)
  return { date: [year, month, day], time, digits }
}

/** Midnight may be the end of a day. */
function partOfDay(hour: number, minute: number, second: number): number {
  const isOne = minute < 60 && second < 61 && (hour < 24 || (hour === 24 && minute === 0 && second === 0))
  return isOne ? (3600 * hour + 60 * minute + second) / 86_400 : Number.NaN
}
