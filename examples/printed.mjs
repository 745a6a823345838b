/**
 * Keeps the documents true: a block of text below `<!-- printed by: COMMAND -->` is what that command prints.
 * `node examples/printed.mjs` says which are not, `node examples/printed.mjs --write` fixes them.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rlvi = fileURLToPath(new URL('../packages/cli/bin/rlvi.js', import.meta.url))
export const documents = [
  'README.md',
  'docs/command.md',
  'docs/library.md',
  'docs/report.md',
  'docs/streams.md',
  'docs/reproduce.md',
  'examples/README.md',
]
const block = /(<!-- printed by: ([^\n]+) -->\n+```\w*\n)([\s\S]*?)(```\n)/g

/** Every such block of a document: the command, what is written, and what the command prints. */
export function printedBlocks(document) {
  return [...read(document).matchAll(block)].map(([, , command, written]) => {
    return { command, written, printed: printed(command) }
  })
}

function fix(document) {
  const text = read(document)
  const fixed = text.replaceAll(block, (_, head, command, __, end) => head + printed(command) + end)
  if (fixed !== text) writeFileSync(new URL(`../${document}`, import.meta.url), fixed)
}

function read(document) {
  return readFileSync(new URL(`../${document}`, import.meta.url), 'utf8')
}

/** What a person sees who gives the command at the root: it, remarks and results, or JSON with its numbers shortened. */
function printed(command) {
  let [stdout, stderr] = ['', '']
  // What one program of a pipe prints is the input of the next.
  for (const part of command.split(' | ')) {
    const [program, ...args] = part.split(' ')
    const script = program === 'rlvi' ? [rlvi] : []
    const run = spawnSync(process.execPath, [...script, ...args], {
      cwd: root,
      encoding: 'utf8',
      input: stdout,
      maxBuffer: 64 * 1024 ** 2,
    })
    stdout = run.stdout
    stderr += run.stderr
  }
  if (!command.includes(' --json')) {
    return `$ ${command.replace(/(?<=^|\| )rlvi /g, 'npx rlvi ')}\n${stderr}${stdout}`
  }
  const short = stdout.replaceAll(/-?\d+\.\d{5,}(e-?\d+)?/g, (number) =>
    String(Number(Number(number).toPrecision(4))),
  )
  return short.replaceAll(/("seconds": )[\d.]+/g, '$10.1')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const document of documents) {
    if (process.argv.includes('--write')) fix(document)
    else
      for (const { command, written, printed: now } of printedBlocks(document)) {
        if (written !== now) console.log(`${document}: ${command} now prints\n${now}`)
      }
  }
}
