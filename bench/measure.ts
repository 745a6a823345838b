/** The shortest of several runs, in milliseconds: other work on the machine can only add to it. */
export function bestOf(runs: number, body: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let k = 0; k < runs; k++) {
    const start = performance.now()
    body()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

/** The least processor time of several runs, in milliseconds, of all threads: what it takes on a machine that has other work too. */
export function leastProcessorTime(runs: number, body: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let k = 0; k < runs; k++) {
    const start = process.cpuUsage()
    body()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** The slope of log time over log size, by least squares. */
export function exponent(sizes: readonly number[], times: readonly number[]): number {
  const x = sizes.map(Math.log)
  const y = times.map(Math.log)
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const [mx, my] = [mean(x), mean(y)]
  const covariance = mean(x.map((v, i) => (v - mx) * (y[i] - my)))
  return covariance / mean(x.map((v) => (v - mx) ** 2))
}

export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function ms(time: number): string {
  return time >= 1000 ? `${(time / 1000).toFixed(2)} s` : `${time.toFixed(time < 100 ? 1 : 0)} ms`
}

/** One line of a result: the yardstick, its time, ours, and how many times faster we are. */
export function compare(yardstick: string, theirs: number, ours: number, wanted?: number): void {
  const ratio = theirs / ours
  const goal = wanted === undefined ? '' : `  (wanted: ${wanted}; ${ratio >= wanted ? 'met' : 'NOT met'})`
  say(`  ${yardstick}: ${ms(theirs)} against ${ms(ours)}: ${ratio.toFixed(1)} times faster${goal}`)
}
