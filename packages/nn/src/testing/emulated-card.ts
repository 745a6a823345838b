import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./card/card.cpp', import.meta.url))
/** The libraries that a card is driven by are all in one. */
const [card, ...others] = ['libcuda.so.1', 'libnvrtc.so.13', 'libcublasLt.so.13', 'libcudnn.so.9']

/** A folder with the libraries of a card that the processor plays; none where that cannot be. */
export function emulatedCard(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-card-'))
  const options = ['-std=c++17', '-O2', '-shared', '-fPIC']
  const made = spawnSync('g++', [...options, '-o', join(folder, card), source], { encoding: 'utf8' })
  if (made.status === 0) {
    for (const name of others) symlinkSync(card, join(folder, name))
    return folder
  }
  rmSync(folder, { recursive: true })
  const rule = `tests on an emulated card need Linux with g++: ${made.error?.message ?? made.stderr}`
  // Where everything must be tested (.ci/run says so), a test that cannot run is a failure.
  if (process.env.RLVI_REQUIRE_EMULATED_CARD === '1') throw new Error(rule)
  console.warn(`${rule}. They are skipped.`)
  return undefined
}
