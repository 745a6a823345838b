import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take many seconds, the slowest first: begun last, one of them would keep a core busy alone. Without a memory of
 * earlier runs, the runner takes the rest by size, and what starts processes is small.
 */
const slow = [
  ...['clickhouse', 'honest-level', 'quality', 'kills', 'on-a-card', 'emulated', 'packages'],
  ...['cells-on-a-card', 'install', 'browser'],
  ...['examples', 'printed', 'clusters', 'skewed-columns', 'reproduce', 'out-of-core', 'full-disk', 'kill'],
]

/** The slowest files first, the others in the usual order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification): number => {
      const found = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return found < 0 ? slow.length : found
    }
    return sorted.sort((a, b) => place(a) - place(b))
  }
}
