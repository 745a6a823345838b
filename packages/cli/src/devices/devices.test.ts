import { expect, it } from 'vitest'
import { toText } from './command.js'

it('lists cards and libraries, and says when all is there', () => {
  const text = toText({
    devices: [{ number: 0, name: 'NVIDIA X', capability: '9.0', bytes: 80e9 }],
    libraries: [{ name: 'cudnn', path: '/lib/libcudnn.so.9', version: '9.1.0' }],
  })
  expect(text).toBe(
    'cuda 0: NVIDIA X, 80.0 GB, capability 9.0\ncudnn     9.1.0  /lib/libcudnn.so.9\nready: --executor cuda\n',
  )
})

it('says which precision a card from before the 16 bits takes', () => {
  const old = { number: 0, name: 'T', capability: '7.5', bytes: 16e9 }
  expect(toText({ devices: [old], libraries: [] })).toContain(
    'ready: --executor cuda --precision fp32 (bf16 needs capability 8.0)',
  )
  expect(toText({ devices: [old, { ...old, capability: '12.0' }], libraries: [] })).toMatch(/cuda\n$/)
})

it('says what is missing and what to do, and hides control characters of names', () => {
  const text = toText({
    devices: [],
    libraries: [{ name: 'driver', problem: 'the library cuda is needed; install the driver\u001b[31m' }],
  })
  expect(text).toContain(
    'no NVIDIA card found\ndriver    problem: the library cuda is needed; install the driver',
  )
  expect(text).not.toContain('\u001b')
  expect(text).toContain('not ready for --executor cuda')
})
