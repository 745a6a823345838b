/** Processor time of a whole process, from its start to the printed result, beside a process of Node that does nothing. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { say } from './measure.js'

const RUNS = 10
const WANTED = 0.5
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Node 20 parses the certificates that this names at every start, whatever the program does. */
const CERTIFICATES = 'NODE_EXTRA_CA_CERTS'
const { [CERTIFICATES]: certificates, ...env } = process.env

/** Seconds, by the shortest of several runs: other work on the machine can only add to it. */
function processorTime(argv: readonly string[], variables: NodeJS.ProcessEnv = env): number {
  const times = Array.from({ length: RUNS }, () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', reporter, ...argv], {
      encoding: 'utf8',
      env: variables,
    })
    if (status !== 0) throw new Error(stderr)
    return Number(/processor (\d+)/.exec(stderr)?.[1]) / 1e6
  })
  return Math.min(...times)
}

/** Says at the end what the process took. */
const code = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write('processor ' + (user + system))
})`
const reporter = `data:text/javascript,${encodeURIComponent(code)}`

const nothing = processorTime(['-e', '0'])
const stars = [path('../../examples/data/stars.csv'), '--target', 'log_light']
const fit = processorTime([path('../../packages/cli/bin/rlvi.js'), 'fit', ...stars])
say(`rlvi fit examples/data/stars.csv, a whole process, the best of ${RUNS}:`)
say(
  `  ${fit.toFixed(2)} s of processor time, of which Node itself ${nothing.toFixed(2)} s: ${(fit / nothing).toFixed(1)} times as much`,
)
if (certificates !== undefined) {
  const more = processorTime(['-e', '0'], process.env) - nothing
  say(`  (without ${CERTIFICATES}, which is set here and adds ${more.toFixed(2)} s to each start of Node)`)
}
say(`  wanted: under ${WANTED} s; ${fit < WANTED ? 'met' : 'NOT met'}`)
