/** Beyond this many different values a text is a name or a remark, not a category. */
export const mostValues = 50

/** Whether so many different texts, in so many rows, are names rather than categories. */
export function areTooMany(different: number, rows: number): boolean {
  return different > 2 && (different > mostValues || different > rows / 2)
}
