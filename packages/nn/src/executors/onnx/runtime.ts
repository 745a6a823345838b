import { availableParallelism } from 'node:os'
import type * as Ort from 'onnxruntime-node'
import type { OnnxModel } from '../../onnx/schema.js'
import { writeOnnx } from '../../onnx/write.js'
import { loadPart, onnxRuntime } from '../../optional-part.js'
import { BLOCKED, Emitter } from './emitter.js'
import { OPSET } from './model.js'
import type { SessionOptions } from './session-options.js'

/** What is used of ONNX Runtime. */
export type Runtime = Pick<typeof Ort, 'InferenceSession' | 'Tensor'>

let loaded: Promise<Runtime> | undefined

/** ONNX Runtime, loaded when it is first used: it takes longer to load than the rest of the package together. */
export function loadRuntime(): Promise<Runtime> {
  loaded ??= loadPart('networks', onnxRuntime, () => import('onnxruntime-node')).then(
    ({ default: runtime }) => runtime,
  )
  return loaded
}

/** Loads a model into ONNX Runtime on the CPU. */
export function open(model: OnnxModel, options: SessionOptions = {}): Promise<Ort.InferenceSession> {
  return openFile(writeOnnx(model), options)
}

/** Loads the bytes of an ONNX file into ONNX Runtime on the CPU. */
export async function openFile(
  file: Uint8Array,
  options: SessionOptions = {},
): Promise<Ort.InferenceSession> {
  const { InferenceSession } = await loadRuntime()
  const { threads = availableParallelism(), profile } = options
  return InferenceSession.create(file, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    ...(profile === undefined ? {} : { enableProfiling: true, profileFilePrefix: profile }),
  })
}

let known: Promise<number> | undefined

/** How many channels a block has on this machine (8 or 16); 0 where the runtime has no blocked operators. */
export function blockSize(): Promise<number> {
  known ??= probe()
  return known
}

/** Reorders four channels: they come back filled up to a whole block. */
async function probe(): Promise<number> {
  const emit = new Emitter()
  const y = emit.op('ReorderInput', ['x'], {}, BLOCKED)
  const model: OnnxModel = {
    opset: OPSET,
    graph: {
      name: 'probe',
      inputs: [{ name: 'x', type: 'float32', shape: [1, 4, 1, 1] }],
      outputs: [{ name: y, type: 'float32', shape: [1, 'block', 1, 1] }],
      nodes: emit.nodes,
      initializers: emit.initializers,
    },
  }
  try {
    const { Tensor } = await loadRuntime()
    const session = await open(model, { threads: 1 })
    const result = await session.run({ x: new Tensor('float32', new Float32Array(4), [1, 4, 1, 1]) })
    await session.release()
    return result[y].dims[1]
  } catch {
    return 0
  }
}
