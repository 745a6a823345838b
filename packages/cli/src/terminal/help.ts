import { type Flags, flagName } from './flags.js'

const WIDEST = 116

/**
 * A help text: a literal in which `${flags}` stands for a line or more of each flag, all of them in two columns
 * that are as wide as the whole text needs.
 */
export function help(texts: TemplateStringsArray, ...groups: readonly Flags[]): string {
  const blocks = groups.map(heads)
  const wide = Math.max(0, ...blocks.flat().map(([head]) => head.length))
  return texts.map((text, i) => text + block(blocks[i] ?? [], wide)).join('')
}

type Head = readonly [head: string, help: string]

function heads(flags: Flags): Head[] {
  return Object.entries(flags).map(([key, flag]) => [
    `    ${flagName(key, flag)} ${flag.value}`.trimEnd(),
    flag.help,
  ])
}

function block(lines: readonly Head[], wide: number): string {
  const margin = wide + 2
  return lines
    .map(([head, text]) => {
      const wrapped = text.split('\n').flatMap((line) => wrap(line, WIDEST - margin))
      return wrapped.map((line, i) => (i === 0 ? head : '').padEnd(margin) + line).join('\n')
    })
    .join('\n')
}

/** Lines of whole words, none longer than `wide` unless a word is. */
function wrap(text: string, wide: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= wide)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
