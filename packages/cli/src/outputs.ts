import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkPlace } from '@rlvi/io'
import { UsageError } from './terminal/usage.js'

/** Before the work begins: every file to write has a folder, and none would replace an input or another output. */
export async function checkOutputs(
  inputs: readonly string[],
  outputs: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const taken = new Set<string>()
  for (const input of inputs) taken.add(await real(input))
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === undefined) continue
    const place = await real(path)
    if (taken.has(place))
      throw new UsageError(flag, 'a file of its own is needed', path, 'it would be overwritten')
    taken.add(place)
    await checkPlace(path)
  }
}

async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path))
}
