import { escapeHtml } from './escape.js'
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
}

/** What a page holds. */
export interface Page {
  readonly title: string
  readonly lead?: string
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
  const { title, lead, blocks, footer } = content
  const text = `<main>
<header>
<h1>${escapeHtml(title)}</h1>
${lead === undefined ? '' : `<p class="lead">${escapeHtml(lead)}</p>`}
</header>
${blocks.map(render).join('\n')}
</main>
${footer === undefined ? '' : `<footer>${escapeHtml(footer)}</footer>`}`
  return livePage({ title, body: markup(text) })
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
  }
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
}

function table({ caption, head, rows, words = 1 }: TableBlock): string {
  const cell = (tag: string, text: string, column: number): string =>
    `<${tag}${column < words ? '' : ' class="number"'}>${escapeHtml(text)}</${tag}>`
  const line = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((text, column) => cell(tag, text, column)).join('')}</tr>`
  return `<div class="table"><table>
${caption === undefined ? '' : `<caption>${escapeHtml(caption)}</caption>`}
<thead>${line('th', head)}</thead>
<tbody>
${rows.map((row) => line('td', row)).join('\n')}
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
