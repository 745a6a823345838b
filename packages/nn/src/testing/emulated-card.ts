import { spawnSync } from 'node:child_process'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./card/card.cpp', import.meta.url))
/** The libraries that a card is driven by are all in one. */
const [card, ...others] = ['libcuda.so.1', 'libnvrtc.so.13', 'libcublasLt.so.13', 'libcudnn.so.9']

/** A folder with the libraries of a card that the processor plays; none where there is no compiler for it. */
export function emulatedCard(): string | undefined {
  if (process.platform !== 'linux' || spawnSync('g++', ['--version']).status !== 0) {
    const rule = 'tests on an emulated card: no g++ was found (Linux); install it'
    // Where everything must be tested (.ci/run says so), a test that cannot run is a failure.
    if (process.env.RLVI_REQUIRE_EMULATED_CARD === '1') throw new Error(rule)
    console.warn(`${rule}. They are skipped.`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-card-'))
  const options = ['-std=c++17', '-O1', '-Wall', '-Werror', '-shared', '-fPIC']
  const made = spawnSync('g++', [...options, '-o', join(folder, card), source], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  for (const name of others) symlinkSync(card, join(folder, name))
  return folder
}
