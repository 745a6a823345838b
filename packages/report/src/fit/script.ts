/**
 * What moves on the page: the threshold, the order of the table, the download, light and dark. It reads the block of data
 * and writes texts, never markup, so that no name or value of a table can become anything else. The browser runs this text
 * and no other: `scriptHash` is all that the page's policy allows.
 */
export const script: string = `'use strict'
const byId = (id) => document.getElementById(id)
const { name, label, points, worst, below, frame, step } = JSON.parse(byId('rlvi-data').textContent)
const plots = [...document.querySelectorAll('.figures svg')].map((svg) => [...svg.querySelectorAll('.dots circle')]).filter((dots) => dots.length === points.clean.length && dots.length > 0)
const bars = [...document.querySelectorAll('.bars rect')]
const rule = document.querySelector('.threshold line')
const slider = byId('threshold')
let threshold = Number(slider.value) / 100
let cut = points.clean.length
let sorted = { column: -1, up: true }
// Cards of a phone are long.
const first = matchMedia('(max-width: 560px)').matches ? Math.min(step, 8) : step
let most = first

function mark() {
  // Points are sorted from good to bad: what is flagged is all behind a cut.
  let next = points.clean.findIndex((p) => p < threshold)
  if (next < 0) next = points.clean.length
  const [from, to] = next < cut ? [next, cut] : [cut, next]
  for (const dots of plots) for (let k = from; k < to; k++) dots[k].classList.toggle('flagged', next < cut)
  cut = next
  bars.forEach((bar, k) => bar.classList.toggle('flagged', (k + 0.5) / bars.length < threshold))
  if (rule) for (const end of ['x1', 'x2']) rule.setAttribute(end, frame.left + frame.wide * threshold)
}

const flagged = () => below[Math.round(100 * threshold)]
const listed = () => worst.rows.map((row, k) => ({ row, clean: worst.clean[k] })).filter(({ clean }) => clean < threshold)
const many = (value) => value.toLocaleString('en')

function inOrder(rows) {
  const { column, up } = sorted
  if (column < 0) return rows
  const side = up ? 1 : -1
  const compare = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }))
  // What is missing comes last, either way.
  return [...rows].sort((a, b) => (a.row[column] === null) - (b.row[column] === null) || (a.row[column] === null ? 0 : side * compare(a.row[column], b.row[column])))
}

function textOf(value, j) {
  if (value === null) return ''
  if (j !== 1) return typeof value === 'number' ? String(Number(value.toPrecision(6))) : value
  return value < 0.0005 ? '< 0.001' : value.toFixed(3)
}

function showTable() {
  const rows = inOrder(listed())
  const body = document.createElement('tbody')
  body.setAttribute('role', 'rowgroup')
  const titles = new Map([...document.querySelectorAll('#rows th')].map((head) => [Number(head.dataset.column), head.textContent]))
  for (const { row } of rows.slice(0, most)) {
    const line = body.insertRow()
    line.setAttribute('role', 'row')
    row.forEach((value, j) => {
      if (!worst.head[j].shown) return
      const cell = line.insertCell()
      cell.className = worst.head[j].kind
      // On a phone rows are cards, and each value stands beside its name.
      cell.setAttribute('role', 'cell')
      cell.dataset.name = titles.get(j)
      cell.textContent = textOf(value, j)
      if (j > 2) cell.title = cell.textContent
    })
  }
  byId('rows').tBodies[0].replaceWith(body)
  document.querySelectorAll('#rows th').forEach((head) => {
    if (Number(head.dataset.column) === sorted.column) head.setAttribute('aria-sort', sorted.up ? 'ascending' : 'descending')
    else head.removeAttribute('aria-sort')
  })
  byId('sort').value = sorted.column
  byId('turn').disabled = sorted.column < 0
  byId('more').hidden = rows.length <= most
  byId('more').textContent = 'Show ' + Math.min(first < step ? 25 : 100, Math.max(0, rows.length - most)) + ' more'
  const all = flagged()
  const left = all > rows.length ? ' The ' + many(rows.length) + ' worst of them are in this file; rlvi fit --flagged FILE writes all.' : ''
  byId('rows-note').textContent = (all === 0 ? 'No row is flagged at this threshold.' : many(Math.min(most, rows.length)) + ' of ' + many(all) + ' flagged rows.') + left
  byId('download').disabled = rows.length === 0
}

function showCount() {
  const all = flagged()
  const text = many(all) + (all === 1 ? ' row flagged' : ' rows flagged')
  byId('flagged-count').textContent = text
  byId('threshold-value').textContent = threshold.toFixed(2)
  byId('flagged-tile').textContent = many(all)
  slider.setAttribute('aria-valuetext', label + ' below ' + threshold.toFixed(2) + ', ' + text)
}

function update() {
  threshold = Number(slider.value) / 100
  mark()
  showCount()
  showTable()
}

function csv() {
  const cell = (value) => {
    const text = value === null ? '' : String(value)
    return /[",\\r\\n]/.test(text) || text !== text.trim() ? '"' + text.replaceAll('"', '""') + '"' : text
  }
  const lines = [worst.head.map((head) => head.name), ...listed().map(({ row }) => row)]
  return lines.map((line) => line.map(cell).join(',') + '\\n').join('')
}

slider.addEventListener('input', () => { most = first; update() })
byId('more').addEventListener('click', () => { most += first < step ? 25 : 100; showTable() })
byId('rows').tHead.addEventListener('click', (event) => {
  const head = event.target.closest('th')
  if (!head) return
  const column = Number(head.dataset.column)
  sorted = { column, up: sorted.column === column ? !sorted.up : true }
  showTable()
})
byId('sort').addEventListener('change', () => {
  sorted = { column: Number(byId('sort').value), up: true }
  showTable()
})
byId('turn').addEventListener('click', () => {
  sorted = { column: sorted.column, up: !sorted.up }
  showTable()
})
byId('download').addEventListener('click', () => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csv()], { type: 'text/csv' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})
byId('theme').addEventListener('click', () => {
  const root = document.documentElement
  const dark = (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  root.dataset.theme = dark ? 'light' : 'dark'
})
const tip = byId('tip')
document.addEventListener('pointermove', (event) => {
  const dot = event.target instanceof SVGCircleElement && event.target.closest('.dots') ? event.target : undefined
  tip.hidden = !dot
  if (!dot) return
  const k = [...dot.ownerSVGElement.querySelectorAll('.dots circle')].indexOf(dot)
  tip.textContent = 'row ' + many(points.row[k]) + ', ' + label + ' ' + textOf(points.clean[k], 1)
  tip.style.left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8) + 'px'
  tip.style.top = event.clientY + 14 + 'px'
})
for (const element of document.querySelectorAll('.live')) element.hidden = false
update()
`

/** SHA-256 of the script, as a policy names it; a test holds it to the text above. */
export const scriptHash: string = 'sha256-KdxuweUpzOCCGwtNGP4mxio1IJ9edYmfy1Jm6kDiM1Q='
