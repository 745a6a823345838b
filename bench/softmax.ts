/** Ten labels and 61 features (scikit-learn's digits): `ml` against scikit-learn at the same penalty, and the robust fit. */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fit, matrix, ml, type SoftmaxParams, softmax } from 'rlvi'
import { ms, say } from './measure.js'
import { readNumbers, runPython } from './yardstick.js'

const CLASSES = 10
const RUNS = 5
/** The penalty that scikit-learn has by default, and the one that `rlvi fit` has. */
const RIDGES = [1, 0.01]

interface Rival {
  readonly rows: number
  readonly cols: number
  readonly fits: ReadonlyArray<{ readonly ms: number; readonly objective: number }>
}

/** Processor time of one thread on both sides: on a busy machine nothing else can be compared. */
function processorTime<T>(body: () => T): { readonly result: T; readonly time: number } {
  const before = process.cpuUsage()
  const result = body()
  const { user, system } = process.cpuUsage(before)
  return { result, time: (user + system) / 1000 }
}

const path = join(tmpdir(), `rlvi-digits-${process.pid}`)
try {
  say('softmax regression of scikit-learn’s digits, ten labels')
  const outcome = runPython<Rival>('softmax.py', ['sklearn'], [path, ...RIDGES.map(String)])
  if (outcome?.kind === 'done') compareWith(outcome.result)
} finally {
  rmSync(path, { force: true })
}

function compareWith({ rows, cols, fits }: Rival): void {
  const numbers = readNumbers(path)
  const x = matrix(rows, cols, numbers.subarray(0, rows * cols))
  const data = { x, y: numbers.subarray(rows * cols) }
  for (const [k, ridge] of RIDGES.entries()) {
    const model = softmax({ classes: CLASSES, ridge })
    const objective = (params: SoftmaxParams): number => {
      const losses = new Float64Array(rows)
      model.losses(data, params, losses)
      const squares = params.coefficients.values.reduce((sum, c) => sum + c * c, 0)
      return losses.reduce((sum, loss) => sum + loss, 0) + (ridge / 2) * squares
    }
    const runs = Array.from({ length: RUNS }, () => processorTime(() => ml(model, data)))
    const time = Math.min(...runs.map((run) => run.time))
    const { params, status } = runs[0]!.result
    const theirs = fits[k]!
    const ratio = time / theirs.ms
    say(
      `  ml, penalty ${ridge}, ${rows} x ${cols}: scikit-learn ${ms(theirs.ms)}, objective ${theirs.objective.toFixed(6)}`,
    )
    say(
      `    ours ${ms(time)}, objective ${objective(params).toFixed(6)}, ${status.kind}: ${ratio.toFixed(2)} times scikit-learn's (wanted: 1.5; ${ratio <= 1.5 ? 'met' : 'NOT met'})`,
    )
  }
  const { result, time } = processorTime(() => fit(softmax({ classes: CLASSES, ridge: 0.01 }), data))
  say(
    `  calibrated: ${ms(time)}, ${result.status.kind} (wanted: under 20 s; ${time < 20_000 ? 'met' : 'NOT met'})`,
  )
}
