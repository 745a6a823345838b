/** Runs the benchmarks, all or the named ones, each in a process of its own. */
import { spawnSync } from 'node:child_process'

const all = [
  'first-result',
  'estep',
  'linear-large',
  'monte-carlo',
  'softmax',
  'scaling',
  'stream',
  'stream-command',
  'report',
  'out-of-core',
  'wide-table',
  'nn-lenet',
  'nn-resnet18',
  'nn-epoch',
]
const named = process.argv.slice(2)
const unknown = named.find((name) => !all.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`bench: no benchmark "${unknown}"; there are ${all.join(', ')}\n`)
  process.exit(2)
}
for (const name of named.length > 0 ? named : all) {
  const file = new URL(`./${name}.js`, import.meta.url)
  const { status } = spawnSync(process.execPath, [file.pathname], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  process.stdout.write('\n')
}
