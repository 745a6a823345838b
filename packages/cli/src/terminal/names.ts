import { checkName } from '@rlvi/estimator'

export { nearest } from '@rlvi/estimator'

/** The column of that name, or an error with the nearest name. */
export function find<C extends { readonly name: string }>(
  where: string,
  name: string,
  columns: readonly C[],
): C {
  const names = columns.map((column) => column.name)
  checkName(where, name, names, 'file')
  return columns[names.indexOf(name)]!
}
