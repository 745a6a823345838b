import { fields } from '@rlvi/io'

/**
 * The names of a header whose brackets have the delimiter in them, `Temperature [ITS-90, deg C], Salinity [PSU]`: so many as all rows
 * have values, where the line as it stands has more. Undefined for others: names would stand above the values of their neighbours.
 */
export function bracketedNames(
  header: string,
  rows: readonly (readonly string[])[],
  delimiter: string,
): readonly string[] | undefined {
  const [width = 0] = rows.map((row) => row.length)
  if (rows.length < 3 || rows.some((row) => row.length !== width)) return undefined
  if (header.includes('"') || fields(header, delimiter).length <= width) return undefined
  const kept: string[] = []
  const held = header.replaceAll(/\[[^\][]*\]|\([^()]*\)/g, (part) => `\0${kept.push(part) - 1}\0`)
  const names = fields(held, delimiter).map((name) =>
    name.replaceAll(/\0(\d+)\0/g, (_, k) => kept[Number(k)]!),
  )
  return names.length === width ? names : undefined
}
