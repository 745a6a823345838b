import { MissingPart, needOnnxRuntime } from '@rlvi/nn'
import { needImageLibrary } from '@rlvi/vision'
import type { LearningOptions } from './options.js'

/**
 * What runs networks is no part of the command's own installation. Where it is missing, the image library is asked for in
 * the same line, so that nobody installs twice; a data set that is no folder of image files does without it.
 */
export async function needParts(what: string, executor: LearningOptions['executor']): Promise<void> {
  if (executor !== 'onnx') return
  const runtime = await missing(needOnnxRuntime)
  if (runtime.length === 0) return
  throw new MissingPart(what, [...runtime, ...(await missing(needImageLibrary))])
}

async function missing(need: () => Promise<void>): Promise<MissingPart['parts']> {
  try {
    await need()
    return []
  } catch (error) {
    if (error instanceof MissingPart) return (error as MissingPart).parts
    throw error
  }
}
