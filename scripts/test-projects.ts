import { readdirSync, readFileSync } from 'node:fs'
import type { TestProjectInlineConfiguration } from 'vitest/config'

const packages = new URL('../packages/', import.meta.url)

/** What changes modules, timers, the environment or globals would change them for the files that come after it, too. */
const changesItsProcess = /\bvi\.|\bprocess\.(env\.\w+ = |chdir\()/

const tests = readdirSync(packages).flatMap((name) =>
  readdirSync(new URL(`${name}/src/`, packages), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `packages/${name}/src/${file.replaceAll('\\', '/')}`),
)
const alone = tests.filter((file) =>
  changesItsProcess.test(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')),
)

/**
 * Tests of packages share a process and what it has loaded: to start one for each file, and load the packages there, would take a
 * third of a second of each. The others have a process each.
 */
export const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: { name: 'shared', include: ['packages/*/src/**/*.test.ts'], exclude: alone, isolate: false },
  },
  {
    extends: true,
    test: {
      name: 'alone',
      include: [...alone, 'examples/**/*.test.ts', 'bench/**/*.test.ts', 'integration/**/*.test.ts'],
    },
  },
]
