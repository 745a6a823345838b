// C0 and C1 control characters, line separators, and the marks that reverse the direction of text: names and values
// from a file could use them to move the cursor, colour the screen or make a line read as something else.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding those is the purpose
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** A text from outside as a terminal may show it, on one line: control characters become visible. */
export function printable(text: string): string {
  return text.replaceAll(unsafe, escaped)
}

/** JSON that can be shown on a terminal: the same document, with every control character escaped. */
export function printableJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(unsafe, (sign) => (sign === '\n' ? sign : escaped(sign)))}\n`
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}
