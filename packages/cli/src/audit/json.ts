import { contradicted, type Findings, isOfLabels, pairsOf, worthALook } from './suspects.js'

/** The document of `rlvi audit --json`. */
export function toJson(found: Findings, top: number): object {
  const { name, flagged, level, interval, cautions, remarks, unreadable, suspects, seconds } = found
  return {
    data: name,
    samples: suspects.length,
    contradicted: isOfLabels(found) ? contradicted(found) : null,
    flagged,
    level: level ?? null,
    interval: interval ?? null,
    cautions,
    remarks,
    unreadable,
    pairs: pairsOf(found),
    seconds: Number(seconds.toFixed(2)),
    suspects: worthALook(found, top),
  }
}
