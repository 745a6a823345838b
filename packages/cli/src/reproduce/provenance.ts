/** What of a command line decides the numbers. */
interface Asked {
  readonly full?: boolean
  readonly only?: readonly string[]
  readonly data?: string
  readonly runs?: string
  readonly epochs?: string
  readonly limit?: string
  readonly seed?: string
}

/** The command that makes a page again, as the page shows it; where the data lie is nobody else's business. */
export function commandOf(experiment: string, flags: Asked): string {
  const { full, only = [], data, runs, epochs, limit, seed } = flags
  const numbers = Object.entries({ runs, epochs, limit, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  )
  const cells = only.map((text) => `--only ${text}`)
  const whole = full === true ? ['--full'] : []
  const given = data === undefined ? [] : ['--data DATA']
  return ['rlvi reproduce', experiment, ...whole, ...cells, ...given, ...numbers, '--out FOLDER'].join(' ')
}
