/**
 * Cells of the paper's tables on a card, some at a time: what `rlvi reproduce --executor cuda --parallel N` does, for a machine that
 * has only Node.js. Writes the same files of cells, which can then be put into the folder of an experiment.
 *
 *   node cells.mjs DATA OUT PARALLEL PRECISION EPOCHS DATASET NOISE:RATE:METHOD:SEED ...
 */
import { cudaExecutor, type Precision } from '@rlvi/nn'
import { type Cell, recordOf, runCell, writeCell } from '@rlvi/paper'
import { loadData } from '@rlvi/vision'

const [folder, out, parallel, precision, epochs, dataset, ...wanted] = process.argv.slice(2)
const cells = wanted.map((text): Cell => {
  const [noise, rate, method, seed] = text.split(':')
  return {
    dataset,
    noise: noise as Cell['noise'],
    rate: Number(rate),
    method: method as Cell['method'],
    seed: Number(seed),
    epochs: Number(epochs),
  }
})
const data = await loadData(folder)
const executor = cudaExecutor({ precision: precision as Precision })
const begun = performance.now()
const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(1)
async function work(): Promise<void> {
  for (let cell = cells.shift(); cell !== undefined; cell = cells.shift()) {
    const started = performance.now()
    try {
      let reported = 0
      const result = await runCell(data, cell, {
        executor,
        onProgress: ({ epoch, step, steps }) => {
          if (step !== steps || epoch < reported + 20) return
          reported = epoch
          console.log(
            `${seconds()} s: ${cell.noise} ${cell.rate} ${cell.method} seed ${cell.seed}: epoch ${epoch}`,
          )
        },
      })
      await writeCell(out, result)
      const { accuracy, cleanKept, corruptCaught, secondsPerEpoch } = recordOf(result)
      const shares =
        cleanKept === null
          ? ''
          : `, kept ${(100 * cleanKept).toFixed(2)}, caught ${(100 * (corruptCaught ?? 0)).toFixed(2)}`
      console.log(
        `${seconds()} s: ${cell.noise} ${cell.rate} ${cell.method} seed ${cell.seed}: ${(100 * accuracy).toFixed(2)}${shares}; ${secondsPerEpoch.toFixed(3)} s an epoch, ${((performance.now() - started) / 1000).toFixed(0)} s in all`,
      )
    } catch (error) {
      console.log(
        `${cell.noise} ${cell.rate} ${cell.method} seed ${cell.seed} FAILED: ${(error as Error).message}`,
      )
    }
  }
}
await Promise.all(Array.from({ length: Number(parallel) }, work))
console.log(`all done after ${seconds()} s`)
process.exit(0)
