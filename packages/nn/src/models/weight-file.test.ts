import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referenceExecutor } from '../executors/reference/reference.js'
import { float32, type OnnxTensor } from '../onnx/schema.js'
import { writeOnnx } from '../onnx/write.js'
import { miniResNet } from '../testing/mini-resnet.js'
import { evaluation } from './graphs.js'
import { writeSafetensors } from './safetensors.js'
import { readWeightFile } from './weight-file.js'
import { loadWeights, modelWeights } from './weights.js'

describe('weight files', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rlvi-weights-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each(['safetensors', 'onnx'])('put the same weights into a model: .%s', async (kind) => {
    const from = await referenceExecutor().compile(evaluation(miniResNet(), 1))
    await from.variables.write('linear.bias', new Float32Array(10).fill(4))
    const weights = await modelWeights(from)
    const path = join(folder, `model.${kind}`)
    await writeFile(path, kind === 'onnx' ? onnxWith(weights) : writeSafetensors(weights))
    const to = await referenceExecutor().compile(evaluation(miniResNet(), 1))
    const unused = await loadWeights(to, await readWeightFile(path))
    expect(unused).toEqual(kind === 'onnx' ? ['-1'] : [])
    expect(new Map([...(await modelWeights(to))].sort())).toEqual(new Map([...weights].sort()))
  })

  it('are refused with their name when they cannot be read', async () => {
    await expect(readWeightFile(join(folder, 'none.onnx'))).rejects.toThrow(
      'weights: the file must be readable',
    )
    await expect(readWeightFile('weights.bin')).rejects.toThrow('must be a .safetensors or .onnx file')
    const broken = join(folder, 'broken.safetensors')
    await writeFile(broken, 'no')
    await expect(readWeightFile(broken)).rejects.toThrow(
      'broken.safetensors": must have at least 8 bytes, got 2',
    )
  })
})

/** A model that adds up all its weights, so that each of them is used. */
function onnxWith(weights: Awaited<ReturnType<typeof modelWeights>>): Uint8Array {
  const names = [...weights.keys()]
  const flat = names.map((name) => ({
    op: 'Reshape',
    inputs: [name, '-1'],
    outputs: [`${name}/flat`],
    attributes: {},
  }))
  const initializers = new Map<string, OnnxTensor>(
    [...weights].map(([name, { shape, values }]) => [name, float32(shape, values as Float32Array)]),
  )
  initializers.set('-1', { type: 'int64', dims: [1], data: BigInt64Array.from([-1n]) })
  const size = [...weights.values()].reduce((total, { values }) => total + values.length, 0)
  const all = {
    op: 'Concat',
    inputs: names.map((name) => `${name}/flat`),
    outputs: ['all'],
    attributes: { axis: { kind: 'int', value: 0 } as const },
  }
  const outputs = [{ name: 'all', type: 'float32', shape: [size] } as const]
  return writeOnnx({
    graph: { name: 'weights', inputs: [], outputs, nodes: [...flat, all], initializers },
    opset: 17,
  })
}
