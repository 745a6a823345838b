import type { Offsets } from './offsets.js'

/**
 * No law is quite true, nor are shells of constant density: in many rows that would decide between laws, and leave an
 * interval far narrower than their faults. So rows beyond this number count for less, all alike, as in a coarsened posterior
 * (Miller and Dunson 2019).
 */
const MOST = 20_000

/** How many rows speak, of those there are. */
export function speaking(rows: number): number {
  return Math.min(rows, MOST)
}

/** A log-likelihood of all rows, as far as they speak. */
export function asEvidence({ rows }: Pick<Offsets, 'rows'>, value: number): number {
  return (value * speaking(rows)) / rows
}

/** The other way round: what a log-likelihood of all rows must gain for the evidence to gain as much. */
export function asValue({ rows }: Pick<Offsets, 'rows'>, evidence: number): number {
  return (evidence * rows) / speaking(rows)
}
