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
