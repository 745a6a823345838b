/** What keeps a text from being the number that it looks like, in words; undefined for other words. */
export function likeness(text: string, decimal: '.' | ','): string | undefined {
  const bare = text.trim()
  return signs.find(([pattern]) => pattern.test(bare))?.[1] ?? separators(bare, decimal)
}

const amount = String.raw`\d[\d.,' _\u00a0\u202f’]*`
const signs: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?(?:inf|infinity|\d+(?:\.\d+)?e\+?\d{3,})$/i, 'an infinity'],
  [new RegExp(`^[+-]?\\s*[$€£¥₹]\\s*[+-]?\\s*${amount}$`), 'a currency sign'],
  [new RegExp(`^[+-]?${amount}\\s*[$€£¥₹]$`), 'a currency sign'],
  [new RegExp(`^[+-]?${amount}\\s*%$`), 'a percent sign'],
  [new RegExp(`^\\(${amount}\\)$`), 'a negative number in brackets'],
  [/^[+-]?0x[0-9a-f]+$/i, 'hexadecimal'],
  [/^[+-]?(?:\d+\.?\d*|\.\d+)d[+-]?\d+$/i, 'an exponent written with D'],
  [/^\d{1,2}:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/, 'a time of day'],
  [/^[+-]?\d{1,3}(?:[' \u00a0\u202f’]\d{3})+(?:[.,]\d+)?$/, 'thousands separators'],
  [/^[+-]?\d+(?:_\d+)+(?:\.\d+)?$/, 'thousands separators'],
]

/** What points and commas mean, where `decimal` is the sign before decimals. */
function separators(bare: string, decimal: '.' | ','): string | undefined {
  const [sign, other] = decimal === '.' ? ['\\.', ','] : [',', '\\.']
  const name = decimal === '.' ? 'comma' : 'point'
  const groups = `[+-]?\\d{1,3}(?:${other}\\d{3})`
  if (new RegExp(`^${groups}+${sign}\\d+$`).test(bare)) return 'thousands separators'
  if (new RegExp(`^${groups}{2,}$`).test(bare)) return 'thousands separators'
  if (new RegExp(`^${groups}$`).test(bare)) return `a thousands separator, or a decimal ${name}`
  if (new RegExp(`^[+-]?\\d*${other}\\d+(?:e[+-]?\\d+)?$`, 'i').test(bare)) return `a decimal ${name}`
  if (new RegExp(`^[+-]?\\d{1,3}(?:${sign}\\d{3})+${other}\\d+$`).test(bare))
    return `thousands separators and a decimal ${name}`
  return undefined
}
