import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as rlvi from './index.js'
import * as laws from './laws/index.js'
import * as random from './random/index.js'

const exported = { ...rlvi, ...laws, ...random }

/** The code of each `@example` in a source, by the name of what it belongs to. */
function examplesOf(file: string): [string, string][] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const comments = text.matchAll(/@example\n([\s\S]*?)\*\/\nexport function\*? (\w+)/g)
  return Array.from(comments, ([, code, name]) => [name, code.replaceAll(/^ \* ?/gm, '')])
}

describe('the examples in doc comments run', () => {
  const files = readdirSync(new URL('.', import.meta.url), { encoding: 'utf8', recursive: true }).filter(
    (file) => file.endsWith('.ts'),
  )
  const examples = files.flatMap(examplesOf)
  it.each(examples)('%s', (_, code) => {
    const run = new Function(...Object.keys(exported), code)
    expect(() => run(...Object.values(exported))).not.toThrow()
  })

  it('the main functions have one', () => {
    const main = 'fit paper ml huber sever rrm linear logistic softmax poisson mean covariance pca fromRows'
    expect(examples.map(([name]) => name)).toEqual(expect.arrayContaining(main.split(' ')))
  })
})
