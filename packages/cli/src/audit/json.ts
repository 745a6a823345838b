import { contradicted, type Findings, isOfLabels, pairsOf, type Suspect, worthALook } from './suspects.js'

/** The document of `rlvi audit --json`. */
export function toJson(found: Findings, top: number): object {
  const { name, flagged, level, interval, habits, cautions, remarks } = found
  const { unreadable, suspects, seconds } = found
  return {
    data: name,
    samples: suspects.length,
    contradicted: isOfLabels(found) ? contradicted(found) : null,
    flagged,
    level: level ?? null,
    interval: interval ?? null,
    habits: habits ?? null,
    cautions,
    remarks,
    unreadable,
    pairs: pairsOf(found),
    seconds: Number(seconds.toFixed(2)),
    suspects: worthALook(found, top).map((suspect) => withValues(found, suspect)),
  }
}

/** A row of a table with what it holds in the other columns. */
function withValues({ values }: Findings, suspect: Suspect): object {
  if (values === undefined) return suspect
  const held = values.of(suspect)
  return { ...suspect, values: Object.fromEntries(values.names.map((name, j) => [name, held[j]])) }
}
