import { statSync } from 'node:fs'
import { phrase, RlviError } from 'rlvi'

/**
 * Replaces the state only as long as nobody else does: two runs with one state would each undo what the other
 * remembers. A lock keeps two runs apart; this finds what else may have changed it, such as a copy that was put back.
 */
export function guarded(path: string, save: (path: string, text: string) => void): (text: string) => void {
  let known = stamp(path)
  return (text) => {
    if (stamp(path) !== known) {
      const todo = 'end the other one, and give the command again'
      throw new RlviError(path, 'one run alone can write a state', phrase('changes by another'), todo)
    }
    save(path, text)
    known = stamp(path)
  }
}

/** Each replaced file is another one, or of another time. */
function stamp(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.ino} ${found.mtimeNs}`
}
