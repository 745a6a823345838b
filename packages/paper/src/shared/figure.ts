/** A figure of a page, and the file that it is also written to. */
export interface Figure {
  /** The file's name, without its ending. */
  readonly id: string
  readonly svg: string
  /** Paragraphs: what it shows, how the data are made, what paper and code do differently, how it was made. */
  readonly caption: readonly string[]
}

/** How the runs were made, as captions and pages say it. */
export interface Provenance {
  readonly runs: number
  readonly seed: number
  readonly command: string
}

/** A call that makes the runs again, as code: what pages show where nobody says how they were asked for. */
export function callOf(call: string, what: string, options: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings = given.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `${call}(${what}, { ${settings.join(', ')} })`
}
