/**
 * Writes files as programs export them, each with a planted model and a planted share of bad rows, and takes each through `look`,
 * `fit`, `audit` and `predict`. Prints what was planted beside what was found, and all that the command said: a person judges that.
 *
 *   npm run build && node scripts/tried-files/exports/try.mjs [ROUND …] [--only NAME] [--seed N] [--said]
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { draw } from './draw.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'out', 'exports')
mkdirSync(folder, { recursive: true })
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, seed: { type: 'string', default: '1' }, said: { type: 'boolean' } },
})
const rounds = readdirSync(here).filter((name) => /^round-/.test(name))
const asked = positionals.length === 0 ? rounds : positionals.map((name) => `round-${name}.mjs`)

const rlvi = (...argv) =>
  spawnSync(process.execPath, [join(root, 'packages/cli/bin/rlvi.js'), ...argv], {
    encoding: 'utf8',
    cwd: folder,
  })

for (const round of asked) {
  const { files } = await import(`./${round}`)
  for (const [name, make] of Object.entries(files)) {
    if (flags.only !== undefined && flags.only !== name) continue
    tryFile(name, make(draw(Number(flags.seed))))
  }
}

/** A file: its `name` and `text`, the `argv` that a user ends up with, and what is true: `bad`, the share, and coefficients. */
function tryFile(name, { file, text, argv, bad, truth = {} }) {
  writeFileSync(join(folder, file), text)
  console.log(`\n=== ${name}: ${file}`)
  const target = argv.slice(0, argv.indexOf('--target') + 2).filter((_, k, all) => k >= all.length - 2)
  const bare = rlvi('fit', file, ...target)
  if (flags.said) console.log(`--- with --target alone (${bare.status})\n${bare.stderr}${bare.stdout}`)
  const looked = rlvi('look', file)
  if (flags.said || looked.status !== 0)
    console.log(`--- look (${looked.status})\n${looked.stderr}${looked.stdout}`)
  const { status, stdout, stderr } = rlvi('fit', file, ...argv, '--json', '--save', `${name}-model.json`)
  if (flags.said || status !== 0) console.log(`--- fit ${argv.join(' ')} (${status})\n${stderr}`)
  if (status !== 0) return
  const { rows, dropped, corruption, params, flagged, status: end } = JSON.parse(stdout)
  const [low, high] = corruption.interval ?? [undefined, undefined]
  const isHeld = low !== undefined && bad >= low - 1e-12 && bad <= high + 1e-12
  console.log(
    `${isHeld ? 'held' : 'MISSED'}: bad ${bad}, found ${corruption.level?.toFixed(3)} [${low?.toFixed(3)}, ${high?.toFixed(3)}], ${flagged} flagged of ${rows} rows (${JSON.stringify(dropped)}), ${end}${argv.length > 2 ? `, by ${argv.slice(2).join(' ')}` : ''}`,
  )
  for (const [column, value] of Object.entries(truth)) {
    const found = column === '' ? params.intercept : params.coefficients?.[column]
    const isNear = Math.abs(found - value) <= 0.1 * Math.abs(value)
    console.log(`  ${column}: ${value}, found ${found}${isNear ? '' : '  <-- FAR'}`)
  }
  const audit = rlvi('audit', file, ...argv)
  if (flags.said || audit.status !== 0)
    console.log(`--- audit (${audit.status})\n${audit.stderr}${audit.stdout}`)
  // How a file is written holds for those that are predicted, too.
  const reading = argv.filter((word, k) =>
    [word, argv[k - 1]].some((flag) => /^--(?:units|decimal|thousands|date-order|skip)$/.test(flag)),
  )
  const predicted = rlvi('predict', `${name}-model.json`, file, ...reading, '--rows', `${name}-predicted.csv`)
  if (flags.said || predicted.status !== 0)
    console.log(`--- predict (${predicted.status})\n${predicted.stderr}${predicted.stdout}`)
}
