import type { ReproduceOptions } from './options.js'

/** The command that makes a page again, as the page shows it: what decides the numbers; where the data lie is nobody else's business. */
export function commandOf(experiment: string, options: ReproduceOptions): string {
  const { full, only = [], data, runs, epochs, limit, seed } = options
  const numbers = Object.entries({ runs, epochs, limit, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  )
  const cells = only.map((text) => `--only ${text}`)
  const whole = full ? ['--full'] : []
  const given = data === undefined ? [] : ['--data DATA']
  return ['rlvi reproduce', experiment, ...whole, ...cells, ...given, ...numbers, '--out FOLDER'].join(' ')
}
