import { describe, expect, it } from 'vitest'
import { weightedStep } from '../../../models/graphs.js'
import { lenet } from '../../../models/lenet.js'
import { sgd } from '../../../optim/sgd.js'
import { held, idleDevice } from '../../../testing/idle-card.js'
import { forMembers } from '../source/kernel.js'
import { ensembleOf } from './ensemble.js'

const step = (batch: number, seed: number) =>
  weightedStep(lenet(), { batch, seed, optimizer: sgd({ momentum: 0.9 }) })
const feeds = (batch: number) => ({
  x: new Float32Array(batch * 784),
  y: new Int32Array(batch),
  w: new Float32Array(batch),
  rate: 0.1,
})

/** An ensemble on a card that does nothing, with the launches that were asked of it. */
function idleEnsemble(count: number) {
  const things = held()
  const launches: (readonly number[])[] = []
  const device = idleDevice(things)
  const { driver } = device
  const watched = {
    ...device,
    driver: new Proxy(driver, {
      get:
        (_, name: string) =>
        (...given: never[]) => {
          if (name === 'cuGraphLaunch') launches.push(given)
          return (driver as unknown as Record<string, (...all: never[]) => unknown>)[name](...given)
        },
    }),
  }
  return { things, launches, members: ensembleOf(count, async () => watched) }
}
const left = (all: ReadonlyMap<string, ReadonlySet<number>>): string[] =>
  [...all].filter(([, some]) => some.size > 0).map(([kind]) => kind)

describe('an ensemble', () => {
  it('does one launch for the steps of all members, and frees all when the last is gone', async () => {
    const { things, launches, members } = idleEnsemble(3)
    const programs = await Promise.all(members.map((member, seed) => member.compile(step(2, seed))))
    const [one, two] = programs.slice(0, 2).map((program) => program.runMany([feeds(2), feeds(2)]))
    expect(launches.length).toBe(0)
    const all = await Promise.all([one, two, programs[2].runMany([feeds(2), feeds(2)])])
    expect(launches.length).toBe(2)
    expect(all.map((results) => results.map(({ losses }) => losses.length))).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
    ])
    for (const program of programs) {
      await program.dispose()
      await program.variables.dispose()
    }
    expect(left(things.all)).toEqual([])
  })

  it('does not wait for a member that has left', async () => {
    const { launches, members } = idleEnsemble(3)
    const programs = await Promise.all(members.map((member, seed) => member.compile(step(2, seed))))
    const running = programs.slice(0, 2).map((program) => program.run(feeds(2)))
    expect(launches.length).toBe(0)
    members[2].leave()
    await Promise.all(running)
    expect(launches.length).toBe(1)
  })

  it('says so where members take different steps, or a step is wrong, which concerns its member only', async () => {
    const { members } = idleEnsemble(2)
    const [one, two] = await Promise.all(members.map((member, seed) => member.compile(step(2, seed))))
    await expect(one.runMany([{ ...feeds(2), y: new Int32Array(3) }])).rejects.toThrow('feed y')
    const results = await Promise.allSettled([one.runMany([feeds(2)]), two.runMany([feeds(2), feeds(2)])])
    for (const result of results)
      expect(String((result as PromiseRejectedResult).reason)).toContain(
        'must take the same steps, got "2 and 1"; train them one by one',
      )
    const images = () => ({
      pixels: new Uint8Array(784),
      image: [1, 28, 28] as const,
      values: new Float32Array(256),
    })
    const { x: _, ...others } = feeds(2)
    const stored = () => ({ x: { images: images(), samples: new Int32Array(2) }, feeds: others })
    const apart = await Promise.allSettled([one.runStored!([stored()]), two.runStored!([stored()])])
    expect(String((apart[0] as PromiseRejectedResult).reason)).toContain('the same images')
  })
})

it('a kernel for all members moves each pointer to its member, and constants stay', () => {
  const text = 'extern "C" __global__ void KERNEL(float* p0, const float* p1) {\np0[0] = p1[0];\n}'
  expect(
    forMembers(text, [
      ['p0', 64],
      ['p1', 0],
    ]),
  ).toBe(
    'extern "C" __global__ void KERNEL(float* p0, const float* p1) {\np0 += blockIdx.z * 64ull;\np0[0] = p1[0];\n}',
  )
})
