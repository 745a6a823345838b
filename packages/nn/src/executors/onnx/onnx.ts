import { RlviError } from 'rlvi'
import type { Executor } from '../executor.js'
import { compile } from './program.js'
import { blockSize, loadRuntime } from './runtime.js'
import type { SessionOptions } from './session-options.js'
import { OnnxVariables } from './variables.js'

/** Settings of the ONNX executor. */
export interface OnnxOptions extends SessionOptions {
  /** Use the operators for blocked images where the runtime has them. Default true. */
  readonly blocked?: boolean
}

/** The whole step as one ONNX graph, run by ONNX Runtime on the CPU, which is loaded when a graph is first compiled. */
export function onnxExecutor(options: OnnxOptions = {}): Executor {
  return {
    name: 'onnx',
    variables: () => new OnnxVariables(),
    compile: async (graph, variables = new OnnxVariables()) => {
      if (!(variables instanceof OnnxVariables)) {
        throw new RlviError('compile', 'variables must come from this executor', variables.constructor.name)
      }
      variables.declare(graph)
      const block = options.blocked === false ? 0 : await blockSize()
      return compile(await loadRuntime(), graph, variables, { block, phases: true }, options)
    },
  }
}

/** Loads ONNX Runtime ahead of its use; where it is not installed, the error says how to have it. */
export async function needOnnxRuntime(): Promise<void> {
  await loadRuntime()
}
