import { RlviError } from 'rlvi'
import type { Executor } from '../executor.js'
import { compile } from './program.js'
import { blockSize, type SessionOptions } from './runtime.js'
import { OnnxResidents } from './variables.js'

export interface OnnxOptions extends SessionOptions {
  /** Use the operators for blocked images where the runtime has them. Default true. */
  readonly blocked?: boolean
}

/** The whole step as one ONNX graph, run by ONNX Runtime on the CPU. */
export function onnxExecutor(options: OnnxOptions = {}): Executor {
  return {
    name: 'onnx',
    residents: () => new OnnxResidents(),
    compile: async (graph, residents = new OnnxResidents()) => {
      if (!(residents instanceof OnnxResidents)) {
        throw new RlviError('compile', 'residents must come from this executor', residents.constructor.name)
      }
      residents.admit(graph)
      const block = options.blocked === false ? 0 : await blockSize()
      return compile(graph, residents, { block, phases: true }, options)
    },
  }
}
