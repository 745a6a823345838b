/**
 * Tries the command on well-known sets as R's write.csv and pandas' to_csv write them by default, without a flag but for the
 * target, and compares what it reads with what R's lm makes of the same sets. Needs R with MASS, and Python with pandas and
 * scikit-learn. Prints the table of docs/files.md; `--write` puts it there.
 *
 *   npm run build && node scripts/tried-files/try.mjs [FOLDER] [--write]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const [folder = join(root, 'out', 'tried-files')] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
const python = ['/usr/bin/python3', 'python3'].find(
  (name) => spawnSync(name, ['-c', 'import pandas, sklearn']).status === 0,
)
if (python === undefined) throw new Error('Python with pandas and scikit-learn is needed')

// R's sets are written by R and then by pandas, scikit-learn's the other way round.
for (const [program, script] of [
  [python, 'write.py'],
  ['Rscript', 'write.R'],
  [python, 'write.py'],
])
  execFileSync(program, [join(here, script), folder], { stdio: ['ignore', 'inherit', 'ignore'] })

const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
const lines = []
let wrong = 0
for (const [name, { target, rows, missing, rms }] of Object.entries(expected)) {
  for (const writer of ['r', 'pandas']) {
    const file = `${name}-${writer}.csv`
    if (!readdirSync(folder).includes(file)) throw new Error(`${file} was not written`)
    const argv = [
      'fit',
      join(folder, file),
      '--target',
      target,
      '--model',
      'linear',
      '--method',
      'ml',
      '--json',
    ]
    const command = join(root, 'packages', 'cli', 'bin', 'rlvi.js')
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...argv], { encoding: 'utf8' })
    const found = status === 0 ? JSON.parse(stdout) : undefined
    const same =
      found !== undefined &&
      found.rows === rows &&
      found.dropped.missing === missing &&
      Math.abs(found.params.scale / rms - 1) < 1e-6
    if (!same) wrong++
    const said = stderr
      .trim()
      .split('\n')
      .filter((line) => line !== '' && !/^(dropped|caution|left out "column1")/.test(line))
      .map((line) => line.replaceAll(folder, '').replaceAll('|', '\\|'))
    const result = same ? 'as lm' : status === 0 ? `**not as lm**` : '**refused**'
    const used = found === undefined ? '' : `${found.rows} of ${found.rows + found.dropped.missing}`
    lines.push(
      `| ${name} | ${writer === 'r' ? 'R' : 'pandas'} | ${target} | ${used} | ${result} | ${said.join('<br>')} |`,
    )
  }
}
const table = [
  '| set | written by | target | rows used | residuals | remarks |',
  '|---|---|---|---|---|---|',
  ...lines,
].join('\n')
console.log(table)
console.log(`\n${lines.length} files, ${wrong} not read as R reads them`)
if (process.argv.includes('--write')) {
  const page = join(root, 'docs', 'files.md')
  const text = readFileSync(page, 'utf8')
  const marked = /(<!-- printed by: node scripts\/tried-files\/try.mjs -->\n)[\s\S]*?(\n<!-- end -->)/
  writeFileSync(
    page,
    text.replace(marked, (_, before, after) => `${before}\n${table}\n${after}`),
  )
}
process.exitCode = wrong === 0 ? 0 : 1
