import { describe } from 'vitest'
import { checkedOnnx } from '../../testing/checked-onnx.js'
import { agreementLaws } from '../agreement.laws.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'

describe('onnx executor', () => {
  goldenLaws(() => checkedOnnx(), { once: 1e-5, later: 1e-4 })
  executorLaws(() => checkedOnnx())
  agreementLaws(() => checkedOnnx(), 1e-4, 120)
})
