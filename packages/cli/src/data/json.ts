import { addressText, type Row } from './text.js'

/** The document of `rlvi data list --json`. */
export function toJson(rows: readonly Row[]): object[] {
  return rows.map(({ info, folder, manifest }) => ({
    name: info.name,
    what: info.what,
    train: info.samples[0],
    test: info.samples[1],
    bytes: info.bytes,
    licence: info.licence,
    home: info.home,
    source: addressText(info),
    cached: folder !== undefined,
    folder: folder ?? null,
    verified: manifest?.verified ?? null,
  }))
}
