import { type Command, CommanderError, Option } from 'commander'
import { RlviError } from 'rlvi'
import { inFlags } from './arguments.js'
import { type Flag, type Flags, flagName, type GivenOf } from './flags.js'
import type { Io } from './io.js'
import { nearest } from './names.js'
import { UsageError } from './usage.js'

/** A text for each argument, a list of them for one that may be repeated. */
// biome-ignore lint/suspicious/noExplicitAny: the command's list of arguments says which is which
type CommandArguments = any[]

/** A command as `rlvi` needs it before it is called. */
export interface CommandSpec<F extends Flags = Flags> {
  readonly name: string
  /** In the order of the command line: `<needed>`, `[optional]`, `<repeated...>`. */
  readonly arguments: readonly string[]
  readonly flags: F
  readonly help: string
  /** Checks the options before it loads what the work needs: a refusal waits for nothing. */
  run(given: GivenOf<F>, io: Io, ...args: CommandArguments): Promise<void>
}

/** A command whose `run` is held to the types of its flags. */
export function command<F extends Flags>(spec: CommandSpec<F>): CommandSpec {
  return spec
}

/** A help text or the version was asked for. */
export class Shown extends Error {
  readonly text: string
  constructor(text: string) {
    super('shown')
    this.text = text
  }
}

/** Our own help text, refusals as exceptions in our words, nothing printed behind our back. */
export function quiet(
  made: Command,
  help: string,
  refused: (error: CommanderError) => Error = (error) => error,
): Command {
  made.helpInformation = () => help
  return made
    .helpCommand(false)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride((error) => {
      throw error.code === 'commander.helpDisplayed' ? new Shown(help) : refused(error)
    })
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
}

export function addCommand(program: Command, spec: CommandSpec, io: Io): void {
  const made = quiet(program.command(spec.name), spec.help, (error) => refusal(spec, error))
  for (const name of spec.arguments) made.argument(name)
  for (const [key, flag] of Object.entries(spec.flags)) made.addOption(optionOf(key, flag))
  made.action(async (...all: unknown[]) => {
    const args = all.slice(0, spec.arguments.length) as (string | string[])[]
    try {
      await spec.run(made.opts(), io, ...args)
    } catch (error) {
      if (error instanceof RlviError) error.message = inFlags(error, spec.flags, args.flat())
      throw error
    }
  })
}

function optionOf(key: string, flag: Flag<unknown>): Option {
  const name = flagName(key, flag)
  const option = new Option(flag.value === '' ? name : `${name} <value>`)
  return flag.kind === 'repeated' ? option.argParser(collect) : option
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

/** Names that a flag had, or that people know it by. */
const otherNames: Readonly<Record<string, string>> = { '--epsilon': '--assume' }

/** What commander does not take, with the flag that was probably meant. */
function refusal({ name, flags }: CommandSpec, error: CommanderError): Error {
  const seeHelp = `see rlvi ${name} --help`
  if (error.code === 'commander.unknownOption') {
    const given = /'(.*)'/s.exec(error.message)?.[1] ?? ''
    const [typed = ''] = given.split('=')
    const names = [...Object.entries(flags).map(([key, flag]) => flagName(key, flag)), '--help']
    const other = otherNames[typed]
    const meant = other !== undefined && names.includes(other) ? other : nearest(typed, names)
    const todo = meant === undefined ? seeHelp : `did you mean ${meant}?`
    return new UsageError(`rlvi ${name}`, 'unknown option', given, todo)
  }
  // Who is used to commands that take files gives one here, too.
  const todo =
    error.code === 'commander.excessArguments' && 'input' in flags
      ? `name files by --input FILE, or ${seeHelp}`
      : seeHelp
  return new CommanderError(2, error.code, `rlvi ${name}: ${plain(error)}; ${todo}`)
}

/** commander's message as part of ours. */
function plain({ message }: CommanderError): string {
  return message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
}
