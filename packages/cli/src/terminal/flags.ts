import { amount, fileName, oneOf, share, wholeNumber } from './usage.js'

/** What a command line has for a flag: its text, its texts where it may be repeated, or that it is there. */
export type Given = string | readonly string[] | boolean

/** A flag of a command. All there is to say of it stands here: help, parsing and types follow from it. */
export interface Flag<T, G extends Given = Given> {
  readonly kind: 'once' | 'repeated' | 'yes' | 'no'
  /** What stands for the value in help texts; empty for a switch. */
  readonly value: string
  /** What it means. Long lines are wrapped; a line break is kept. */
  readonly help: string
  /** The value of what was given. Throws a `UsageError` that begins with `name`, which is `--flag`. */
  read(given: G | undefined, name: string): T
}

/** Flags by the camel-case name of their option: `learningRate` is `--learning-rate`, a `no` switch `intercept` is `--no-intercept`. */
export type Flags = Readonly<Record<string, Flag<unknown>>>

/** The options that a table of flags leads to. */
export type OptionsOf<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never
}

/** What a command line may have for a table of flags. */
export type GivenOf<F extends Flags> = {
  readonly [K in keyof F]?: F[K] extends Flag<unknown, infer G> ? G : never
}

/** A flag that takes a value, `undefined` where it is not given. */
export interface Valued<T> extends Flag<T | undefined, string> {
  /** The same flag with a value for when it is not given; the help says so, unless it does already. */
  or(value: T): Flag<T, string>
}

/** The kinds of flags. */
export const flag = {
  /** Any text, read by a function of the command. */
  of: valued,

  text: (value: string, help: string): Valued<string> => valued(value, help, (_, text) => text),

  oneOf: <const T extends string>(value: string, allowed: readonly T[], help: string): Valued<T> =>
    valued(value, help, (name, text) => oneOf(name, text, allowed)),

  wholeNumber: (value: string, least: number, help: string): Valued<number> =>
    valued(value, help, (name, text) => wholeNumber(name, text, least)),

  /** A number strictly between 0 and 1. */
  share: (value: string, help: string): Valued<number> => valued(value, help, share),

  /** A number of at least 0. */
  amount: (value: string, help: string): Valued<number> => valued(value, help, amount),

  /** A file to write, in a format that its ending says. */
  file: (value: string, endings: readonly string[], help: string): Valued<string> =>
    valued(value, help, (name, text) => fileName(name, text, endings)),

  /** May be repeated. */
  list: (value: string, help: string): Flag<readonly string[] | undefined, readonly string[]> => ({
    kind: 'repeated',
    value,
    help: `${help} (may be repeated)`,
    read: (given) => given,
  }),

  /** May be repeated; each text is read by a function of the command. */
  listOf: <T>(
    value: string,
    help: string,
    read: (name: string, text: string) => T,
  ): Flag<readonly T[], readonly string[]> => ({
    kind: 'repeated',
    value,
    help: `${help} (may be repeated)`,
    read: (given, name) => (given ?? []).map((text) => read(name, text)),
  }),

  /** False unless given. */
  yes: (help: string): Flag<boolean, boolean> => ({
    kind: 'yes',
    value: '',
    help,
    read: (given) => given ?? false,
  }),

  /** True unless given, as `--no-…`. */
  no: (help: string): Flag<boolean, boolean> => ({
    kind: 'no',
    value: '',
    help,
    read: (given) => given ?? true,
  }),
}

/** The options of a command line; throws a `UsageError` at the first value that is invalid. */
export function readFlags<F extends Flags>(flags: F, given: NoInfer<GivenOf<F>>): OptionsOf<F> {
  const values: Readonly<Record<string, Given | undefined>> = given
  const read = Object.entries(flags).map(([key, flag]) => [key, flag.read(values[key], flagName(key, flag))])
  return Object.fromEntries(read) as OptionsOf<F>
}

/** Whether a command line has the flag: a `no` switch is true where it has not. */
export function isGiven({ kind }: Flag<unknown>, value: unknown): boolean {
  return value !== undefined && !(kind === 'no' && value === true)
}

/** The name as it is typed. */
export function flagName(key: string, { kind }: Flag<unknown>): string {
  const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return kind === 'no' ? `--no-${name}` : `--${name}`
}

function valued<T>(value: string, help: string, read: (name: string, text: string) => T): Valued<T> {
  return {
    kind: 'once',
    value,
    help,
    read: (given, name) => (given === undefined ? undefined : read(name, given)),
    or: (fallback) => ({
      kind: 'once',
      value,
      help: help.includes('(default') ? help : `${help} (default ${fallback})`,
      read: (given, name) => (given === undefined ? fallback : read(name, given)),
    }),
  }
}
