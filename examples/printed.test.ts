import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error a script without types
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

test('the example in the README is the one that runs', () => {
  const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
  expect(file('../README.md')).toContain(`\`\`\`js\n${file('ten-lines.mjs')}\`\`\``)
})
