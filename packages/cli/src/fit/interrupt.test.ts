import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { normals, testFolder } from '../testing/run.js'
import { rlviBin } from '../testing/stream.js'

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a fit, and leaves nothing half-written',
  async (signal) => {
    const folder = testFolder()
    const z = normals(3)
    const names = Array.from({ length: 20 }, (_, j) => `x${j}`)
    const rows = Array.from({ length: 8000 }, (_, i) => [
      ...names.map(() => z()),
      ['a', 'b', 'c', 'd'][i % 4],
    ])
    const path = folder.csv('data.csv', [[...names, 'kind'], ...rows])
    const files = ['--rows', 'rows.csv', '--good', 'good.csv', '--save', 'model.json'].map((word) =>
      word.startsWith('--') ? word : join(folder.path, word),
    )
    const child = spawn(process.execPath, [rlviBin, 'fit', path, '--target', 'kind', ...files], {
      stdio: 'ignore',
    })
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_, by) => resolve(by)))
    // Whoever is not heard presses again.
    const pressing = setInterval(() => child.kill(signal), 700)
    // At once: the fit alone takes many times as long.
    expect(await ended).toBe(signal)
    clearInterval(pressing)
    expect(readdirSync(folder.path)).toEqual(['data.csv'])
  },
)
