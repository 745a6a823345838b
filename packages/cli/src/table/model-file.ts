import { readFile } from 'node:fs/promises'
import { readModel, type SavedModel } from '@rlvi/estimator'
import { systemError, writeAtomic } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { printableJson } from '../terminal/printable.js'

export async function saveModel(path: string, model: SavedModel): Promise<void> {
  await writeAtomic(path, printableJson(model))
}

export async function loadModel(path: string): Promise<SavedModel> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const got = phrase(systemError(error))
    throw new RlviError(path, 'a model file is needed', got, 'rlvi fit --save writes one')
  }
  return readModel(text, { where: path, writer: 'rlvi fit --save' })
}
