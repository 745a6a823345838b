import { generator, mutate } from './mutate.mjs'
import { ours, targets } from './targets.mjs'

/** The process in which cases run: it may crash, hang or eat memory, which its parent sees. */
const MOST_MEMORY = 1.5e9
const SHRINKS = 300

const outcome = async (run, bytes) => {
  try {
    await run(bytes)
  } catch (error) {
    try {
      ours(error)
    } catch {
      return error instanceof Error
        ? `${error.name}: ${error.message.split('\n')[0].slice(0, 200)}`
        : String(error)
    }
  }
  if (process.memoryUsage.rss() > MOST_MEMORY) return `more than ${MOST_MEMORY} bytes of memory`
  return undefined
}

/** What is left when nothing more can be taken away: the kind of failure must stay. */
async function shrunk(run, bytes, failure) {
  const kind = failure.split(/["\d]/)[0]
  let tries = 0
  for (
    let size = Math.ceil(bytes.length / 2);
    size >= 1 && tries < SHRINKS;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let from = 0; from < bytes.length && tries < SHRINKS; tries++) {
      const less = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + size)])
      // The parent counts the time of a case, not that of making it small.
      process.send({ shrinking: true })
      const now = await outcome(run, less)
      if (now?.startsWith(kind)) bytes = less
      else from += size
    }
  return bytes
}

process.on('message', async ({ name, seed, from, count }) => {
  const { seeds: make, run } = targets[name]
  const seeds = await make()
  for (let number = from; number < from + count; number++) {
    process.send({ begins: number })
    const bytes = mutate(seeds, generator(seed, name, number))
    const failure = await outcome(run, bytes)
    if (failure !== undefined) {
      process.send({ failure, number, bytes: (await shrunk(run, bytes, failure)).toString('base64') })
    }
  }
  process.send({ done: true })
})
