/**
 * What counts as missing, everywhere: in columns of numbers the signs that people and programs leave where there is
 * none, in columns of texts only what nobody could mean as a value.
 */

const noNumber = /^(?:na|n\/a|nan|null|none|[-.?])$/i
const noText = /^(?:NA|null|NULL)$/

/** Whether a text says that there is no value, where the other values of its column are numbers. */
export function isMissingNumber(text: string): boolean {
  const bare = text.trim()
  return bare === '' || noNumber.test(bare)
}

/** Whether a text says that there is no value, where the other values of its column are texts. */
export function isMissingText(text: string): boolean {
  const bare = text.trim()
  return bare === '' || noText.test(bare)
}
