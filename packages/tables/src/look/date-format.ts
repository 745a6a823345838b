const clocks: readonly (readonly [RegExp, string])[] = [
  [/^$/, ''],
  [/^ \d{1,2}:\d{2}$/, ' %H:%M'],
  [/^ \d{1,2}:\d{2}:\d{2}$/, ' %H:%M:%S'],
  [/^ \d{1,2}:\d{2}:\d{2}\.\d+$/, ' %H:%M:%S.%f'],
  [/^ \d{1,2}:\d{2} [AP]M$/i, ' %I:%M %p'],
  [/^ \d{1,2}:\d{2}:\d{2} [AP]M$/i, ' %I:%M:%S %p'],
]
const digits: Readonly<Record<number, string>> = {
  8: '%Y%m%d',
  10: '%Y%m%d%H',
  12: '%Y%m%d%H%M',
  14: '%Y%m%d%H%M%S',
}

/**
 * How DuckDB reads all of these dates, where they are written in one of the usual ways that do not begin with the year and a
 * sign; undefined for others. Texts that are dates are needed.
 */
export function dateFormat(texts: readonly string[], order?: 'dmy' | 'mdy'): string | undefined {
  const bare = texts.map((text) => text.trim().replace(/^(\d{8,14})\.0*$/, '$1'))
  const [first] = bare
  if (first === undefined) return undefined
  if (bare.every((text) => /^\d+$/.test(text) && text.length === first.length)) return digits[first.length]
  const parts = bare.map((text) => /^(\d{1,2})([/.-])(\d{1,2})\2\d{4}(.*)$/.exec(text))
  const sign = parts[0]?.[2]
  if (sign === undefined || parts.some((part) => part?.[2] !== sign)) return undefined
  const time = clocks.find(([pattern]) => parts.every((part) => pattern.test(part![4]!)))?.[1]
  if (time === undefined) return undefined
  // Where the first is beyond all months it is the day; points are written where the day comes first.
  const isDayFirst =
    order === undefined ? sign === '.' || parts.some((part) => Number(part![1]) > 12) : order === 'dmy'
  return `${isDayFirst ? ['%d', '%m', '%Y'].join(sign) : ['%m', '%d', '%Y'].join(sign)}${time}`
}
