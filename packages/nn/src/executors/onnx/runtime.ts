import { availableParallelism } from 'node:os'
import ort from 'onnxruntime-node'
import type { OnnxModel } from '../../onnx/schema.js'
import { writeOnnx } from '../../onnx/write.js'
import { BLOCKED, Emitter } from './emitter.js'
import { OPSET } from './model.js'

export interface SessionOptions {
  /** Threads of each operator. Default: all cores, but one where a run is so short that threads would wait for each other. */
  readonly threads?: number
  /** Writes a profile of every operator to files that begin with this path. */
  readonly profile?: string
}

/** Loads a model into ONNX Runtime on the CPU. */
export function open(model: OnnxModel, options: SessionOptions = {}): Promise<ort.InferenceSession> {
  return openFile(writeOnnx(model), options)
}

export function openFile(file: Uint8Array, options: SessionOptions = {}): Promise<ort.InferenceSession> {
  const { threads = availableParallelism(), profile } = options
  return ort.InferenceSession.create(file, {
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
    const session = await open(model, { threads: 1 })
    const result = await session.run({ x: new ort.Tensor('float32', new Float32Array(4), [1, 4, 1, 1]) })
    await session.release()
    return result[y].dims[1]
  } catch {
    return 0
  }
}
