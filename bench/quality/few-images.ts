/**
 * Small sets of images, as folders of one's own are: so many digits of each class, some with any other label, audited in three folds by the settings that
 * suit their number. Said beside the level: how many of the wrong labels are among as many first ones.
 *
 *   node bench/dist/quality/few-images.js --runs 3 --seed 31 --only 12,30
 */
import { loadData } from '@rlvi/vision'
import { seeded } from 'rlvi/random'
import { say } from '../measure.js'
import { auditOwn } from './own-images.js'
import { isProgram, runOptions, table } from './program.js'
import { anyOther, someImages } from './some-images.js'

const EACH = [12, 30, 60, 100]
const WRONG = [0, 0.15]

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(1)
  const given = await loadData('mnist')
  const rows: string[][] = []
  for (const each of EACH.filter((each) => only.length === 0 || only.includes(String(each))))
    for (const share of WRONG)
      for (let run = 0; run < runs; run++) {
        const counts = given.classes.map(() => each)
        const { data, wrong } = someImages(
          given,
          counts,
          anyOther(share, counts.length),
          seeded(seed + run, 'few images'),
        )
        const found = await auditOwn(data, seed + run)
        const first = Array.from(found.order.slice(0, wrong.size))
        const hits = first.filter((i) => wrong.has(i)).length
        const truth = `${((100 * wrong.size) / data.train.labels.length).toFixed(1)} %`
        const level = `${(100 * found.level).toFixed(1)} %`
        rows.push([
          String(each),
          String(seed + run),
          truth,
          level,
          share === 0 ? '' : `${hits} of ${wrong.size}`,
        ])
      }
  say('digits of each class, 3 folds')
  table(['digits', 'seed', 'wrong', 'level', 'found'], rows)
}

if (isProgram(import.meta.url)) await main()
