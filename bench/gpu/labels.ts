/**
 * The noisy labels and the held-out images of cells, for a trainer that is not ours: a byte for each training image's given label, then
 * a byte that is 1 where the image is held out for validation. Prints what each class is mistaken for most often: instance noise has
 * other habits with every seed.
 *
 *   node bench/dist/gpu/labels.js DATA OUT NOISE:RATE:SEED ...
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataSplits, loadData, type NoiseType } from '@rlvi/vision'
import { say } from '../measure.js'

const [folder, out, ...wanted] = process.argv.slice(2)
if (wanted.length === 0) throw new Error('usage: node labels.js DATA OUT NOISE:RATE:SEED ...')
mkdirSync(out, { recursive: true })
const data = await loadData(folder)
for (const cell of wanted) {
  const [noise, rate, seed] = cell.split(':')
  const options = { batch: 1, seed: Number(seed), noise: { type: noise as NoiseType, rate: Number(rate) } }
  const splits = dataSplits(data, options)
  const { given, corrupt } = splits.labels
  const held = new Uint8Array(given.length)
  for (const image of splits.indices.validation) held[image] = 1
  writeFileSync(join(out, `${noise}-${rate}-${seed}.labels`), Buffer.concat([Uint8Array.from(given), held]))
  const wrong = corrupt.reduce((sum, each) => sum + each, 0)
  say(`${cell}: ${given.length} images, ${wrong} wrong labels, ${splits.indices.validation.length} held out`)
  say(`  ${data.classes.map((name, k) => `${name}: ${likeliest(data.train.labels, given, k)}`).join(', ')}`)
  await splits.close()
}

/** The wrong name that images of a class have most often, and how many of them. */
function likeliest(truth: ArrayLike<number>, given: ArrayLike<number>, k: number): string {
  const counts = data.classes.map(() => 0)
  for (let i = 0; i < given.length; i++) if (truth[i] === k) counts[given[i]]++
  const all = counts.reduce((sum, count) => sum + count, 0)
  const most = Math.max(...counts.filter((_, y) => y !== k))
  return `${data.classes[counts.findIndex((count, y) => y !== k && count === most)]} ${Math.round((100 * most) / all)} %`
}
