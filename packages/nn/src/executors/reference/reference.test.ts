import { describe } from 'vitest'
import { goldenLaws } from '../golden.laws.js'
import { referenceExecutor } from './reference.js'

describe('reference executor in float64', () => {
  goldenLaws(() => referenceExecutor(), { once: 1e-9, later: 1e-9 })
})

describe('reference executor in float32', () => {
  goldenLaws(() => referenceExecutor({ precision: 'float32' }), { once: 1e-5, later: 1e-4 })
})
