import { checkOutputs as check, IoError } from '@rlvi/io'
import { phrase } from 'rlvi'
import { UsageError } from './usage.js'

const STDIN = 0
const STDOUT = 1

/** Before the work begins: every file to write, by its flag, has a folder, and none would replace an input or another output. */
export function checkOutputs(
  inputs: readonly string[],
  outputs: Readonly<Record<string, string | undefined>>,
): void {
  try {
    check([...inputs, STDIN, STDOUT], outputs)
  } catch (error) {
    if (!(error instanceof IoError && Object.hasOwn(outputs, error.where))) throw error
    throw new UsageError(error.where, error.rule, phrase(error.got), error.todo)
  }
}
