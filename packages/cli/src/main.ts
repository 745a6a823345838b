import { OptionError } from '@rlvi/estimator'
import { Command, CommanderError } from 'commander'
import { RlviError } from 'rlvi'
import { dataHelp, fitHelp, mainHelp, predictHelp, reproduceHelp, streamHelp } from './help.js'
import { auditHelp, trainHelp } from './help-networks.js'
import { type Io, processIo, ReaderGone } from './terminal/io.js'
import { nearest } from './terminal/names.js'
import { printable } from './terminal/printable.js'
import { UsageError } from './terminal/usage.js'
import { version } from './version.js'

/** Runs a command line; returns the exit status: 0, 1 for work that failed, 2 for a command line that cannot be meant. */
export async function main(argv: readonly string[], given: Io = processIo): Promise<number> {
  // Every remark may hold names and values from a file.
  const remark = (line: string): void => given.remark(printable(line))
  const io: Io = { ...given, remark }
  try {
    const asked = await perform(argv, io)
    if (asked !== undefined) await io.out(asked)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) {
      io.remark(
        `rlvi: ${error.message
          .replace(/^error: /, '')
          .replaceAll(/\s*\n\s*/g, ' ')
          .replace(/\.$/, '')}; see rlvi --help`,
      )
      return 2
    }
    if (error instanceof ReaderGone) return 0
    const message = error instanceof Error ? error.message : String(error)
    const expected = error instanceof RlviError || error instanceof UsageError
    io.remark(expected ? message : `rlvi: unexpected, ${message}; please report this`)
    return error instanceof UsageError || error instanceof OptionError ? 2 : 1
  }
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

/** A help text or the version was asked for. */
class Shown extends Error {
  readonly text: string
  constructor(text: string) {
    super('shown')
    this.text = text
  }
}

/** Commands are loaded when they are called: help and refusals need no database. */
function program(io: Io): Command {
  const rlvi = command(new Command('rlvi'), mainHelp)

  command(rlvi.command('fit'), fitHelp)
    .argument('<file>')
    .option('--target <column>')
    .option('--model <model>')
    .option('--components <k>')
    .option('--features <names>', '', collect)
    .option('--exclude <names>', '', collect)
    .option('--no-intercept')
    .option('--method <method>')
    .option('--epsilon <e>')
    .option('--table <name>')
    .option('--engine <engine>')
    .option('--strict')
    .option('--rows <file>')
    .option('--save <file>')
    .option('--json')
    .option('--seed <n>')
    .action(async (file, flags) => (await import('./fit/command.js')).fitCommand(file, flags, io))

  command(rlvi.command('predict'), predictHelp)
    .argument('<model>')
    .argument('<file>')
    .option('--rows <file>')
    .option('--table <name>')
    .option('--split <part>')
    .option('--strict')
    .option('--json')
    .action(async (model, file, flags) =>
      (await import('./predict/command.js')).predictCommand(model, file, flags, io),
    )

  command(rlvi.command('stream'), streamHelp)
    .option('--target <column>')
    .option('--model <model>')
    .option('--classes <labels>')
    .option('--features <names>', '', collect)
    .option('--exclude <names>', '', collect)
    .option('--categories <values>', '', collect)
    .option('--batch <n>')
    .option('--method <method>')
    .option('--epsilon <e>')
    .option('--input <file>', '', collect)
    .option('--format <format>')
    .option('--follow')
    .option('--input-continues')
    .option('--strict')
    .option('--out <file>')
    .option('--per <unit>')
    .option('--save <file>')
    .option('--state <file>')
    .option('--checkpoint-every <seconds>')
    .action(async (flags) => (await import('./stream/command.js')).streamCommand(flags, io))

  learning(command(rlvi.command('train'), trainHelp))
    .option('--noise <type>')
    .option('--rate <r>')
    .option('--checkpoint <folder>')
    .option('--resume')
    .option('--save <file>')
    .option('--log <file>')
    .action(async (what, flags) => (await import('./train/command.js')).trainCommand(what, flags, io))

  learning(command(rlvi.command('audit'), auditHelp))
    .option('--split <part>')
    .option('--folds <k>')
    .option('--networks <n>')
    .option('--top <n>')
    .option('--rows <file>')
    .option('--report <file>')
    .option('--target <column>')
    .option('--features <names>', '', collect)
    .option('--exclude <names>', '', collect)
    .option('--table <name>')
    .action(async (what, flags) => (await import('./audit/command.js')).auditCommand(what, flags, io))

  command(rlvi.command('data'), dataHelp)
    .argument('<action>')
    .argument('[name]')
    .option('--from <path>')
    .option('--json')
    .action(async (action, name, flags) =>
      (await import('./data/command.js')).dataCommand(action, name, flags, io),
    )

  command(rlvi.command('reproduce'), reproduceHelp)
    .argument('<experiment>')
    .option('--runs <n>')
    .option('--full')
    .option('--only <cells>', '', collect)
    .option('--epochs <n>')
    .option('--limit <n>')
    .option('--weights <file>')
    .option('--data <path>')
    .option('--out <folder>')
    .option('--threads <n>')
    .option('--seed <n>')
    .option('--json')
    .action(async (name, flags) => (await import('./reproduce/command.js')).reproduceCommand(name, flags, io))

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
  const commands = ['fit', 'predict', 'stream', 'train', 'audit', 'data', 'reproduce']
  const near = name === undefined ? undefined : nearest(name, commands)
  const todo = near === undefined ? 'see rlvi --help' : `did you mean ${near}?`
  return new UsageError('rlvi', `a command is needed (${commands.join(', ')})`, name ?? 'none', todo)
}

/** Our own help text, errors as exceptions, nothing printed behind our back. */
function command(made: Command, help: string): Command {
  made.helpInformation = () => help
  return made
    .helpCommand(false)
    .allowExcessArguments(false)
    .exitOverride((error) => {
      throw error.code === 'commander.helpDisplayed' ? new Shown(help) : error
    })
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
}

/** The data and the network, which are the same wherever one is trained. */
function learning(made: Command): Command {
  return made
    .argument('<data>')
    .option('--network <network>')
    .option('--method <method>')
    .option('--assume <r>')
    .option('--epochs <n>')
    .option('--batch <n>')
    .option('--learning-rate <r>')
    .option('--weight-decay <w>')
    .option('--weights <file>')
    .option('--executor <executor>')
    .option('--threads <n>')
    .option('--limit <n>')
    .option('--size <pixels>')
    .option('--grey')
    .option('--fit <way>')
    .option('--json')
    .option('--seed <n>')
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

/** The process `rlvi`. */
export async function start(): Promise<void> {
  // Without a listener a closed pipe would end in a stack trace; the write itself reports the error.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  process.exitCode = await main(process.argv.slice(2))
}
