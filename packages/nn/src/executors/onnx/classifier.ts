import type { Tensor } from 'onnxruntime-node'
import { phrase, RlviError } from 'rlvi'
import { readOnnx } from '../../onnx/read.js'
import { infoOf, type ModelInfo } from './info.js'
import { loadRuntime, openFile } from './runtime.js'
import type { SessionOptions } from './session-options.js'

/** A saved network that sorts images. */
export interface Classifier {
  readonly info: ModelInfo
  /** Probabilities [images, classes], row-major, of normalised images [images, C, H, W]. */
  probabilities(images: Float32Array): Promise<Float32Array>
  dispose(): Promise<void>
}

/** Opens a file that `exportOnnx` made. */
export async function onnxClassifier(file: Uint8Array, options: SessionOptions = {}): Promise<Classifier> {
  const info = infoOf(readOnnx(file).metadata)
  const session = await openFile(file, options).catch(unusable)
  const { Tensor } = await loadRuntime()
  const size = info.image.reduce((product, length) => product * length, 1)
  return {
    info,
    probabilities: async (images) => {
      if (images.length === 0 || images.length % size > 0) {
        throw new RlviError(
          'classifier',
          `needs ${size} numbers per image (${info.image.join(' x ')})`,
          images.length,
        )
      }
      const count = images.length / size
      const x = new Tensor('float32', images, [count, ...info.image])
      const { probabilities } = await session.run({ images: x }).catch(unusable)
      checkOutput(probabilities, count, info)
      checkProbabilities(probabilities.data as Float32Array, info.classes.length)
      return probabilities.data as Float32Array
    },
    dispose: () => session.release(),
  }
}

/** ONNX Runtime's own words, of a file that is damaged or was made for other inputs. */
function unusable(error: unknown): never {
  if (error instanceof RlviError) throw error
  const got = phrase(error instanceof Error ? error.message : String(error))
  throw new RlviError('onnx file', 'a network that ONNX Runtime can run is needed', got, 'write it again')
}

/** The names in the metadata must be those of the graph's outputs, or every suggestion would be another class. */
function checkOutput(output: Tensor | undefined, count: number, { classes }: ModelInfo): void {
  const dims = output?.dims ?? []
  if (output?.type === 'float32' && dims.length === 2 && dims[0] === count && dims[1] === classes.length)
    return
  const rule = `the ${classes.length} classes of the metadata must be the network's outputs`
  const got = phrase(output === undefined ? 'no output "probabilities"' : `outputs of ${dims.join(' x ')}`)
  throw new RlviError('onnx file', rule, got, 'write the file with exportOnnx')
}

/** Of a softmax in single precision, over many classes. */
const ROUNDING = 0.01

/** A normalisation that leads out of all numbers, or weights that are none, would suggest no class, or the first, for every image. */
function checkProbabilities(found: Float32Array, classes: number): void {
  for (let from = 0; from < found.length; from += classes) {
    let sum = 0
    for (let k = from; k < from + classes; k++) sum += found[k]! >= 0 ? found[k]! : Number.NaN
    if (Math.abs(sum - 1) <= ROUNDING) continue
    const shown = Array.from(found.subarray(from, from + Math.min(classes, 3))).join(', ')
    const rule = `outputs of 0 to 1 that sum to 1 are needed for image ${from / classes + 1}`
    const todo = 'write it again: its normalisation or its weights are damaged'
    throw new RlviError('onnx file', rule, phrase(classes > 3 ? `${shown}, …` : shown), todo)
  }
}
