import type { Reporter, TestModule } from 'vitest/node'

/** Ends a test run with one plain line, for people and for programs that read it: `N passed, N failed, N skipped`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      let ran = 0
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        ran++
      }
      // A file that could not even be loaded has no tests; it must not look like a pass.
      if (ran === 0 && module.state() === 'failed') count.failed++
    }
    const failed = count.failed + errors.length
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.stdout.write(`\n${count.passed} passed, ${failed} failed${skipped}\n`)
  }
}
