import { expect, it } from 'vitest'
import { escapeHtml, page } from './index.js'

const nasty = `<script>alert("x")</script> & 'more'`

it('escapes all five characters', () => {
  expect(escapeHtml(nasty)).toBe('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;more&#39;')
})

it('shows marks that would turn the direction of what follows', () => {
  expect(escapeHtml('a\u202eb \u05d0')).toBe('a\\u202eb \u05d0')
})

it('escapes every text on a page', () => {
  const html = page({
    title: nasty,
    lead: nasty,
    footer: nasty,
    kind: nasty,
    blocks: [
      { kind: 'tiles', items: [{ name: nasty, value: nasty, note: nasty }] },
      { kind: 'cautions', items: [nasty] },
      { kind: 'facts', items: [[nasty, nasty]] },
      { kind: 'table', as: 'cards', head: [nasty], rows: [[nasty]] },
      { kind: 'table', as: 'matrix', head: [nasty, nasty], rows: [[nasty, nasty]] },
      { kind: 'heading', text: nasty },
      { kind: 'paragraph', text: nasty },
      { kind: 'code', text: nasty },
      { kind: 'list', items: [nasty] },
      { kind: 'figure', svg: '<svg></svg>', caption: [nasty] },
      { kind: 'table', caption: nasty, head: [nasty], rows: [[nasty]] },
      {
        kind: 'gallery',
        items: [{ image: new Uint8Array(1), type: 'png', lines: [nasty, nasty], href: nasty }],
      },
    ],
  })
  expect(html).not.toContain('<script')
  // Title twice (tab and heading), lead, kind, footer; tiles, cautions, facts; cards (each cell's name, too) and matrix; and one of
  // each other block, of which the table has three, the gallery (alt, link) four.
  expect(html.split('&lt;script&gt;')).toHaveLength(1 + 5 + (3 + 1 + 2) + (3 + 4) + 5 + 3 + 4)
  expect(html).toContain('<svg></svg>')
})

it('needs nothing from outside, and is light or dark as the reader likes', () => {
  const html = page({ title: 'A page', blocks: [] })
  expect(html).not.toMatch(/https?:|<link|<script|@import|url\(/)
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).toContain('<html lang="en">')
})

it('carries the pictures of a gallery in itself', () => {
  const png = Uint8Array.from({ length: 9000 }, (_, i) => i % 251)
  const items = [{ image: png, type: 'png', lines: ['one', 'a b'], href: 'a%20b' }] as const
  const html = page({ title: 'A page', blocks: [{ kind: 'gallery', items }] })
  expect(html).toContain('<p><a href="a%20b">a b</a></p>')
  const [, found = ''] = /src="data:image\/png;base64,([^"]*)"/.exec(html) ?? []
  expect(new Uint8Array(Buffer.from(found, 'base64'))).toEqual(png)
  expect(html).toContain('alt="one"')
})
