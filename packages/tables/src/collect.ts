import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (options?: { readonly type: 'minor' }) => void

let collector: Collector | undefined
let calls = 0
/** Objects that outlived some of the quick collections are found by a full one. */
const FULL_EVERY = 8

/**
 * Has garbage collected now. DuckDB's chunks lie outside the heap and are freed with the small objects that hold them;
 * the engine does not know their size, so by itself it would let hundreds of megabytes of them wait.
 */
export function collect(): void {
  collectorOf()()
}

/** The same for who scans again and again: young objects are enough to look at, mostly, and that takes a fraction of the time. */
export function collectOften(): void {
  if (++calls % FULL_EVERY === 0) collect()
  else collectorOf()({ type: 'minor' })
}

function collectorOf(): Collector {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as Collector
  }
  return collector
}
