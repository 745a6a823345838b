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

it('says what is missing and what to do, and hides control characters of names', () => {
  const text = toText({
    devices: [],
    libraries: [{ name: 'driver', problem: 'the library cuda is needed; install the driver\u001b[31m' }],
  })
  expect(text).toContain(
    'no NVIDIA card found\ndriver    missing: the library cuda is needed; install the driver',
  )
  expect(text).not.toContain('\u001b')
  expect(text).toContain('not ready for --executor cuda')
})
