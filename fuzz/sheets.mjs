import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { at, file, rows } from './seeds.mjs'

/** A spreadsheet as text, each of its parts behind a line with its path: what is changed in it are cells, styles and relations. */
const MARK = /^@@ (.*)\n/m

/** Packed as it should be, so that a reader gets to what was changed. */
function packed(text) {
  const word = (...values) => Buffer.from(Uint32Array.from(values).buffer)
  const half = (...values) => Buffer.from(Uint16Array.from(values).buffer)
  const parts = text.split(MARK)
  const members = []
  for (let k = 1; k < parts.length; k += 2) {
    const [name, content] = [Buffer.from(parts[k]), Buffer.from(parts[k + 1])]
    const sizes = word(crc32(content), content.length, content.length)
    members.push(
      Buffer.from('PK\x03\x04'),
      half(20, 0, 0, 0, 0),
      sizes,
      half(name.length, 0),
      Buffer.concat([name, content]),
    )
  }
  // Its reader takes the members as they come, and needs of the directory only that it begins.
  return Buffer.concat([...members, Buffer.from('PK\x05\x06'), Buffer.alloc(18)])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const related = (...pairs) =>
  `<Relationships>${pairs.map(([type, target], k) => `<Relationship Id="rId${k + 1}" Type="${relations}/${type}" Target="${target}"/>`).join('')}</Relationships>`

/** Numbers, dates, shared and written texts, truths, formulas, errors, cells that were joined, and gaps. */
export function sheetText() {
  const line = ({ x, c, y }, i) => {
    const r = i + 2
    const cells = [
      `<c r="A${r}"><v>${x}</v></c>`,
      `<c r="B${r}" t="s"><v>${c === 'a' ? 0 : 1}</v></c>`,
      `<c r="C${r}" s="1"><v>${43000 + i + y / 4}</v></c>`,
      `<c r="D${r}" t="b"><v>${y % 2}</v></c>`,
      `<c r="E${r}" t="str"><f>A${r}&amp;"z"</f><v>z</v></c>`,
      i === 3 ? `<c r="F${r}" t="e"><v>#N/A</v></c>` : `<c r="F${r}"><f>A${r}*2</f><v>${2 * x}</v></c>`,
    ]
    return `<row r="${r}">${cells.filter((_, j) => (i + j) % 7 !== 6).join('')}</row>`
  }
  const head = ['x', 'word', 'day', 'yes', 'made', 'y'].map(
    (name, j) => `<c r="${'ABCDEF'[j]}1" t="inlineStr"><is><t>${name}</t></is></c>`,
  )
  const parts = {
    '_rels/.rels': related(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr date1904="0"/><sheets><sheet name="a" sheetId="1" r:id="rId1"/><sheet name="b &lt;" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', '/xl/worksheets/sheet2.xml'],
      ['styles', 'styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}" count="2"><si><t>a</t></si><si><r><t xml:space="preserve"> b</t></r><r><t>&#x1F600;</t></r></si></sst>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${main}"><dimension ref="A1:F13"/><sheetData><row r="1">${head.join('')}</row>${rows.map(line).join('')}</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`,
    'xl/worksheets/sheet2.xml': `<worksheet xmlns="${main}"><sheetData/></worksheet>`,
  }
  return Object.entries(parts)
    .map(([path, content]) => `@@ ${path}\n${content}\n`)
    .join('')
}

let reader
let complaint = ''
function start() {
  const child = fork(new URL('sheet-reader.mjs', import.meta.url), {
    execArgv: ['--max-old-space-size=280'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  complaint = ''
  child.stderr.on('data', (text) => {
    complaint += text
  })
  process.on('exit', () => child.kill('SIGKILL'))
  return child
}

/** Whether this process waits for that one. */
function hold(child, isHeld) {
  for (const one of [child, child.channel, child.stderr]) isHeld ? one?.ref() : one?.unref()
}

/** One process for many spreadsheets, since to start two for each takes most of the time. It may only die of too much memory. */
export function readSheet(bytes) {
  const out = at('sheet.csv')
  rmSync(out, { force: true })
  const path = file('sheet.xlsx', packed(bytes.toString()))
  reader ??= start()
  const child = reader
  hold(child, true)
  return new Promise((resolve, reject) => {
    const settle = (how) => {
      child.off('message', answered)
      child.off('close', died)
      hold(child, false)
      how()
    }
    const answered = () => settle(resolve)
    const died = (code, signal) =>
      settle(() => {
        reader = undefined
        const isFull = /out of memory|invalid (array|table) (size|length)/i.test(complaint)
        if (isFull) resolve()
        else reject(new Error(`the reader of sheets ended, ${signal ?? code}: ${complaint.slice(-300)}`))
      })
    child.on('message', answered)
    child.on('close', died)
    child.send({ file: path, out })
  })
}
