const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Marks that turn the direction of all that follows: a name with one would turn our words behind it. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** Text that is safe between tags and in quoted attributes, and stays within its place. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(turning, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)
}
