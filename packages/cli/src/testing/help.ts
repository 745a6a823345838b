import { commands } from '../commands.js'
import { mainHelp } from '../help.js'

/** Every help text, by the command that prints it. */
export const helpTexts: ReadonlyMap<string, string> = new Map([
  ['rlvi', mainHelp],
  ...commands.map(({ name, help }) => [`rlvi ${name}`, help] as const),
])

/** The command lines under "Examples", without the prompt. */
export function examplesIn(help: string): string[] {
  const [, text = ''] = help.split(/^ {2}Examples$/m)
  return [...text.matchAll(/^ {4}\$ (.*)$/gm)].map(([, line = '']) => line)
}

/** The flags that a text mentions, each once. */
export function flagsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([name]) => name))]
}
