import { plainError } from '@rlvi/io'
import { Tinypool } from 'tinypool'
import type { Answer } from './pool.js'

// One thread of `pool.ts`: a task in, its result out, or the error in a form that keeps its class.
const { module, name } = Tinypool.workerData as { readonly module: string; readonly name: string }

export default async function answer(task: unknown): Promise<Answer> {
  try {
    const loaded = (await import(module)) as Record<string, (task: unknown) => unknown>
    return { result: await loaded[name]!(task) }
  } catch (error) {
    return { failure: plainError(error) }
  }
}
