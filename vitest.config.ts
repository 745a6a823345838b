import { defineConfig } from 'vitest/config'
import { SlowFirst } from './scripts/slow-first.ts'
import { projects } from './scripts/test-projects.ts'

export default defineConfig({
  test: {
    projects,
    reporters: ['default', './scripts/summary-reporter.ts'],
    setupFiles: ['./scripts/test-setup.ts'],
    // Ends a test that hangs; how busy the machine is must not decide.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // All cores: much of the time is waiting for other processes.
    maxWorkers: '100%',
    sequence: { sequencer: SlowFirst },
  },
})
