/**
 * The little of vitest that the laws of executors need, for a machine that has Node.js and a card, but no packages: the laws are
 * bundled with this in vitest's place, and then run as a plain program.
 */
import { deepStrictEqual } from 'node:assert'

interface Test {
  readonly name: string
  readonly run: () => unknown
}

const tests: Test[] = []
const path: string[] = []

export function describe(name: string, body: () => void): void {
  path.push(name)
  body()
  path.pop()
}
describe.skipIf = (skipped: boolean) => (skipped ? () => console.log('skipped') : describe)

export function it(name: string, run: () => unknown): void {
  tests.push({ name: [...path, name].join(' > '), run })
}

const fail = (message: string): never => {
  throw new Error(message)
}

function matchers(got: unknown, what = ''): Record<string, (expected: unknown) => void> {
  const both = (expected: unknown): string => `${what} ${String(got)} and ${String(expected)}`
  return {
    toBe: (expected) => void (Object.is(got, expected) || fail(`not the same: ${both(expected)}`)),
    toEqual: (expected) => deepStrictEqual(got, expected, what || undefined),
    toBeLessThan: (expected) =>
      void ((got as number) < (expected as number) || fail(`not less: ${both(expected)}`)),
    toBeLessThanOrEqual: (expected) =>
      void ((got as number) <= (expected as number) || fail(`not at most: ${both(expected)}`)),
  }
}

export function expect(got: unknown, what?: string): unknown {
  return {
    ...matchers(got, what),
    rejects: {
      async toThrow(text: string) {
        try {
          await got
        } catch (error) {
          if ((error as Error).message.includes(text)) return
          fail(`another error: ${(error as Error).message}, expected ${text}`)
        }
        fail(`no error, expected ${text}`)
      },
    },
  }
}
expect.fail = fail

/** Runs what was registered, once nothing else is left to do; the exit code says whether all of it holds. */
process.once('beforeExit', async () => {
  const only = process.argv[2]
  let failed = 0
  for (const { name, run } of tests) {
    if (only !== undefined && !name.includes(only)) continue
    const started = performance.now()
    try {
      await run()
      console.log(`ok   ${name} (${Math.round(performance.now() - started)} ms)`)
    } catch (error) {
      failed++
      console.log(`FAIL ${name}: ${(error as Error).message.slice(0, 1500)}`)
    }
  }
  console.log(`${tests.length - failed} of ${tests.length} laws hold`)
  process.exit(failed === 0 ? 0 : 1)
})
