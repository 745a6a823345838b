import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutComment } from '../scripts/doc-comments.mjs'
import { importGraph } from '../scripts/import-graph.mjs'
import { packageFiles } from '../scripts/package-files.mjs'
import { type Project, packedProject, root } from './packed.js'

let project: Project
beforeAll(() => {
  project = packedProject()
})
afterAll(() => project.remove())

describe('the packages as they lie here', () => {
  it('import each other only as planned, by their entries, in no circle', () => {
    expect(importGraph().problems).toEqual([])
  })

  it('have a doc comment on every public export', () => {
    expect(withoutComment()).toEqual([])
  })

  it('have the same metadata and a README and a licence each', () => {
    expect(packageFiles()).toEqual([])
  })
})

describe('the packages as they would be published', () => {
  it('hold no test, no notes of the compiler and no import of a test runner', () => {
    for (const { name, folder, files } of project.packages) {
      const odd = files.filter((file) =>
        /\.tsbuildinfo$|\.test\.|\.laws\.|(^|\/)testing[./]|golden/.test(file),
      )
      expect([name, odd]).toEqual([name, []])
      const importing = files
        .filter((file) => /\.(js|ts)$/.test(file))
        .filter((file) => /from '(vitest|fast-check)'/.test(readFileSync(join(folder, file), 'utf8')))
      expect([name, importing]).toEqual([name, []])
    }
  })

  it('carry the sources that their maps lead to, a README and the licence', () => {
    for (const { name, folder, files } of project.packages) {
      const known = new Set(files)
      expect([name, ['README.md', 'LICENSE'].filter((file) => !known.has(file))]).toEqual([name, []])
      for (const map of files.filter((file) => file.endsWith('.js.map'))) {
        const { sources } = JSON.parse(readFileSync(join(folder, map), 'utf8')) as { sources: string[] }
        const lost = sources.map((source) => join(map, '..', source)).filter((source) => !known.has(source))
        expect([name, lost]).toEqual([name, []])
      }
    }
  })

  it('pass publint', async () => {
    for (const { name, folder } of project.packages) {
      const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true })
      expect([name, messages.map((message) => formatMessage(message, pkg))]).toEqual([name, []])
    }
  })

  it('have types that every kind of resolution for ESM finds', () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    for (const { tarball } of project.packages)
      execFileSync(process.execPath, [attw, tarball, '--profile', 'esm-only', '--quiet'])
  })
})

describe('in an empty project', () => {
  it('compile under strict and nodenext, and run in plain Node', () => {
    const { folder } = project
    cpSync(join(root, 'integration/consumer.ts'), join(folder, 'consumer.ts'))
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'dir')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const options = { strict: true, module: 'nodenext', target: 'es2023', types: ['node'], outDir: 'out' }
    const config = { compilerOptions: { ...options, skipLibCheck: false }, files: ['consumer.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
      stdio: 'inherit',
    })
    const printed = execFileSync(process.execPath, ['out/consumer.js'], { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual({ slope: expect.closeTo(2, 6), flagged: 1, classes: ['a', 'b'] })
  })

  it("the command fits a file, and says what it takes to have the paper's experiments", () => {
    const rlvi = join(project.folder, 'node_modules/@rlvi/cli/bin/rlvi.js')
    const run = (...argv: string[]) =>
      spawnSync(process.execPath, [rlvi, ...argv], { cwd: project.folder, encoding: 'utf8' })
    const fit = run('fit', join(root, 'examples/data/stars.csv'), '--target', 'log_light', '--json')
    expect([fit.status, JSON.parse(fit.stdout).rows]).toEqual([0, 47])
    const { status, stderr } = run('reproduce', 'mean')
    expect(stderr).toMatch(
      /^rlvi reproduce: the paper's experiments are needed, got no @rlvi\/paper; get rlvi's/,
    )
    expect(status).toBe(1)
  })
})
