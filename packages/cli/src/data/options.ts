import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { oneOf, UsageError } from '../terminal/usage.js'
import { type DataFlags, dataFlags } from './flags.js'

type Read = OptionsOf<typeof dataFlags>

/** What to do, with the name of a data set where one is needed. */
export type DataOptions = Read &
  (
    | { readonly action: 'list' }
    | { readonly action: 'fetch' | 'path'; readonly name: (typeof dataSetNames)[number] }
  )

// A test holds them to those of @rlvi/vision, which loads more than a refusal should wait for.
export const dataSetNames = [
  'mnist',
  'fashion-mnist',
  'cifar10',
  'cifar100',
  'cifar80no',
  'cifar10n',
  'cifar100n',
  'food101',
] as const

const actions = ['list', 'fetch', 'path'] as const

export function dataOptions(asked: string, name: string | undefined, flags: DataFlags): DataOptions {
  const action = oneOf('ACTION', asked, actions)
  const options = readFlags(dataFlags, flags)
  if (options.from !== undefined && action !== 'fetch')
    throw new UsageError('--from', 'only fetch takes a path', action)
  if (action === 'list') {
    if (name !== undefined) throw new UsageError('rlvi data list', 'no name is needed', name)
    return { ...options, action }
  }
  if (name === undefined) {
    const todo = 'see rlvi data list'
    throw new UsageError(`rlvi data ${action}`, 'the name of a data set is needed', 'none', todo)
  }
  return { ...options, action, name: oneOf('NAME', name, dataSetNames) }
}
