import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { runJson, testFolder } from '../testing/run.js'

const folder = testFolder()

test('an audit of a table says which labels are taken for which, on its page with nothing to break out', async () => {
  const random = draws('habits', 5)
  const kinds = ['oak', '<b>ash</b>', 'elm']
  const lines = Array.from({ length: 120 }, (_, i) => {
    const c = i % 3
    // Three in ten ashes are called elms.
    const label = kinds[c === 1 && i % 10 < 3 ? 2 : c]
    return `${4 * c + random.normal()},${(c === 1 ? 4 : 0) + random.normal()},${label}`
  })
  const [file, report] = [join(folder.path, 'trees.csv'), join(folder.path, 'report.html')]
  writeFileSync(file, `place,width,label\n${lines.join('\n')}\n`)
  const { habits } = await runJson('audit', file, '--target', 'label', '--folds', '2', '--report', report)
  expect(habits[0]).toMatchObject({ truth: '<b>ash</b>', label: 'elm' })
  const html = readFileSync(report, 'utf8')
  expect(html).toContain('labelled as')
  expect(html).toContain('&lt;b&gt;ash&lt;/b&gt;')
  expect(html).not.toContain('<b>ash')
})
