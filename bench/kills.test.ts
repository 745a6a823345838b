import { expect, test } from 'vitest'
import { scenarios } from './kill-scenarios.js'
import { killAt } from './kills.js'

// `node bench/dist/kills.js` kills at every change; here at some, of every command.
test.each(scenarios())('$name, killed at a change of a file, has whole files and goes on', (scenario) => {
  const { kills, failures } = killAt(scenario, [4, 6])
  expect(failures).toEqual([])
  expect(kills).toBeGreaterThan(1)
})
