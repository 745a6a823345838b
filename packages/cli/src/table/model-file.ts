import { readFile } from 'node:fs/promises'
import { readModel, type SavedModel } from '@rlvi/estimator'
import { systemError } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { printableJson } from '../terminal/printable.js'
import { version } from '../version.js'

/** A model file, with where it comes from: who finds it later has nothing else to know it by. */
export function modelText(model: SavedModel, source: string, level: number | undefined): string {
  const origin = { rlvi: version, date: new Date().toISOString(), source, level: level ?? null }
  return printableJson({ ...model, origin })
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
