import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute or more: begun last, one of them would keep a core busy alone. */
const slow = ['clickhouse', 'honest-level', 'quality', 'kills']

/** The slowest files first, the others in the usual order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean =>
      slow.some((name) => moduleId.endsWith(`/${name}.test.ts`))
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
