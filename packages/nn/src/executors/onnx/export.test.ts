import { describe, expect, it } from 'vitest'
import { evaluation } from '../../models/graphs.js'
import { lenet } from '../../models/lenet.js'
import type { Model } from '../../models/model.js'
import type { StoredTensor } from '../../models/safetensors.js'
import { loadWeights, modelWeights } from '../../models/weights.js'
import { readOnnx } from '../../onnx/read.js'
import { writeOnnx } from '../../onnx/write.js'
import { miniResNet } from '../../testing/mini-resnet.js'
import { validate } from '../../testing/onnx-checker/validate.js'
import { TestRandom } from '../../testing/random.js'
import { referenceExecutor } from '../reference/reference.js'
import { onnxClassifier } from './classifier.js'
import { exportOnnx, onnxWeights } from './export.js'

const digits = Array.from({ length: 10 }, (_, i) => `digit ${i}`)

function infoFor(model: Model) {
  const mean = Array.from({ length: model.image[0] }, () => 0.5)
  return { classes: digits.slice(0, model.classes), normalisation: { mean, sd: mean } }
}

/** Statistics that are not those of a new network, so that forgetting them shows. */
async function moved(model: Model): Promise<ReadonlyMap<string, StoredTensor>> {
  const program = await referenceExecutor().compile(evaluation(model, 1))
  const random = new TestRandom(2)
  const weights = await modelWeights(program)
  return new Map(
    [...weights].map(([name, { shape, values }]) => [
      name,
      {
        shape,
        values: Float32Array.from(Array.from(values, Number), (value) => value + random.uniform(0, 0.5)),
      },
    ]),
  )
}

describe('export', () => {
  for (const model of [lenet(), miniResNet()]) {
    it(`gives a ${model.name} that agrees with the reference for every batch size`, async () => {
      const weights = await moved(model)
      const file = exportOnnx(model, weights, infoFor(model))
      validate(readOnnx(file))
      const classifier = await onnxClassifier(file)
      expect(classifier.info).toEqual({ network: model.name, image: model.image, ...infoFor(model) })
      for (const batch of [1, 5]) {
        const oracle = await referenceExecutor().compile(evaluation(model, batch))
        await loadWeights(oracle, onnxWeights(file))
        const size = batch * model.image.reduce((product, length) => product * length, 1)
        const x = Float32Array.from(new TestRandom(batch).uniforms(size, -1, 1))
        const { probabilities } = await oracle.run({ x })
        const got = await classifier.probabilities(x)
        expect(got).toHaveLength(probabilities.length)
        for (const [i, p] of probabilities.entries()) expect(Math.abs(got[i] - p)).toBeLessThan(1e-5)
      }
      await classifier.dispose()
    })
  }

  it('uses standard operators only and nothing of the training', async () => {
    const model = miniResNet()
    const { graph } = readOnnx(exportOnnx(model, await moved(model), infoFor(model)))
    expect(graph.nodes.map(({ domain }) => domain).filter((domain) => domain !== '')).toEqual([])
    expect(graph.inputs.map(({ name, shape }) => [name, shape[0]])).toEqual([['images', 'batch']])
    expect(graph.outputs.map(({ name }) => name)).toEqual(['logits', 'probabilities'])
    expect([...graph.initializers.keys()]).toEqual(expect.arrayContaining([...(await moved(model)).keys()]))
  })

  it('says what is missing or does not fit', async () => {
    const model = lenet()
    const weights = await moved(model)
    const info = infoFor(model)
    expect(() => exportOnnx(model, new Map(), info)).toThrow('needs the weights conv1.weight [6, 1, 5, 5]')
    expect(() => exportOnnx(model, weights, { ...info, classes: ['a'] })).toThrow('needs 10 names of classes')
    const dropping = lenet({ dropout: 0.25, dropoutAlways: true })
    expect(() => exportOnnx(dropping, weights, info)).toThrow('must not drop out in evaluation')
    const file = exportOnnx(model, weights, info)
    const classifier = await onnxClassifier(file)
    await expect(classifier.probabilities(new Float32Array(3))).rejects.toThrow('needs 784 numbers per image')
    await classifier.dispose()
    const { metadata: _, ...bare } = readOnnx(file)
    await expect(onnxClassifier(writeOnnx(bare))).rejects.toThrow('must describe the network')
    for (const bad of [
      '{',
      'null',
      '{"network":"x","image":[1,2]}',
      '{"network":"x","image":[1,2,3],"classes":[1]}',
    ]) {
      await expect(onnxClassifier(writeOnnx({ ...bare, metadata: { rlvi: bad } }))).rejects.toThrow(
        'metadata',
      )
    }
  })

  it.each([9, 11])('with %i names for 10 outputs is refused, not read a class too far', async (names) => {
    const model = lenet()
    const file = exportOnnx(model, await moved(model), infoFor(model))
    const read = readOnnx(file)
    const info = JSON.parse(read.metadata!.rlvi)
    const classes = Array.from({ length: names }, (_, i) => `digit ${i}`)
    const other = writeOnnx({ ...read, metadata: { rlvi: JSON.stringify({ ...info, classes }) } })
    const classifier = await onnxClassifier(other)
    await expect(classifier.probabilities(new Float32Array(2 * 28 * 28))).rejects.toThrow(
      `onnx file: the ${names} classes of the metadata must be the network's outputs, got outputs of 2 x 10`,
    )
    await classifier.dispose()
  })

  it('whose outputs are no probabilities is refused, and suggests nothing', async () => {
    const model = lenet()
    const file = exportOnnx(model, await moved(model), infoFor(model))
    const classifier = await onnxClassifier(file)
    // As a normalisation that divides by next to nothing makes them.
    const images = new Float32Array(2 * 28 * 28).fill(Number.POSITIVE_INFINITY, 28 * 28)
    await expect(classifier.probabilities(images)).rejects.toThrow(
      'onnx file: outputs of 0 to 1 that sum to 1 are needed for image 2, got NaN, NaN, NaN, …',
    )
    await classifier.dispose()
  })

  it('with one name for two classes is refused', async () => {
    const model = lenet()
    const read = readOnnx(exportOnnx(model, await moved(model), infoFor(model)))
    const info = JSON.parse(read.metadata!.rlvi)
    const classes = info.classes.with(9, info.classes[0])
    const other = writeOnnx({ ...read, metadata: { rlvi: JSON.stringify({ ...info, classes }) } })
    await expect(onnxClassifier(other)).rejects.toThrow(
      `onnx file, metadata: classes must have names of their own, got ${JSON.stringify(info.classes[0])}`,
    )
  })

  it('that ONNX Runtime cannot run is refused in words', async () => {
    const model = lenet()
    const read = readOnnx(exportOnnx(model, await moved(model), infoFor(model)))
    const nodes = read.graph.nodes.map((node, i) => (i === 1 ? { ...node, op: 'NoSuchOperator' } : node))
    await expect(onnxClassifier(writeOnnx({ ...read, graph: { ...read.graph, nodes } }))).rejects.toThrow(
      /^onnx file: a network that ONNX Runtime can run is needed, got /,
    )
  })
})
