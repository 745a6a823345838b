import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { inFile, RlviError, show } from 'rlvi'
import { readOnnx } from '../onnx/read.js'
import { readSafetensors, type StoredTensor } from './safetensors.js'

/**
 * The tensors of a weight file by name: `.safetensors`, or the initialisers of an `.onnx` model (exported without folding
 * its normalisations into the convolutions, or they will be missing). For `loadWeights`.
 */
export async function readWeightFile(path: string): Promise<ReadonlyMap<string, StoredTensor>> {
  const kind = ['.safetensors', '.onnx'].find((ending) => path.toLowerCase().endsWith(ending))
  if (kind === undefined) throw new RlviError('weights', 'must be a .safetensors or .onnx file', path)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new RlviError('weights', 'the file must be readable', path, code)
  }
  if (kind === '.safetensors') return readSafetensors(bytes, show(basename(path))).tensors
  try {
    return initialisers(bytes)
  } catch (error) {
    throw inFile(show(basename(path)), 'onnx file', error)
  }
}

function initialisers(bytes: Uint8Array): ReadonlyMap<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>()
  for (const [name, { dims, data }] of readOnnx(bytes).graph.initializers) {
    if (!(data instanceof Uint8Array)) tensors.set(name, { shape: dims, values: data })
  }
  return tensors
}
