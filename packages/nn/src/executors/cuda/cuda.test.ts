import { describe, it } from 'vitest'
import { cudaLaws } from './cuda.laws.js'
import { cudaDevices } from './run/devices.js'

const { devices, libraries } = await cudaDevices()
const missing = libraries.find(({ problem }) => problem !== undefined)

// Where there is no card, or a library is missing, this is skipped, and the word for it is in the name.
describe.skipIf(devices.length === 0 || missing !== undefined)(
  `cuda executor${devices.length === 0 ? ' (no NVIDIA card here)' : missing ? ` (${missing.name} is missing)` : ''}`,
  () => cudaLaws({}, 40),
)

it('says what is missing instead of failing', () => {
  for (const { problem } of libraries)
    if (problem !== undefined && !problem.includes('; ')) throw new Error(problem)
})
