import { show } from 'rlvi'

/** A remark on categories that differ in capitals alone, and were perhaps meant to be the same. */
export function capitalsRemark(column: string, values: readonly string[]): string | undefined {
  const alike = new Map<string, string[]>()
  for (const value of values) {
    const key = value.toLowerCase()
    alike.set(key, [...(alike.get(key) ?? []), value])
  }
  const groups = [...alike.values()].filter((group) => group.length > 1)
  if (groups.length === 0) return undefined
  const said = groups.map((group) => group.map(show).join(' and ')).join('; ')
  return `column ${show(column)}: ${said} differ in capitals alone, and are taken as different; write them alike if they are the same`
}
