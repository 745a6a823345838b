import { escapeHtml } from './escape.js'
import { fitStyle } from './fit/style.js'
import { markup } from './html.js'
import { livePage } from './live-page.js'

/** A piece of a page. Texts are plain; only `svg` is taken as it is. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'figure'; readonly svg: string; readonly caption: readonly string[] }
  | TableBlock
  | GalleryBlock
  | TilesBlock
  /** What must be read before anything else. */
  | { readonly kind: 'cautions'; readonly items: readonly string[] }
  /** How it was made, and the like: what, and its value. */
  | { readonly kind: 'facts'; readonly items: readonly (readonly [what: string, value: string])[] }

/** Numbers that stand out, side by side. */
export interface TilesBlock {
  readonly kind: 'tiles'
  readonly items: readonly {
    readonly name: string
    readonly value: string
    readonly note?: string
    /** What is wrong stands in red. */
    readonly isBad?: boolean
  }[]
}

/** Pictures side by side, each with its lines of text. */
export interface GalleryBlock {
  readonly kind: 'gallery'
  readonly items: readonly GalleryItem[]
}

/** A picture with what is said of it. */
export interface GalleryItem {
  /** The bytes of an image file: they become part of the page. */
  readonly image: Uint8Array
  readonly type: 'png' | 'jpeg'
  /** The first stands out. */
  readonly lines: readonly string[]
  /** Where the last line leads: a URL, relative or `file:`. */
  readonly href?: string
}

/** A table of texts. */
export interface TableBlock {
  readonly kind: 'table'
  readonly caption?: string
  readonly head: readonly string[]
  readonly rows: ReadonlyArray<readonly string[]>
  /** How many of the first columns are words; the others are numbers. Default 1. */
  readonly words?: number
  /** Counts of a class against a class, the larger the redder; or rows that become cards on a phone. */
  readonly as?: 'matrix' | 'cards'
}

/** What a page holds. */
export interface Page {
  readonly title: string
  readonly lead?: string
  /** What kind of page it is, in a line above its title: then it looks as the report of a fit does. */
  readonly kind?: string
  readonly blocks: readonly Block[]
  readonly footer?: string
}

/**
 * One HTML file that needs nothing else: no scripts, no fonts, no network.
 *
 * @example
 * const html = page({
 *   title: 'Stars',
 *   blocks: [{ kind: 'table', head: ['star', 'P(good)'], rows: [['11', '0.02'], ['20', '0.01']] }],
 * })
 */
export function page(content: Page): string {
  const { title, lead, kind, blocks, footer } = content
  const text = `<main>
<header>
${kind === undefined ? '' : `<div class="top-line"><span>${escapeHtml(kind)}</span></div>\n`}<h1>${escapeHtml(title)}</h1>
${lead === undefined ? '' : `<p class="lead">${escapeHtml(lead)}</p>`}
</header>
${blocks.map(render).join('\n')}
</main>
${footer === undefined ? '' : `<footer>${escapeHtml(footer)}</footer>`}`
  return livePage({
    title,
    ...(kind === undefined ? {} : { style: `${fitStyle}\n${cards}` }),
    body: markup(text),
  })
}

function render(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escapeHtml(block.text)}</h2>`
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
    case 'figure':
      return `<figure>\n<div class="plot">${block.svg}</div>\n<figcaption>${paragraphs(block.caption)}</figcaption>\n</figure>`
    case 'table':
      return table(block)
    case 'gallery':
      return gallery(block)
    case 'tiles':
      return tiles(block)
    case 'cautions':
      return `<ul class="cautions">${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
    case 'facts':
      return `<dl class="made card">${block.items.map(([what, value]) => `<dt>${escapeHtml(what)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`
  }
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
}

function tiles({ items }: TilesBlock): string {
  const all = items.map(({ name, value, note, isBad }) => {
    const small = note === undefined ? '' : `<small>${escapeHtml(note)}</small>`
    return `<div><dt>${escapeHtml(name)}</dt><dd${isBad ? ' class="bad"' : ''}>${escapeHtml(value)}${small}</dd></div>`
  })
  return `<dl class="tiles">${all.join('\n')}</dl>`
}

/** Rows of a table as cards, where a phone has no room for them beside each other. */
const cards = `.matrix td:first-child { text-align: left; background: none; } figure { margin: 1rem 0; } .plot svg { max-width: min(100%, 600px); } td { overflow: hidden; text-overflow: ellipsis; max-width: 22rem; }
@media (max-width: 560px) { .cards { padding: 0; border: 0; background: none; } .cards table, .cards tbody { display: block; } .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.cards tr { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .5rem .7rem; margin-bottom: .6rem; } .cards td { display: grid; grid-template-columns: minmax(0, 9rem) minmax(0, 1fr); gap: .8rem; border: 0; padding: .1rem 0; max-width: none; text-align: left; white-space: normal; overflow-wrap: anywhere; }
.cards td::before { content: attr(data-name); color: var(--soft); } .cards td:empty { display: none; } .table th, .table td { white-space: normal; overflow-wrap: anywhere; } }`

/** How red a count is beside the largest one off the diagonal. */
function strength(rows: TableBlock['rows']): (row: number, column: number, text: string) => string {
  const most = Math.max(
    1,
    ...rows.flatMap((row, i) => row.slice(1).map((text, k) => (i === k ? 0 : Number(text) || 0))),
  )
  return (row, column, text) => {
    if (row === column - 1) return ' class="same"'
    const value = Number(text) || 0
    return value === 0 ? '' : ` style="--strength:${(0.12 + 0.6 * Math.sqrt(value / most)).toFixed(2)}"`
  }
}

function table(block: TableBlock): string {
  const { caption, head, rows, words = 1, as } = block
  const shade = as === 'matrix' ? strength(rows) : undefined
  const cell = (tag: string, text: string, column: number, row = -1): string => {
    const name =
      as === 'cards' && tag === 'td' ? ` role="cell" data-name="${escapeHtml(head[column] ?? '')}"` : ''
    const kind = column < words ? '' : ' class="number"'
    const own = shade !== undefined && tag === 'td' && column > 0 ? shade(row, column, text) : kind
    return `<${tag}${own}${name}>${escapeHtml(text)}</${tag}>`
  }
  const line = (tag: string, cells: readonly string[], row?: number): string =>
    `<tr${as === 'cards' ? ' role="row"' : ''}>${cells.map((text, column) => cell(tag, text, column, row)).join('')}</tr>`
  const roles = as === 'cards' ? ' role="table"' : as === 'matrix' ? ' class="matrix"' : ''
  return `<div class="table${as === 'cards' ? ' cards' : ''}" tabindex="0"><table${roles}>
${caption === undefined ? '' : `<caption>${escapeHtml(caption)}</caption>`}
<thead>${line('th', head)}</thead>
<tbody>
${rows.map((row, i) => line('td', row, i)).join('\n')}
</tbody>
</table></div>`
}

function gallery({ items }: GalleryBlock): string {
  const figures = items.map(({ image, type, lines, href }) => {
    const [first = '', ...rest] = lines.map(escapeHtml)
    const last = rest.pop()
    if (last !== undefined) rest.push(href === undefined ? last : `<a href="${escapeHtml(href)}">${last}</a>`)
    const text = [`<strong>${first}</strong>`, ...rest].map((line) => `<p>${line}</p>`).join('')
    const src = `data:image/${type};base64,${base64(image)}`
    return `<figure><img src="${src}" alt="${first}" loading="lazy"><figcaption>${text}</figcaption></figure>`
  })
  return `<div class="gallery">\n${figures.join('\n')}\n</div>`
}

/** Without Node's Buffer, so that pages can be made in a browser too. */
function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  return btoa(text)
}
