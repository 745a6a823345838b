/**
 * Several command lines of `rlvi` at a time, each on a thread of one process: one process fills a card, where several would take
 * turns on it.
 *
 *   node together.mjs OUT 'train cifar10n:worst --executor cuda --json' 'audit cifar10 --split test --executor cuda' ...
 *
 * What the k-th prints lies in OUT/k.txt, its remarks in OUT/k.log. Arguments are parted by blanks; there is no quoting.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { main } from '@rlvi/cli'

async function together(out: string, lines: readonly string[]): Promise<void> {
  mkdirSync(out, { recursive: true })
  const begun = performance.now()
  const one = (line: string, k: number): Promise<void> =>
    new Promise((resolve) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: line, stdout: true, stderr: true })
      worker.stdout.pipe(createWriteStream(join(out, `${k + 1}.txt`)))
      worker.stderr.pipe(createWriteStream(join(out, `${k + 1}.log`)))
      const end = (how: string): void => {
        console.log(
          `${k + 1}: rlvi ${line}: ${how} after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
        )
        resolve()
      }
      worker.once('error', (error) => end(error.message))
      worker.once('exit', (status) => end(`exit ${status}`))
    })
  await Promise.all(lines.map(one))
}

if (isMainThread) {
  const [out, ...lines] = process.argv.slice(2)
  if (out === undefined || lines.length === 0) throw new Error("usage: node together.mjs OUT 'COMMAND …' …")
  await together(out, lines)
} else {
  process.exitCode = await main((workerData as string).split(' '))
}
