import * as Plot from '@observablehq/plot'
import type { FigureText, PlotDocument } from './figure.js'

interface SvgElement {
  setAttribute(name: string, value: string): void
  prepend(child: unknown): void
  append(child: unknown): void
  textContent: string
  outerHTML: string
}

const NAMESPACE = 'http://www.w3.org/2000/svg'
export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** Room for the title above the plot. */
export const TITLE_HEIGHT = 44

/**
 * A plot as the text of an SVG that stands alone: with its title, for eyes and for screen readers, and with the same
 * ids each time (Plot numbers its clip paths over the life of the process).
 */
export function svgText(
  document: PlotDocument,
  text: FigureText,
  options: Plot.PlotOptions,
  titleIn: 'plot' | 'page' = 'plot',
): string {
  const create = (name: string, content: string, attributes: Record<string, string> = {}): SvgElement => {
    const element = document.createElementNS(NAMESPACE, name) as SvgElement
    element.textContent = content
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    return element
  }
  const svg = Plot.plot({
    ...options,
    document: document as never,
    className: 'rlvi-plot',
    style: { fontFamily: FONT, fontSize: '13px', background: 'none' },
  }) as unknown as SvgElement
  svg.setAttribute('xmlns', NAMESPACE)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-labelledby', `${text.id}-title`)
  // Where the page has the title, it is here for screen readers alone.
  const look = { 'text-anchor': 'start', 'font-size': '15', 'font-weight': '600', fill: 'currentColor' }
  if (titleIn === 'plot') svg.append(create('text', text.title, { x: '14', y: '22', ...look }))
  if (text.description !== undefined) svg.prepend(create('desc', text.description))
  svg.prepend(create('title', text.title, { id: `${text.id}-title` }))
  return stableIds(svg.outerHTML, text.id)
}

function stableIds(svg: string, id: string): string {
  const names = new Map<string, string>()
  return svg.replace(/plot-clip-\d+/g, (found) => {
    const name = names.get(found) ?? `${id}-clip-${names.size + 1}`
    names.set(found, name)
    return name
  })
}
