import { escapeHtml } from './escape.js'

/** A piece of HTML: everything else that enters a page is text, and escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template. */
export type Piece = Html | string | number | undefined | false | readonly Piece[]

/**
 * HTML in which every text that is put in is escaped, unless it is HTML itself.
 *
 * @example
 * html`<td>${'<b>'}</td>`.text // <td>&lt;b&gt;</td>
 */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(texts.map((text, i) => text + (i < pieces.length ? render(pieces[i]) : '')).join(''))
}

/** Markup that a program made, such as an SVG. */
export function markup(text: string): Html {
  return new Html(text)
}

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(render).join('\n')
  return escapeHtml(String(piece))
}

/**
 * Data for a script of the page, as a block that browsers never run. No text in it can end the block, or begin a comment
 * that would: every `<` is written as an escape.
 */
export function dataBlock(id: string, value: unknown): Html {
  const json = JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return new Html(`<script type="application/json" id="${escapeHtml(id)}">${json}</script>`)
}
