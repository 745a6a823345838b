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
  const names: string[] = []
  const renamed: string[] = []
  cells.forEach((name, j) => {
    if (name !== '' && !names.includes(name)) {
      names.push(name)
      return
    }
    const stem = name === '' ? `column${j + 1}` : name
    let own = name === '' ? stem : `${stem}_1`
    for (let k = 1; taken.has(own) || names.includes(own); k++) own = `${stem}_${k}`
    names.push(own)
    if (name !== '') renamed.push(own)
  })
  const isIndex = names.length > 1 && (cells[0] === '' || cells[0] === 'Unnamed: 0')
  return { names, renamed, index: isIndex ? names[0] : undefined }
}
