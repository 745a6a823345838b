import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collector: (() => void) | undefined

/**
 * Has garbage collected now. DuckDB's chunks lie outside the heap and are freed with the small objects that hold them;
 * the engine does not know their size, so by itself it would let hundreds of megabytes of them wait.
 */
export function collect(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
}
