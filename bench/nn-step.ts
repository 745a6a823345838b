/** A network's training step against PyTorch's, in turns, so that a busy moment of the machine hits both alike. */
import { loadavg } from 'node:os'
import { type Model, onnxExecutor, weightedStep } from '@rlvi/nn'
import { sgd } from '@rlvi/nn/optim'
import { draws } from 'rlvi/random'
import { ms, say } from './measure.js'
import { runPython } from './yardstick.js'

interface Yardstick {
  /** Milliseconds of wall clock and of processor time of a step. */
  readonly wall: number
  readonly cpu: number
  readonly peak_gb: number
  readonly parameters: number
}

export interface StepBenchmark {
  readonly model: Model
  readonly batch: number
  readonly weightDecay: number
  /** Steps in a round, and rounds. */
  readonly steps: number
  readonly rounds: number
  /** Our time over PyTorch's must be at most this. */
  readonly wanted: number
  /** Gigabytes that our process may take. */
  readonly memory?: number
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]

export async function compareSteps(benchmark: StepBenchmark): Promise<void> {
  const { model, batch, steps, rounds, wanted, memory } = benchmark
  const optimizer = sgd({ momentum: 0.9, weightDecay: benchmark.weightDecay })
  const graph = weightedStep(model, { batch, optimizer })
  const threads = process.argv[2]
  const program = await onnxExecutor(threads ? { threads: Number(threads) } : {}).compile(graph)
  const random = draws('nn-step', 1)
  const size = batch * model.image.reduce((product, length) => product * length, 1)
  const feeds = Array.from({ length: steps }, () => ({
    x: Float32Array.from({ length: size }, () => random.normal()),
    y: Int32Array.from({ length: batch }, () => Math.floor(random.uniform(0, model.classes))),
    w: Float32Array.from({ length: batch }, () => random.uniform(0, 1 / batch)),
    rate: 0.01,
  }))
  say(`${model.name}, batch ${batch}: one training step (SGD, per-sample weights and losses)`)
  if (loadavg()[0] > 1)
    say(`  the machine is busy (load ${loadavg()[0].toFixed(1)}): trust processor time only`)
  await program.runMany(feeds)
  const ours: { wall: number; cpu: number }[] = []
  const theirs: Yardstick[] = []
  for (let round = 0; round < rounds; round++) {
    const run = runPython<Yardstick>(
      'nn-step.py',
      ['torch'],
      [model.name, `${batch}`, `${steps}`, threads ?? '2'],
    )
    if (run?.kind !== 'done') return
    theirs.push(run.result)
    const [start, before] = [performance.now(), process.cpuUsage()]
    await program.runMany(feeds)
    const wall = (performance.now() - start) / steps
    const { user, system } = process.cpuUsage(before)
    ours.push({ wall, cpu: (user + system) / 1000 / steps })
    const { wall: other, cpu } = run.result
    say(`  PyTorch ${ms(other)} (${ms(cpu)} of processor time), ours ${ms(wall)} (${ms(ours[round].cpu)})`)
  }
  await program.dispose()
  const summary = (name: string, of: (values: readonly number[]) => number, key: 'wall' | 'cpu'): number => {
    const [mine, other] = [of(ours.map((time) => time[key])), of(theirs.map((time) => time[key]))]
    say(
      `  ${name}: ${ms(mine)} against ${ms(other)}: ours takes ${(mine / other).toFixed(2)} times PyTorch's`,
    )
    return mine / other
  }
  const best = summary('shortest round', (values) => Math.min(...values), 'wall')
  summary('median round', median, 'wall')
  summary('processor time, least', (values) => Math.min(...values), 'cpu')
  say(`  wanted: at most ${wanted}; ${best <= wanted ? 'met' : 'NOT met'}`)
  const peak = process.resourceUsage().maxRSS / 1e6
  const limit = memory === undefined ? '' : ` (wanted: under ${memory}; ${peak < memory ? 'met' : 'NOT met'})`
  say(`  peak memory ${peak.toFixed(2)} GB${limit}, PyTorch's ${theirs[0].peak_gb.toFixed(2)} GB`)
}
