import { phrase, RlviError } from 'rlvi'
import { auditFlags, auditHelp } from './audit/flags.js'
import { auditOptions } from './audit/options.js'
import { dataFlags, dataHelp } from './data/flags.js'
import { dataOptions } from './data/options.js'
import { devicesFlags, devicesHelp } from './devices/flags.js'
import { fitFlags, fitHelp } from './fit/flags.js'
import { fitOptions } from './fit/options.js'
import { lookFlags, lookHelp } from './look/flags.js'
import { predictFlags, predictHelp } from './predict/flags.js'
import { predictOptions } from './predict/options.js'
import { reproduceFlags, reproduceHelp } from './reproduce/flags.js'
import { reproduceOptions } from './reproduce/options.js'
import { streamFlags, streamHelp } from './stream/flags.js'
import { type CommandSpec, command } from './terminal/command.js'
import { readFlags } from './terminal/flags.js'
import { trainFlags, trainHelp } from './train/flags.js'
import { trainOptions } from './train/options.js'

/**
 * The commands of `rlvi`. What does the work is loaded after the options are found to be valid: help and refusals
 * need no database, no runtime of networks and no decoder of images.
 */
export const commands: readonly CommandSpec[] = [
  command({
    name: 'fit',
    arguments: ['<file...>'],
    flags: fitFlags,
    help: fitHelp,
    async run(given, io, files: string[]) {
      const options = fitOptions(given)
      const { fitCommand } = await import('./fit/command.js')
      await fitCommand(files, options, given, io)
    },
  }),
  command({
    name: 'look',
    arguments: ['<file...>'],
    flags: lookFlags,
    help: lookHelp,
    async run(given, io, files: string[]) {
      readFlags(lookFlags, given)
      const { lookCommand } = await import('./look/command.js')
      await lookCommand(files, given, io)
    },
  }),
  command({
    name: 'predict',
    arguments: ['<model>', '<file...>'],
    flags: predictFlags,
    help: predictHelp,
    async run(given, io, model: string, files: string[]) {
      const options = predictOptions(model, files, given)
      const { predictCommand } = await import('./predict/command.js')
      await predictCommand(model, files, options, io)
    },
  }),
  command({
    name: 'stream',
    arguments: [],
    flags: streamFlags,
    help: streamHelp,
    async run(given, io) {
      const { streamCommand } = await import('./stream/command.js')
      await streamCommand(given, io)
    },
  }),
  command({
    name: 'train',
    arguments: ['<data>'],
    flags: trainFlags,
    help: trainHelp,
    async run(given, io, data: string) {
      const options = trainOptions(given)
      const { trainCommand } = await import('./train/command.js')
      await trainCommand(data, options, io)
    },
  }),
  command({
    name: 'audit',
    arguments: ['<data...>'],
    flags: auditFlags,
    help: auditHelp,
    async run(given, io, data: string[]) {
      const options = await auditOptions(data, given)
      const { auditCommand } = await import('./audit/command.js')
      await auditCommand(data, options, given, io)
    },
  }),
  command({
    name: 'data',
    arguments: ['<action>', '[name]'],
    flags: dataFlags,
    help: dataHelp,
    async run(given, io, action: string, name?: string) {
      const options = dataOptions(action, name, given)
      const { dataCommand } = await import('./data/command.js')
      await dataCommand(options, io)
    },
  }),
  command({
    name: 'devices',
    arguments: [],
    flags: devicesFlags,
    help: devicesHelp,
    async run(given, io) {
      const { devicesCommand } = await import('./devices/command.js')
      await devicesCommand(given, io)
    },
  }),
  command({
    name: 'reproduce',
    arguments: ['<experiment>'],
    flags: reproduceFlags,
    help: reproduceHelp,
    async run(given, io, experiment: string) {
      const options = reproduceOptions(experiment, given)
      const { reproduceCommand } = await import('./reproduce/command.js').catch(withoutPaper)
      await reproduceCommand(options, io)
    },
  }),
]

/** The paper's experiments are no part of what is published: they belong to the repository. */
function withoutPaper(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@rlvi/paper'")) throw error
  const todo = "get rlvi's repository and run it there"
  throw new RlviError('rlvi reproduce', "the paper's experiments are needed", phrase('no @rlvi/paper'), todo)
}
