import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceExecutor } from '../executors/reference/reference.js'
import { miniResNet } from '../testing/mini-resnet.js'
import { evaluation } from './graphs.js'
import { readSafetensors, type StoredTensor, writeSafetensors } from './safetensors.js'
import { loadWeights, modelWeights } from './weights.js'

/** A file from a header and the bytes after it, by the format's description. */
function file(header: string, data: readonly number[] = []): Uint8Array {
  const text = new TextEncoder().encode(header)
  const out = new Uint8Array(8 + text.length + data.length)
  new DataView(out.buffer).setBigUint64(0, BigInt(text.length), true)
  out.set(text, 8)
  out.set(data, 8 + text.length)
  return out
}

describe('safetensors', () => {
  it('reads every type, and numbers that are not aligned in the file', () => {
    const header = `{"h":{"dtype":"F16","shape":[3],"data_offsets":[0,6]},
      "b":{"dtype":"BF16","shape":[1],"data_offsets":[6,8]},"s":{"dtype":"F32","shape":[],"data_offsets":[8,12]},
      "d":{"dtype":"F64","shape":[1],"data_offsets":[12,20]},"l":{"dtype":"I64","shape":[1],"data_offsets":[20,28]},
      "__metadata__":{"format":"pt"}}`
    // 1, -2 and the smallest subnormal half; 1.5; 1; 2; -1.
    const halves = [0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00]
    const rest = [0xc0, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40, ...Array(8).fill(0xff)]
    for (const pad of [0, 1, 2, 3]) {
      const { tensors, metadata } = readSafetensors(file(header + ' '.repeat(pad), [...halves, ...rest]))
      expect([...tensors.get('h')!.values]).toEqual([1, -2, 2 ** -24])
      expect([...tensors.get('b')!.values]).toEqual([1.5])
      expect([...tensors.get('s')!.values]).toEqual([1])
      expect([...tensors.get('d')!.values]).toEqual([2])
      expect([...tensors.get('l')!.values]).toEqual([-1n])
      expect(metadata).toEqual({ format: 'pt' })
    }
  })

  it('gives back what was written', () => {
    const values = fc.oneof(
      fc.float32Array({ maxLength: 9 }),
      fc.float64Array({ maxLength: 9 }),
      fc.int32Array({ maxLength: 9 }),
      fc.bigInt64Array({ maxLength: 9 }),
    )
    const texts = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 })
    const name = fc.oneof({ weight: 9, arbitrary: fc.string() }, fc.constant('__proto__'))
    const named = fc.uniqueArray(fc.tuple(name, values), { selector: ([name]) => name, maxLength: 5 })
    fc.assert(
      fc.property(named, texts, (list, metadata) => {
        const tensors = new Map<string, StoredTensor>(
          list
            .filter(([name]) => name !== '__metadata__')
            .map(([name, numbers]) => [name, { shape: [1, numbers.length], values: numbers }]),
        )
        const again = readSafetensors(writeSafetensors(tensors, metadata))
        expect(new Map([...again.tensors].sort())).toEqual(new Map([...tensors].sort()))
        expect({ ...again.metadata }).toEqual({ ...metadata })
      }),
    )
  })

  const one = (dtype: string, shape: string, offsets: string): string =>
    `{"w":{"dtype":${dtype},"shape":${shape},"data_offsets":${offsets}}}`
  it.each([
    ['too short', new Uint8Array(7), 'must have at least 8 bytes, got 7'],
    [
      'a header beyond the file',
      file('{}').fill(0xff, 0, 8),
      'the header must fit into the file of 10 bytes',
    ],
    ['no JSON', file('{"w"'), 'the header must be JSON'],
    ['a list', file('[]'), 'the header must be a JSON object'],
    ['an unknown type', file(one('"F8"', '[1]', '[0,1]'), [1]), '"w": the type must be one of F64'],
    ['an inherited type', file(one('"toString"', '[1]', '[0,1]'), [1]), '"w": the type must be one of F64'],
    [
      'a negative length',
      file(one('"F32"', '[-1]', '[0,4]'), [0, 0, 0, 0]),
      '"w": the shape must list whole numbers',
    ],
    [
      'an end before the start',
      file(one('"F32"', '[0]', '[4,0]'), [0, 0, 0, 0]),
      '"w": must lie inside the file',
    ],
    [
      'a tensor beyond the file',
      file(one('"F32"', '[2]', '[0,8]'), [0, 0, 0, 0]),
      '"w": must lie inside the file',
    ],
    ['a wrong size', file(one('"F32"', '[2]', '[0,4]'), [0, 0, 0, 0]), '"w": F32 [2] takes 8 bytes, got 4'],
    ['a gap', file(one('"F32"', '[1]', '[1,5]'), [0, 0, 0, 0, 0]), 'without gaps (at byte 0), got 1'],
    ['bytes left over', file('{}', [1]), 'the tensors must fill the file of 11 bytes, got 10'],
    [
      'a name that would clear a terminal, unless quoted',
      file('{"\\u001b[2J":1}'),
      '"\\u001b[2J": must be described',
    ],
    ['metadata that is no text', file('{"__metadata__":{"a":1}}'), 'the metadata must be texts'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readSafetensors(bytes)).toThrow(message)
  })

  it('never reads a damaged file as something else without an error, or at all', () => {
    const good = writeSafetensors(new Map([['w', { shape: [2], values: new Float32Array([1, 2]) }]]))
    fc.assert(
      fc.property(fc.nat(good.length - 9), (cut) => {
        expect(() => readSafetensors(good.slice(0, good.length - 1 - cut))).toThrow('safetensors: ')
      }),
    )
  })
})

describe('weights of a model', () => {
  const compile = (seedless = miniResNet()) => referenceExecutor().compile(evaluation(seedless, 2))

  it('come back by name into another program, but for a fresh head', async () => {
    const from = await compile()
    await from.variables.write('b1.bn1.running_mean', new Float32Array(16).fill(3))
    await from.variables.write('linear.bias', new Float32Array(10).fill(5))
    const stored = readSafetensors(writeSafetensors(await modelWeights(from))).tensors
    const to = await compile()
    const before = await to.variables.read('linear.bias')
    const unused = await loadWeights(to, stored, { fresh: (name) => name.startsWith('linear.') })
    expect(unused).toEqual(['linear.weight', 'linear.bias'])
    expect([...(await to.variables.read('b1.bn1.running_mean'))]).toEqual(Array(16).fill(3))
    expect(await to.variables.read('linear.bias')).toEqual(before)
  })

  it('are refused as a whole when one does not fit', async () => {
    const to = await compile()
    const stored = new Map(await modelWeights(to))
    stored.set('stem.weight', { shape: [8, 3, 3, 3], values: new Float32Array(216).fill(7) })
    stored.set('linear.bias', { shape: [9], values: new Float32Array(9) })
    const before = await to.variables.read('stem.weight')
    await expect(loadWeights(to, stored)).rejects.toThrow('linear.bias: must be [10], got "[9]"')
    stored.set('linear.bias', { shape: [10], values: new Float32Array(10).fill(Number.NaN) })
    await expect(loadWeights(to, stored)).rejects.toThrow('linear.bias: must hold finite numbers')
    stored.delete('linear.bias')
    await expect(loadWeights(to, stored)).rejects.toThrow('weights: the file must have linear.bias [10]')
    expect(await to.variables.read('stem.weight')).toEqual(before)
  })
})
