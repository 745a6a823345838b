import { OptionError } from '@rlvi/estimator'
import { systemError } from '@rlvi/io'
import { Command, CommanderError } from 'commander'
import { RlviError } from 'rlvi'
import { commands } from './commands.js'
import { mainHelp } from './help.js'
import { addCommand, quiet, Shown } from './terminal/command.js'
import { type Io, processIo, ReaderGone } from './terminal/io.js'
import { nearest } from './terminal/names.js'
import { printable } from './terminal/printable.js'
import { UsageError } from './terminal/usage.js'
import { version } from './version.js'

/** Runs a command line; returns the exit status: 0, 1 for work that failed, 2 for an invalid command line. */
export async function main(argv: readonly string[], given: Io = processIo): Promise<number> {
  // Every remark may hold names and values from a file.
  const remark = (line: string): void => given.remark(printable(line))
  const io: Io = { ...given, remark }
  try {
    const asked = await perform(argv, io)
    if (asked !== undefined) await io.out(asked)
    return 0
  } catch (error) {
    if (error instanceof ReaderGone) return 0
    const message = error instanceof Error ? error.message : String(error)
    const invalid = [UsageError, OptionError, CommanderError].some((kind) => error instanceof kind)
    const expected = invalid || error instanceof RlviError
    io.remark(expected ? message : otherwise(error, message))
    return invalid ? 2 : 1
  }
}

/** What no part of the program expected: the system's word where it is the system's, else something to report. */
function otherwise(error: unknown, message: string): string {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (code !== undefined && syscall !== undefined)
    return `rlvi: could not go on, got ${systemError(error)} (${message})`
  return `rlvi: unexpected, ${message}; please report this`
}

/** Runs a command. Returns the text, if all that was asked for is a help text or the version. */
async function perform(argv: readonly string[], io: Io): Promise<string | undefined> {
  try {
    await program(io).parseAsync([...argv], { from: 'user' })
    return undefined
  } catch (error) {
    if (error instanceof Shown) return error.text
    throw error
  }
}

function program(io: Io): Command {
  const rlvi = quiet(new Command('rlvi'), mainHelp)
  for (const spec of commands) addCommand(rlvi, spec, io)
  // Comes last: subcommands inherit what is allowed. What no subcommand takes lands here, whatever follows it.
  return rlvi
    .option('--version')
    .argument('[command]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name: string | undefined, flags: { version?: boolean }) => {
      if (flags.version) throw new Shown(`${version}\n`)
      throw noCommand(name)
    })
}

function noCommand(name: string | undefined): UsageError {
  const names = commands.map((command) => command.name)
  const near = name === undefined ? undefined : nearest(name, names)
  const todo = near === undefined ? 'see rlvi --help' : `did you mean ${near}?`
  return new UsageError('rlvi', `a command is needed (${names.join(', ')})`, name ?? 'none', todo)
}

/** The process `rlvi`. */
export async function start(): Promise<void> {
  // Without a listener a closed pipe would end in a stack trace; the write itself reports the error.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  // Node ends with status 0 where all that is waited for can no longer come.
  const stuck = (): void => {
    processIo.remark('rlvi: unexpected, the work ended before its end; please report this')
    process.exitCode = 1
  }
  process.once('beforeExit', stuck)
  process.exitCode = await main(process.argv.slice(2))
  process.off('beforeExit', stuck)
}
