import { describe, it } from 'vitest'
import { agreementLaws } from '../agreement.laws.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'
import { cudaExecutor } from './cuda.js'
import { cudaDevices } from './run/devices.js'

const { devices, libraries } = await cudaDevices()
const missing = libraries.find(({ problem }) => problem !== undefined)

// Where there is no card, or a library is missing, this is skipped, and the word for it is in the name.
describe.skipIf(devices.length === 0 || missing !== undefined)(
  `cuda executor${devices.length === 0 ? ' (no NVIDIA card here)' : missing ? ` (${missing.name} is missing)` : ''}`,
  () => {
    const exact = cudaExecutor({ precision: 'fp32' })
    describe('fp32', () => {
      goldenLaws(() => exact, { once: 1e-5, later: 1e-4 })
      executorLaws(() => exact)
      agreementLaws(() => exact, 1e-4, 60)
    })
    const tf32 = cudaExecutor({ precision: 'tf32' })
    describe('tf32', () => {
      executorLaws(() => tf32)
      agreementLaws(() => tf32, 2e-2, 20)
    })
    const bf16 = cudaExecutor({ precision: 'bf16' })
    describe('bf16', () => {
      executorLaws(() => bf16)
    })
  },
)

it('says what is missing instead of failing', () => {
  for (const { problem } of libraries)
    if (problem !== undefined && !problem.includes('; ')) throw new Error(problem)
})
