import { escapeHtml } from './escape.js'
import type { Html } from './html.js'
import { pageStyle } from './page-style.js'
import { policy } from './policy.js'

/** A page with parts that move. */
export interface LivePage {
  readonly title: string
  /** What it needs beside the style of all pages. */
  readonly style?: string
  readonly body: Html
  /** The one script that may run, and its hash; neither where nothing moves. */
  readonly script?: string
  readonly scriptHash?: string
}

/** One HTML file that needs nothing else. Its policy lets the browser load nothing and run no script but this one. */
export function livePage({ title, style = '', body, script, scriptHash }: LivePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(scriptHash)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${pageStyle}
${style}
</style>
</head>
<body>
${body.text}
${script === undefined ? '' : `<script>${script}</script>`}
</body>
</html>
`
}
