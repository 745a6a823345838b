/**
 * What driving a card takes the processor: LeNets that learn MNIST as one program on a card that does nothing, so that all of the time is
 * ours: shuffles, inputs, launches, losses, E-steps, validation and test. Needs g++ (Linux); the card is not real, so that any machine will do.
 *
 *   npx rlvi data fetch mnist
 *   node bench/dist/gpu/host.js [networks] [epochs]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cudaEnsemble, lenet, openTraining } from '@rlvi/nn'
import { bare, type Method, rlvi, standard } from '@rlvi/nn/methods'
import { constantRate, sgd } from '@rlvi/nn/optim'
import { dataSplits, loadData } from '@rlvi/vision'
import { say } from '../measure.js'

const [networks = '40', epochs = '5'] = process.argv.slice(2)
const BATCH = 32
const source = fileURLToPath(new URL('../../../packages/nn/src/testing/card/card.cpp', import.meta.url))

/** A folder with the libraries of a card that does nothing. */
function idleCard(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-idle-card-'))
  const [card, ...others] = ['libcuda.so.1', 'libnvrtc.so.13', 'libcublasLt.so.13', 'libcudnn.so.9']
  const options = ['-std=c++17', '-O2', '-DIDLE', '-shared', '-fPIC', '-o', join(folder, card)]
  const made = spawnSync('g++', [...options, source], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr || String(made.error))
  for (const name of others) symlinkSync(card, join(folder, name))
  return folder
}

const data = await loadData('mnist')
const folder = idleCard()

/** Microseconds for each network and step: the least of the epochs, the first of which compiles. */
async function microseconds(method: Method): Promise<number> {
  const members = cudaEnsemble(Number(networks), { precision: 'fp32', libraries: [folder] })
  let steps = 0
  const ends: number[] = []
  await Promise.all(
    members.map(async (executor, seed) => {
      const noise = { type: 'pairflip', rate: 0.45 } as const
      const { training, validation, test, close } = dataSplits(data, { batch: BATCH, seed, noise })
      steps = Math.ceil(training.samples / BATCH)
      const run = await openTraining({
        model: lenet(),
        method,
        executor,
        data: training,
        validation,
        test: test!,
        epochs: Number(epochs),
        optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }),
        schedule: constantRate(0.01),
        seed,
      })
      for await (const { epoch } of run.epochs()) ends[epoch] = performance.now()
      await run.dispose()
      executor.leave()
      await close()
    }),
  )
  const taken = ends.slice(2).map((end, k) => end - ends[k + 1])
  return (1000 * Math.min(...taken)) / (steps * members.length)
}

try {
  // What is compiled for this card is for no other.
  process.env.RLVI_CACHE = folder
  say(
    `${networks} LeNets as one program, batch ${BATCH}, on MNIST: the processor's time for each network and step`,
  )
  for (const method of [standard(), bare(), rlvi()])
    say(`  ${method.name.padEnd(10)}${(await microseconds(method)).toFixed(1)} µs`)
} finally {
  rmSync(folder, { recursive: true })
}
