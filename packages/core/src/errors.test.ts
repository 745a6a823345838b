import { expect, test } from 'vitest'
import { inFile, phrase, RlviError, show, showList } from './errors.js'

function nested(depth: number): unknown {
  return JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
}

test('a value is shown short, whatever it is', () => {
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`name ${i}`, 'x'.repeat(1000)]))
  const many = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => wide))
  for (const value of ['x'.repeat(1e6), nested(100_000), wide, many, 10n ** 5000n, { a: { b: { c: many } } }])
    expect(show(value).length).toBeLessThan(2100)
  expect(show(nested(100_000))).toBe('[[[…]]]')
  expect(show({ a: 1, b: 'two', c: [true, null] })).toBe('{"a":1,"b":"two","c":[true, null]}')
})

test('nothing of a value is called: what a file says must not end the program', () => {
  expect(show(JSON.parse('{"toString":1}'))).toBe('{"toString":1}')
  expect(show(JSON.parse('{"toJSON":1,"valueOf":2}'))).toBe('{"toJSON":1,"valueOf":2}')
  expect(show(JSON.parse('{"__proto__":{"toString":3}}'))).toBe('{"__proto__":{"toString":3}}')
  expect(show(Object.create(null))).toBe('{}')
})

test('a text is not cut within a sign', () => {
  expect(show('😀'.repeat(100))).toBe(`"${'😀'.repeat(30)}…"`)
  expect(show(`a${'😀'.repeat(100)}`)).toBe(`"a${'😀'.repeat(29)}…"`)
})

test('lists and whole messages have an end', () => {
  expect(showList(['a', 'b'])).toBe('"a", "b"')
  const labels = Array.from({ length: 1000 }, (_, i) => i)
  expect(showList(labels)).toBe(`${labels.slice(0, 20).join(', ')} and 980 more`)
  expect(new RlviError('x'.repeat(1e6), 'r', phrase('y'.repeat(1e6)), 'z').message.length).toBeLessThan(
    21_000,
  )
})

test('an error of a reader of bytes names the file, and what in it', () => {
  const said = (where: string): string =>
    String(inFile('a/net.onnx', 'onnx file', new RlviError(where, 'must be whole', 3, 'write it again')))
  expect(said('onnx file')).toBe('RlviError: a/net.onnx: must be whole, got 3; write it again')
  expect(said('onnx file, tensor w')).toBe(
    'RlviError: a/net.onnx, tensor w: must be whole, got 3; write it again',
  )
  expect(said('photos')).toBe('RlviError: photos: must be whole, got 3; write it again')
  const other = new TypeError('a fault of ours')
  expect(inFile('a/net.onnx', 'onnx file', other)).toBe(other)
})
