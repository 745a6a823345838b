import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { commands } from './commands.js'
import { flagName } from './terminal/flags.js'
import { flagsIn, helpTexts } from './testing/help.js'
import { run } from './testing/run.js'

const manual = readFileSync(new URL('../../../docs/command.md', import.meta.url), 'utf8')

describe.each(commands)('the flags of rlvi $name', ({ name, flags, help, arguments: args }) => {
  const names = Object.entries(flags).map(([key, flag]) => flagName(key, flag))

  it('each have a line of the help, and the help has no other', () => {
    const heads = [...help.matchAll(/^ {4}(--[a-z-]+)(?= +\S)/gm)].map(([, head]) => head)
    expect(heads.toSorted()).toEqual(names.toSorted())
    expect(flagsIn(help).filter((flag) => !names.includes(flag))).toEqual([])
  })

  it('are all that the parser takes', async () => {
    const given = args.map((_, i) => `argument${i}`)
    for (const [key, flag] of Object.entries(flags)) {
      const value = flag.value === '' ? [] : ['value']
      const { status, remarks } = await run(name, ...given, flagName(key, flag), ...value, '--no-such-flag')
      expect({ status, remarks }).toEqual({
        status: 2,
        remarks: [expect.stringContaining('unknown option, got "--no-such-flag"')],
      })
    }
  })

  it('stand in docs/command.md, which has no other', () => {
    const [, after = ''] = manual.split(`\n## rlvi ${name}\n`)
    const [section = ''] = after.split('\n## ')
    const others = commands.filter((other) => other.name !== name)
    const callsAnother = (line: string): boolean =>
      others.some((other) => line.startsWith(`    npx rlvi ${other.name} `))
    const found = flagsIn(
      section
        .split('\n')
        .filter((line) => !callsAnother(line))
        .join('\n'),
    )
    expect(names.filter((flag) => !found.includes(flag))).toEqual([])
    expect(found.filter((flag) => !names.includes(flag))).toEqual([])
  })
})

test('the help of rlvi lists the commands', () => {
  const [, list = ''] = /^ {2}Commands\n(.*?)\n\n/ms.exec(helpTexts.get('rlvi')!) ?? []
  expect([...list.matchAll(/^ {4}(\S+)/gm)].map(([, name]) => name)).toEqual(commands.map(({ name }) => name))
})

test('no line of a help text is wider than a terminal of 120 columns', () => {
  for (const text of helpTexts.values())
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
})
