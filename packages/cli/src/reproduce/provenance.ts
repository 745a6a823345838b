/** What of a command line decides the numbers. */
interface Asked {
  readonly full?: boolean | undefined
  readonly only?: readonly string[] | undefined
  readonly data?: string | number | undefined
  readonly runs?: string | number | undefined
  readonly epochs?: string | number | undefined
  readonly limit?: string | number | undefined
  readonly seed?: string | number | undefined
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
