import { contradicted, type Findings, isOfLabels } from './suspects.js'

/** The document of `rlvi audit --json`. */
export function toJson(found: Findings, top: number): object {
  const { name, flagged, level, interval, cautions, suspects, seconds } = found
  return {
    data: name,
    samples: suspects.length,
    contradicted: isOfLabels(found) ? contradicted(found) : null,
    flagged,
    level: level ?? null,
    interval: interval ?? null,
    cautions,
    seconds: Number(seconds.toFixed(2)),
    suspects: suspects.slice(0, top),
  }
}
