/**
 * What driving a card takes the processor: LeNets that learn MNIST as a few programs on a card that does nothing, so that all of the time is
 * ours: shuffles, inputs, launches, losses, E-steps, validation and test. With a third number the card takes so many microseconds for a
 * training step of each network, and what it waits for is seen. Needs g++ (Linux); the card is not real, so that any machine will do.
 *
 *   npx rlvi data fetch mnist
 *   node bench/dist/gpu/host.js [PROGRAMSxNETWORKS] [epochs] [microseconds]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cudaEnsemble, lenet, openTraining } from '@rlvi/nn'
import { bare, type Method, posterior, rlvi, standard } from '@rlvi/nn/methods'
import { constantRate, sgd } from '@rlvi/nn/optim'
import { dataSplits, loadData } from '@rlvi/vision'
import koffi from 'koffi'
import { say } from '../measure.js'

const [parallel = '4x10', epochs = '5', step = '0'] = process.argv.slice(2)
const [programs, networks] = parallel.split('x').map(Number)
const BATCH = 32
const source = fileURLToPath(new URL('../../../packages/nn/src/testing/card/card.cpp', import.meta.url))

/** A folder with the libraries of a card that does nothing, for as long as it is told. */
function idleCard(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-idle-card-'))
  const [card, ...others] = ['libcuda.so.1', 'libnvrtc.so.13', 'libcublasLt.so.13', 'libcudnn.so.9']
  const options = [
    '-std=c++17',
    '-O2',
    `-DIDLE=${networks * Number(step)}`,
    '-shared',
    '-fPIC',
    '-o',
    join(folder, card),
  ]
  const made = spawnSync('g++', [...options, source], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr || String(made.error))
  for (const name of others) symlinkSync(card, join(folder, name))
  return folder
}

const data = await loadData('mnist')
const folder = idleCard()
/** Microseconds that the card was busy since this was asked last; with 1, other networks come now. */
const busy = koffi.load(join(folder, 'libcuda.so.1')).func('card_busy', 'double', ['int'])

/** Microseconds for each network and step, those of the first epoch, which compiles, left out. */
interface Taken {
  readonly all: number
  /** What the card was busy for. */
  readonly card: number
}

async function timesOf(method: Method): Promise<Taken> {
  const members = Array.from({ length: programs }, () =>
    cudaEnsemble(networks, { precision: 'fp32', libraries: [folder] }),
  ).flat()
  let steps = 0
  let begun = 0
  busy(1)
  await Promise.all(
    members.map(async (executor, seed) => {
      const noise = { type: 'pairflip', rate: 0.45 } as const
      const { training, validation, test, close } = dataSplits(data, { batch: BATCH, seed, noise })
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
      for await (const { epoch } of run.epochs()) {
        if (epoch > 1) steps += Math.ceil(training.samples / BATCH)
        else {
          begun = performance.now()
          busy(0)
        }
      }
      await run.dispose()
      executor.leave()
      await close()
    }),
  )
  return { all: (1000 * (performance.now() - begun)) / steps, card: busy(0) / steps }
}

try {
  // What is compiled for this card is for no other.
  process.env.RLVI_CACHE = folder
  const what = Number(step) === 0 ? "the processor's time" : `with a card that takes ${step} µs, the time`
  say(`${parallel} LeNets, batch ${BATCH}, on MNIST: ${what} for each network and step`)
  for (const method of [standard(), bare(), rlvi(), posterior()]) {
    const { all, card } = await timesOf(method)
    const share = card > 0 ? `; the card is busy for ${((100 * card) / all).toFixed(0)} % of it` : ''
    say(`  ${method.name.padEnd(10)}${all.toFixed(1)} µs${share}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
