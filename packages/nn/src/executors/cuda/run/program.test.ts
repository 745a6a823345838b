import { describe, expect, it } from 'vitest'
import { weightedStep } from '../../../models/graphs.js'
import { sgd } from '../../../optim/sgd.js'
import { type Held, held, idleDevice } from '../../../testing/idle-card.js'
import { miniResNet } from '../../../testing/mini-resnet.js'
import { compileProgram } from './program.js'
import { CudaVariables } from './variables.js'

const graph = weightedStep(miniResNet(), { batch: 3, optimizer: sgd({ momentum: 0.9 }) })
const feeds = { x: new Float32Array(3 * 432), y: new Int32Array(3), w: new Float32Array(3), rate: 0.1 }
const left = ({ all }: Held): string[] => [...all].filter(([, some]) => some.size > 0).map(([kind]) => kind)

describe('a program', () => {
  it('frees all that it took, after runs on values and on stored images', async () => {
    const things = held()
    const device = idleDevice(things)
    const variables = new CudaVariables()
    variables.declare(graph, device)
    const program = compileProgram(device, graph, variables)
    const { x, ...others } = feeds
    expect((await program.runMany([feeds, feeds])).map(({ losses }) => losses.length)).toEqual([3, 3])
    const images = { pixels: new Uint8Array(432), image: [3, 12, 12] as const, values: new Float32Array(768) }
    const stored = { x: { images, samples: new Int32Array(3) }, feeds: others }
    expect((await program.runStored!([stored])).length).toBe(1)
    await expect(
      program.runStored!([{ ...stored, x: { images, samples: new Int32Array([0, 1, 0]) } }]),
    ).rejects.toThrow('feed x: images must be from 0 to 0, got 1')
    expect(x.length).toBe(1296)
    await program.dispose()
    await variables.dispose()
    expect(left(things)).toEqual([])
  })

  it('frees all that it took when compiling fails half way', () => {
    for (const call of ['cuGraphInstantiateWithFlags', 'cuLaunchKernel', 'cuMemcpyHtoD_v2']) {
      const things = held()
      const variables = new CudaVariables()
      variables.declare(graph, idleDevice(things))
      const before = things.all.get('memory')?.size
      const failing = idleDevice(things, (name) => name === call)
      expect(() => compileProgram(failing, graph, variables)).toThrow(`${call} failed`)
      expect(things.all.get('memory')?.size).toBe(before)
      expect(left(things).filter((kind) => kind !== 'memory')).toEqual([])
    }
  })
})
