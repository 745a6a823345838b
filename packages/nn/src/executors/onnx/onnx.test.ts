import { describe } from 'vitest'
import { agreementLaws } from '../agreement.laws.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'
import { onnxExecutor } from './onnx.js'

describe('onnx executor', () => {
  goldenLaws(() => onnxExecutor(), { once: 1e-5, later: 1e-4 })
  executorLaws(() => onnxExecutor())
  agreementLaws(() => onnxExecutor(), 1e-4, 120)
})
