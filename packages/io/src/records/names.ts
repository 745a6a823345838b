/** The first column of R's and pandas' row names: without a name, or with the one that pandas, or who collects R's tables, gives it. */
const unnamed = new Set(['', 'Unnamed: 0', 'rownames'])

/** The columns of CSV by the cells of its header. */
export interface HeaderNames {
  /** A name for each, all different: those without one are `column` and their place from 1. */
  readonly names: readonly string[]
  /** The names that were made because another column has the same. */
  readonly renamed: readonly string[]
  /** The name of a first column that has none, or pandas' name for none: it numbers or names the rows. */
  readonly index: string | undefined
}

/** Names for the columns of CSV. */
export function namesOf(header: readonly string[]): HeaderNames {
  const cells = header.map((cell) => cell.trim())
  const taken = new Set(cells)
  const names = new Set<string>()
  const renamed: string[] = []
  /** The number that the next copy of a name may have. */
  const next = new Map<string, number>()
  cells.forEach((name, j) => {
    if (name !== '' && !names.has(name)) {
      names.add(name)
      return
    }
    const stem = name === '' ? `column${j + 1}` : name
    let own = name === '' ? stem : undefined
    let k = next.get(stem) ?? 1
    for (; own === undefined || taken.has(own) || names.has(own); k++) own = `${stem}_${k}`
    next.set(stem, k)
    names.add(own)
    if (name !== '') renamed.push(own)
  })
  const isIndex = cells.length > 1 && unnamed.has(cells[0]!)
  const all = [...names]
  return { names: all, renamed, index: isIndex ? all[0] : undefined }
}
