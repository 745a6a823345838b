/**
 * Milliseconds of a training step on the card, by CUDA graph replay: the yardstick is `step.py` on the same card.
 *
 *   node bench/dist/gpu/step.js [profile] [lenet-fp32 ...]
 */
import {
  type CudaProgram,
  cudaEnsemble,
  cudaExecutor,
  lenet,
  type Model,
  type Precision,
  resnet18,
  resnet34,
  weightedStep,
} from '@rlvi/nn'
import { sgd } from '@rlvi/nn/optim'
import { draws } from 'rlvi/random'

interface Task {
  readonly model: Model
  readonly batch: number
  readonly precision: Precision
  readonly steps: number
  /** Networks that are trained as one program. Default 1, by itself. */
  readonly members?: number
}

const profile = process.argv.includes('profile')
const tasks: readonly Task[] = [
  { model: lenet(), batch: 32, precision: 'fp32', steps: 400 },
  { model: lenet(), batch: 32, precision: 'tf32', steps: 400 },
  { model: lenet(), batch: 32, precision: 'bf16', steps: 400 },
  ...[40, 120].flatMap((members): readonly Task[] => [
    { model: lenet(), batch: 32, precision: 'fp32', steps: 100, members },
    { model: lenet(), batch: 32, precision: 'bf16', steps: 100, members },
  ]),
  { model: resnet18(), batch: 128, precision: 'bf16', steps: 100 },
  { model: resnet18(), batch: 128, precision: 'tf32', steps: 50 },
  { model: resnet34({ classes: 100 }), batch: 128, precision: 'bf16', steps: 60 },
]
const wanted = process.argv.slice(2).filter((word) => word !== 'profile')

for (const { model, batch, precision, steps, members } of tasks) {
  const name = `${model.name}-${precision}`
  if (wanted.length > 0 && !wanted.includes(members === undefined ? name : `${name}-x${members}`)) continue
  const random = draws('gpu-step', 1)
  const started = performance.now()
  const executors =
    members === undefined ? [cudaExecutor({ precision })] : cudaEnsemble(members, { precision })
  const programs = await Promise.all(
    executors.map((executor, seed) =>
      executor.compile(
        weightedStep(model, { batch, seed, optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }) }),
      ),
    ),
  )
  const ready = performance.now()
  const size = batch * model.image.reduce((product, length) => product * length, 1)
  await Promise.all(
    programs.map((each) =>
      each.run({
        x: Float32Array.from({ length: size }, () => random.normal()),
        y: Int32Array.from({ length: batch }, () => Math.floor(random.uniform(0, model.classes))),
        w: new Float32Array(batch).fill(1 / batch),
        rate: 0.01,
      }),
    ),
  )
  const program = programs[0] as CudaProgram
  await program.replay(20)
  const rounds: number[] = []
  for (let round = 0; round < 5; round++) rounds.push((await program.replay(steps)) / steps / (members ?? 1))
  rounds.sort((a, b) => a - b)
  console.log(
    `${members === undefined ? '' : `${members} x `}${model.name}, batch ${batch}, ${precision}: ${rounds[2].toFixed(4)} ms a step${members === undefined ? '' : ' of each'} (${rounds[0].toFixed(4)} to ${rounds[4].toFixed(4)}), made ready in ${((ready - started) / 1000).toFixed(1)} s`,
  )
  if (profile) {
    const times = program.profile(7)
    const total = times.reduce((sum, { ms }) => sum + ms, 0)
    const byKind = new Map<string, number>()
    for (const { kind, what, ms } of times) {
      const key = kind === 'convolution' ? `${kind} ${what}` : kind
      byKind.set(key, (byKind.get(key) ?? 0) + ms)
    }
    for (const [kind, ms] of byKind) console.log(`  ${kind.padEnd(24)} ${(1000 * ms).toFixed(0)} us`)
    console.log(`  sum of launches alone    ${(1000 * total).toFixed(0)} us`)
    for (const { kind, layer, what, ms } of [...times].sort((a, b) => b.ms - a.ms).slice(0, 40))
      console.log(`    ${(1000 * ms).toFixed(1).padStart(7)} us ${kind} ${layer} ${what.slice(0, 100)}`)
  }
  for (const each of programs) {
    await each.dispose()
    await each.variables.dispose()
  }
}
