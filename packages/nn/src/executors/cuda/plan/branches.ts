import { type Launch, touched } from './launch.js'

/**
 * Which launches may run beside the others: their results are wanted only in the end, by the optimizer. These are the gradients
 * by parameters, which need not keep the gradients by images waiting.
 */
export function besides(launches: readonly Launch[]): ReadonlySet<Launch> {
  const end = joinOf(launches)
  const readBefore = new Set<number>()
  const readAfter = new Set<number>()
  const beside = new Set<Launch>()
  launches.toReversed().forEach((launch, i) => {
    const at = launches.length - 1 - i
    const written = writtenBy(launch)
    const isWanted = written.some((id) => readAfter.has(id))
    if (at < end && isWanted && !written.some((id) => readBefore.has(id))) beside.add(launch)
    for (const { id } of touched(launch)) (at < end ? readBefore : readAfter).add(id)
  })
  return beside
}

/** The launch before which all must be done: the first of those that only copy and update. */
export function joinOf(launches: readonly Launch[]): number {
  return launches.findLastIndex(({ kind }) => kind !== 'table') + 1
}

function writtenBy(launch: Launch): readonly number[] {
  switch (launch.kind) {
    case 'kernel':
      return [...launch.call.written]
    case 'convolution': {
      const { direction, x, w, y } = launch.convolution
      return [{ forward: y, input: x, weight: w }[direction].id]
    }
    case 'product':
      return [launch.product.out.id]
    case 'table':
      return launch.rows.flatMap(({ writes }) => writes.map(({ id }) => id))
  }
}
