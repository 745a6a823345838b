import { RlviError } from 'rlvi'
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
  const session = await openFile(file, options)
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
      const x = new Tensor('float32', images, [images.length / size, ...info.image])
      const { probabilities } = await session.run({ images: x })
      return probabilities.data as Float32Array
    },
    dispose: () => session.release(),
  }
}
