/**
 * What counts as missing, everywhere: in columns of numbers the signs that people and programs leave where there is
 * none, in columns of texts only what nobody could mean as a value. Where a user says which texts it is, it is those.
 */
export interface Missing {
  /** Whether a text says that there is no value, where the other values of its column are numbers. */
  isNumber(text: string): boolean
  /** Whether a text says that there is no value, where the other values of its column are texts. */
  isText(text: string): boolean
  /** The texts that `isText` knows besides the empty one. */
  readonly texts: readonly string[]
  /** The texts that `isNumber` knows besides the empty one. */
  readonly words: readonly string[]
  /** Whether `isNumber` takes them in capitals or not. */
  readonly anyCase: boolean
  /** Numbers that a user says stand for missing values, such as -999. */
  readonly numbers: readonly number[]
}

/** In small letters: what stands among numbers where there is none. */
const noNumber = [
  // People, and the tables of offices of statistics.
  ...[
    'na',
    'n/a',
    'n.a.',
    '(na)',
    'none',
    'missing',
    'no data',
    '-',
    '--',
    '---',
    '–',
    '—',
    '.',
    '..',
    '...',
  ],
  ...['…', '?', ':'],
  // Programs and databases.
  ...['nan', '-nan', 'nan(ind)', '-nan(ind)', '1.#ind', '-1.#ind', '1.#qnan', '-1.#qnan', '<na>', '#na'],
  ...['null', '(null)', '[null]', '\\n'],
  // Spreadsheets, where a formula failed.
  ...['#n/a', '#n/a n/a', '#div/0!', '#value!', '#ref!', '#num!', '#name?', '#null!'],
  // SAS and Stata tell up to 26 reasons apart.
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `.${letter}`),
]
/** What stands for no text; `-`, `None` or `n/a` may be an answer. */
const noText = ['NA', 'null', 'NULL', '<NA>', '(null)', '[NULL]', '\\N', '#N/A']

/** The rule for the texts that a user gave, or the usual one. An empty value is always missing. */
export function missing(given?: readonly string[]): Missing {
  if (given !== undefined) return asGiven(given.map((word) => word.trim()))
  const [forNumbers, forTexts] = [new Set(noNumber), new Set(noText)]
  return {
    isNumber: (text) => has(forNumbers, text.trim().toLowerCase()),
    isText: (text) => has(forTexts, text.trim()),
    texts: noText,
    words: noNumber,
    anyCase: true,
    numbers: [],
  }
}

function asGiven(words: readonly string[]): Missing {
  const known = new Set(words)
  const numbers = words.filter((word) => word !== '').map(numberOf)
  const isMissing = (text: string): boolean => has(known, text.trim())
  return {
    isNumber: isMissing,
    isText: isMissing,
    texts: words,
    words,
    anyCase: false,
    numbers: numbers.filter((number) => !Number.isNaN(number)),
  }
}

/** Infinities as R and numpy write them: a database takes them for numbers. */
function numberOf(word: string): number {
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(word) ?? []
  return sign === undefined
    ? Number(word)
    : sign === '-'
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY
}

function has(known: ReadonlySet<string>, bare: string): boolean {
  return bare === '' || known.has(bare)
}
