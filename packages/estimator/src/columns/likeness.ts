/** What keeps a text from being the number that it looks like. */
export interface Likeness {
  /** In words. */
  readonly what: string
  /** How it would have to be read, where that makes a number of it. */
  readonly reading?: Reading
}

/** How texts would have to be read to be numbers. */
export interface Reading {
  readonly decimal?: '.' | ',' | undefined
  readonly thousands?: Thousands | undefined
  readonly unit?: string
  /** One group of three digits: `thousands` and `decimal` are two ways to read it. */
  readonly unsure?: boolean
}

/** The sign between groups of three digits, by itself or by its name where it has no other. */
export type Thousands = ',' | '.' | 'apostrophe' | 'space' | 'underscore'

/** The signs that each stands for. */
export const thousandsSigns: Readonly<Record<Thousands, string>> = {
  ',': ',',
  '.': '.',
  apostrophe: "'’",
  space: ' \u00a0\u202f\u2009',
  underscore: '_',
}

/** Undefined for other words. */
export function likeness(text: string, decimal: '.' | ','): Likeness | undefined {
  const bare = bareText(text)
  const odd = signs.find(([pattern]) => pattern.test(bare))
  if (odd !== undefined) return { what: odd[1] }
  for (const [pattern, what] of beside) {
    const found = pattern.exec(bare)?.groups
    if (found === undefined) continue
    const inner = separators(`${found.number}`.trim(), decimal)
    return { what, reading: { ...inner?.reading, unit: found.unit! } }
  }
  return separators(bare, decimal)
}

/** Without blanks around it, and with a hyphen for the minus of typography. */
function bareText(text: string): string {
  return text.trim().replaceAll('\u2212', '-')
}

/** Signs of currencies, some with letters before them: R$, US$. */
const currency = '[A-Z]{0,3}\\$|[€£¥₹₩₽₺₫₱฿₴₦]'
const amount = String.raw`\d[\d.,' _\u00a0\u202f’]*`
const signs: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?(?:inf|infinity|\d+(?:\.\d+)?e\+?\d{3,})$/i, 'an infinity'],
  [new RegExp(`^\\(${amount}\\)$`), 'a negative number in brackets'],
  [new RegExp(`^${amount}-$`), 'a minus behind the number: write it in front'],
  [/^[+-]?0x[0-9a-f]+$/i, 'hexadecimal'],
  [
    /^[+\uff0b-]?\uff0d?[\d.,]*[\uff10-\uff19][\d\uff10-\uff19.,\uff0c\uff0e]*$/,
    'digits of full width: write them as 0 to 9',
  ],
  [/^[+-]?(?:\d+\.?\d*|\.\d+)d[+-]?\d+$/i, 'an exponent written with D'],
  [/^\d{1,2}:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/, 'a time of day'],
  // Beside €0.9M one may have €900K: no one sign to leave out makes numbers of both.
  [
    new RegExp(`^[+-]?\\s*(?:${currency})\\s*${amount}\\s*(?:[kmb]|bn|mn|mio|mrd|tsd)\\.?$`, 'i'),
    'a currency sign and a multiple: write the number out',
  ],
]
const signFirst = new RegExp(`^[+-]?\\s*(?<unit>${currency})\\s*[+-]?\\s*(?<number>${amount})$`)
const beside: readonly (readonly [RegExp, string])[] = [
  [signFirst, 'a currency sign'],
  [new RegExp(`^[+-]?(?<number>${amount})\\s*(?<unit>${currency})$`), 'a currency sign'],
  [new RegExp(`^[+-]?(?<number>${amount})\\s*(?<unit>%)$`), 'a percent sign'],
  [new RegExp(`^[+-]?(?<number>${amount}?)\\s*(?<unit>\\[[\\p{L}\\d ]{1,12}\\]|[†‡])$`, 'u'), 'a footnote'],
]

/** Whether it is a unit to the power of two or three, as m2 and cm3 are written: any other digits beside a number would be its own. */
export function isPower(unit: string): boolean {
  return /^\p{L}{1,4}[23]$/u.test(unit)
}

/** Whether what stands beside a number refers to a note: of these a column may have several, which are all no part of it. */
export function isFootnote(unit: string): boolean {
  return /^(?:\[[^[\]]+\]|[†‡])$/.test(unit)
}

const made = new Map<string, RegExp>()

/** A pattern for a whole text, made once: a column may have a million of them. */
function whole(pattern: string): RegExp {
  const known = made.get(pattern) ?? new RegExp(`^${pattern}$`, 'i')
  made.set(pattern, known)
  return known
}

/** What points, commas and other signs between digits mean, where `decimal` is the sign before decimals. */
function separators(bare: string, decimal: '.' | ','): Likeness | undefined {
  if (!/^[+-]?[.,]?\d/.test(bare)) return undefined
  const [sign, other] = decimal === '.' ? ['\\.', ','] : [',', '\\.']
  const otherSign = decimal === '.' ? ',' : '.'
  const name = decimal === '.' ? 'comma' : 'point'
  const groups = `[+-]?\\d{1,3}(?:${other}\\d{3})`
  const is = (pattern: string): boolean => whole(pattern).test(bare)
  const what = 'thousands separators'
  for (const by of ['apostrophe', 'space', 'underscore'] as const) {
    const grouped = `[+-]?\\d{1,3}(?:[${thousandsSigns[by]}]\\d{3})+`
    if (is(`${grouped}(?:${sign}\\d+)?`)) return { what, reading: { thousands: by } }
    if (is(`${grouped}${other}\\d+`)) return { what, reading: { thousands: by, decimal: otherSign } }
  }
  if (is(`[+-]?\\d+(?:_\\d+)+(?:\\.\\d+)?`)) return { what }
  if (is(`${groups}+${sign}\\d+`) || is(`${groups}{2,}`)) return { what, reading: { thousands: otherSign } }
  // Nobody parts the thousands of a number below one.
  if (is(groups) && !is(`[+-]?0${other}\\d{3}`)) {
    const reading: Reading = { thousands: otherSign, decimal: otherSign, unsure: true }
    return { what: `a thousands separator, or a decimal ${name}`, reading }
  }
  // Observatories write a value and a mark of its quality so: +0157,5.
  if (is(`[+-]?0\\d+${other}\\d+`))
    return {
      what: `a decimal ${name}, or two values, since zeros stand in front`,
      reading: { decimal: otherSign },
    }
  if (is(`[+-]?\\d*${other}\\d+(?:e[+-]?\\d+)?`))
    return { what: `a decimal ${name}`, reading: { decimal: otherSign } }
  if (is(`[+-]?\\d{1,3}(?:${sign}\\d{3})+${other}\\d+`))
    return {
      what: `thousands separators and a decimal ${name}`,
      reading: { thousands: decimal, decimal: otherSign },
    }
  // Nobody writes two decimal signs.
  if (is(`[+-]?\\d{1,3}(?:${sign}\\d{3}){2,}`))
    return { what, reading: { thousands: decimal, decimal: otherSign } }
  return undefined
}

/** Units that are also written without a space: with any other letters, 12A may be the number of a house. */
const units =
  'K|k|M|B|bn|mn|kg|g|mg|µg|ug|t|lb|lbs|oz|km|m|cm|mm|µm|um|nm|mi|ft|in|yd|ha|l|ml|mL|s|sec|ms|min|h|hr|hrs|kW|kWh|MW|MWh|Wh|mV|mA|Hz|' +
  'kHz|MHz|GHz|kB|KB|MB|GB|TB|°C|°F|°|Pa|hPa|kPa|bar|kJ|kcal|cal|ppm|ppb|px|pt|km/h|m/s|mph|EUR|USD|GBP|CHF|dB'
/** Where words have no blanks between them, units have none before them: 20.8℃, 1,200円. */
const eastern = '[℃℉]|[\\p{sc=Han}\\p{sc=Hangul}]{1,2}'
const spaced = '(?:% ?)?[\\p{L}°][\\p{L}°²³/.]{0,7}(?:(?<=\\p{L})[23])?'
const withUnit = new RegExp(
  `^[+-]?(?<number>${amount}?)(?:(?<=\\d)(?<joined>${units}|${eastern})|\\s+(?<apart>${spaced}))$`,
  'u',
)
const currencyFirst = new RegExp(
  `^(?<unit>[A-Z]{3}|(?:Rs|kr|S?Fr|Rp|RM|zł|Kč|Ft|Lei)\\.?)\\s?[+-]?(?<number>${amount})$`,
)
/** What three letters before a number most often are, where they are no part of a code such as ABC 123. */
const money =
  /^(?:USD|EUR|GBP|CHF|JPY|CNY|INR|BRL|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|RUB|TRY|ZAR|MXN|SGD|HKD|KRW|THB|IDR|MYR|PHP|ILS|AED|SAR|ARS|CLP|COP|Rs|kr|S?Fr|Rp|RM|zł|Kč|Ft)\b/

/** Whether a text is an amount of money, with the sign or the letters of its currency in front: R$ 5, USD 5. */
export function isMoney(text: string): boolean {
  const bare = bareText(text)
  return signFirst.test(bare) || (money.test(bare) && currencyFirst.test(bare))
}

const composed: readonly (readonly [RegExp, string])[] = [
  [
    /^[+-]?\d{1,3}\s*[°º]\s*\d{1,2}\s*['’′]\s*(?:\d{1,2}(?:[.,]\d+)?\s*(?:["”″]|''))?\s*[NSEWO]?$/i,
    'degrees, minutes and seconds: write them as decimal degrees',
  ],
  [/^\d+\s*\/\s*\d+$/, 'two numbers, or a fraction: write each in a column of its own, or what they make'],
  [
    /^(?:POINT\s*)?\(\s*-?\d+(?:\.\d+)?(?:\s*[,;]\s*|\s+)-?\d+(?:\.\d+)?\s*\)$/i,
    'a point on a map: write longitude and latitude in columns of their own',
  ],
  [/^\d+\s+\d+\/\d+$/, 'a fraction: write it as a decimal number'],
]

/**
 * A number with a unit beside it, such as `12 kg` or `EUR 5`, or made of several. Names and remarks may look so too: a column
 * must say more.
 */
export function unitLikeness(text: string, decimal: '.' | ','): Likeness | undefined {
  const bare = bareText(text)
  const several = composed.find(([pattern]) => pattern.test(bare))
  if (several !== undefined) return { what: several[1] }
  const found = (withUnit.exec(bare) ?? currencyFirst.exec(bare))?.groups
  const unit = found?.joined ?? found?.apart ?? found?.unit
  if (unit === undefined) return undefined
  const number = found!.number!.trim()
  const inner = separators(number, decimal)
  const plain = decimal === '.' ? /^\d+(?:\.\d*)?$/ : /^\d+(?:,\d*)?$/
  if (inner?.reading === undefined && !plain.test(number)) return undefined
  return { what: `a unit, ${JSON.stringify(unit)}`, reading: { ...inner?.reading, unit } }
}

const limit = new RegExp(`^[<>≤≥]=?\\s*${amount}$`)

/** What a word among numbers says that is no number, but says how large one is. A column of its like has groups. */
export function limitLikeness(text: string): Likeness | undefined {
  return limit.test(text.trim()) ? { what: 'a value beyond the limits of measurement' } : undefined
}
