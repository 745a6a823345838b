import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documents, printedBlocks } from './printed.mjs'

interface Block {
  readonly command: string
  readonly written: string
  readonly printed: string
}

test.each(documents as string[])('%s shows what its commands print', (document) => {
  for (const { command, written, printed } of printedBlocks(document) as Block[]) {
    expect(written, `${command}: run node examples/printed.mjs --write`).toBe(printed)
  }
})

test.each([
  ['README.md', 'ten-lines.mjs'],
  ['docs/library.md', 'tables.mjs'],
])('the example in %s is the one that runs', (document, example) => {
  const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
  expect(file(`../${document}`)).toContain(`\`\`\`js\n${file(example)}\`\`\``)
})
