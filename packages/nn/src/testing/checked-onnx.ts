import type { Executor } from '../executors/executor.js'
import { loopModel, stepModel } from '../executors/onnx/model.js'
import { type OnnxOptions, onnxExecutor } from '../executors/onnx/onnx.js'
import { blockSize } from '../executors/onnx/runtime.js'
import { validate } from './onnx-checker/validate.js'

/** The ONNX executor, with every model that it makes of a graph checked before it is run. */
export function checkedOnnx(options: OnnxOptions = {}): Executor {
  const executor = onnxExecutor(options)
  return {
    ...executor,
    compile: async (graph, variables) => {
      const block = options.blocked === false ? 0 : await blockSize()
      const layouts = { block, phases: true }
      validate(stepModel(graph, layouts))
      // Without updates there is nothing to loop over.
      if (graph.updates.length > 0) validate(loopModel(graph, layouts))
      return executor.compile(graph, variables)
    },
  }
}
