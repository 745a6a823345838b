import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import ort from 'onnxruntime-node'
import { RlviError } from 'rlvi'
import { describe, expect, it } from 'vitest'
import { small } from '../testing/small-onnx.js'
import { bytes, message, putBytes, putInt, putMessage, putText } from './protobuf.js'
import { readOnnx } from './read.js'
import { float, int, int64, ints, type OnnxNode, subgraph, text } from './schema.js'
import { writeOnnx } from './write.js'

const quiet = { logSeverityLevel: 3 } as const

describe('the ONNX format', () => {
  it('gives a file that ONNX Runtime runs, with any batch size', async () => {
    const session = await ort.InferenceSession.create(writeOnnx(small()), quiet)
    const x = new ort.Tensor('float32', [1, 1, 2, 0], [2, 2])
    const { y } = await session.run({ x })
    expect(Array.from(y.data as Float32Array)).toEqual([1.5, 0, 6, 1, 0, 5.5])
    await session.release()
  })

  it('has room for the graphs of large networks', () => {
    // More pieces and more numbers than a call can have arguments.
    const chain = Array.from(
      { length: 30_000 },
      (_, i): OnnxNode => ({
        op: 'Relu',
        inputs: [i === 0 ? 'x' : `h${i}`],
        outputs: [i === 29_999 ? 'y' : `h${i + 1}`],
      }),
    )
    const outputs = [{ name: 'y', type: 'float32', shape: ['batch', 2] } as const]
    expect(readOnnx(writeOnnx(small(chain, { outputs }))).graph.nodes).toHaveLength(30_000)
    const tensor = message()
    putInt(tensor, 1, 200_000)
    putInt(tensor, 2, 1)
    putBytes(tensor, 4, new Uint8Array(new Float32Array(200_000).fill(0.5).buffer))
    putText(tensor, 8, 'listed')
    const graph = message()
    putMessage(graph, 5, tensor)
    const model = message()
    putMessage(model, 7, graph)
    expect(readOnnx(bytes(model)).graph.initializers.get('listed')?.data[199_999]).toBe(0.5)
  })

  it('reads what it writes', () => {
    const model = small()
    const read = readOnnx(writeOnnx(model))
    const domains = (nodes: readonly OnnxNode[]) =>
      nodes.map((node) => ({ domain: '', attributes: {}, ...node }))
    expect(read).toEqual({ ...model, graph: { ...model.graph, nodes: domains(model.graph.nodes) } })
  })

  it('keeps attributes of every kind, numbers of every size, and graphs in graphs', () => {
    const whole = fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 })
    const single = fc.float({ noNaN: true })
    fc.assert(
      fc.property(whole, single, fc.string(), fc.array(whole), fc.array(single), (i, f, s, list, reals) => {
        const attributes = {
          i: int(i),
          f: float(f),
          s: text(s),
          list: ints(list),
          reals: { kind: 'floats', value: reals },
          tensor: { kind: 'tensor', value: int64([list.length], list) },
          inner: subgraph({ ...small().graph, nodes: [], outputs: [], initializers: new Map() }),
        } as const
        const node: OnnxNode = { op: 'Relu', domain: '', inputs: ['x'], outputs: ['y'], attributes }
        const outputs = [{ name: 'y', type: 'float32', shape: ['batch', 2] }] as const
        const read = readOnnx(writeOnnx(small([node], { outputs })))
        expect(read.graph.nodes).toEqual([node])
      }),
    )
  })

  it('reads a file that another program wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlvi-onnx-'))
    try {
      const path = join(folder, 'model.onnx')
      const options = { optimizedModelFilePath: path, graphOptimizationLevel: 'disabled', ...quiet } as const
      await (await ort.InferenceSession.create(writeOnnx(small()), options)).release()
      const read = readOnnx(readFileSync(path))
      expect(read.graph.initializers.get('w')).toEqual(small().graph.initializers.get('w'))
      expect(read.graph.nodes.map(({ op }) => op)).toEqual(['Gemm', 'Relu'])
      expect(read.graph.inputs).toEqual(small().graph.inputs)
      expect(read.metadata).toEqual(small().metadata)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('says so when a file is cut short or is something else', () => {
    const file = writeOnnx(small())
    for (let length = 0; length < file.length; length++) {
      try {
        const { graph } = readOnnx(file.subarray(0, length))
        // Cut between two parts the rest is a file of its own: only what follows the graph may be missing.
        expect(graph.nodes).toHaveLength(2)
      } catch (error) {
        expect(error).toBeInstanceOf(RlviError)
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readOnnx(bytes)).toThrow(RlviError)
      }),
    )
  })
})
