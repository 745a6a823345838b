import type { Fetches } from '../executors/executor.js'

/** Calls to an executor that were made one after the other, for what `asked` says; what they come to is taken in in that order. */
export interface Calls<Asked> {
  made(asked: Asked, done: Promise<readonly Fetches[]>): void
  /** Takes in what calls come to until no more than so many are under way. */
  settle(left: number): Promise<void>
  /** Waits until none is under way, whatever they come to: what they run on may be freed then. */
  end(): Promise<void>
}

export function callsInTurn<Asked>(
  takeIn: (asked: Asked, all: readonly Fetches[]) => Promise<void> | void,
): Calls<Asked> {
  const running: { readonly asked: Asked; readonly done: Promise<readonly Fetches[]> }[] = []
  return {
    made(asked, done) {
      // A failure is met where the call is settled, even if making the next one ready fails first.
      done.catch(() => undefined)
      running.push({ asked, done })
    },
    async settle(left) {
      while (running.length > left) {
        const { asked, done } = running[0]
        const all = await done
        running.shift()
        await takeIn(asked, all)
      }
    },
    async end() {
      await Promise.allSettled(running.map(({ done }) => done))
    },
  }
}
