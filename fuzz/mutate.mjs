/** Random numbers by a seed (xorshift with a mixed start): the same seed and case give the same bytes everywhere. */
export function generator(...key) {
  let state = 2166136261
  for (const sign of JSON.stringify(key)) state = Math.imul(state ^ sign.charCodeAt(0), 16777619)
  state = state >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
  for (let k = 0; k < 8; k++) next()
  /** A whole number below n. */
  return (n) => next() % n
}

const words = [
  '',
  '0',
  '-1',
  '1e999',
  '-0',
  'NaN',
  'null',
  'true',
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r\n',
  '\0',
  '\ufeff',
  '{}',
  '[]',
  '[[[[',
  ']]]]',
].concat([
  '\u202e',
  '\u001b[2J',
  '=1+1',
  '__proto__',
  'toString',
  'constructor',
  '../../x',
  '9'.repeat(400),
  'é',
  '\ud83d\ude00',
])
const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

/** A case: a seed, or two of them spliced, with one to a few changes. */
export function mutate(seeds, random) {
  let bytes = Buffer.from(seeds[random(seeds.length)])
  if (random(8) === 0) {
    const other = seeds[random(seeds.length)]
    bytes = Buffer.concat([
      bytes.subarray(0, random(bytes.length + 1)),
      other.subarray(random(other.length + 1)),
    ])
  }
  for (let k = 1 + random(4); k > 0; k--) bytes = changed(bytes, random)
  return bytes
}

function changed(bytes, random) {
  const at = random(bytes.length + 1)
  const length = Math.min(bytes.length - at, 1 + random(random(4) === 0 ? 400 : 8))
  const put = (piece, over = 0) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(Math.min(bytes.length, at + over))])
  switch (random(9)) {
    case 0:
      return put(Buffer.from([random(256)]), 1)
    case 1:
      return at < bytes.length ? put(Buffer.from([bytes[at] ^ (1 << random(8))]), 1) : bytes
    case 2:
      return put(Buffer.alloc(0), length)
    case 3:
      return put(Buffer.from(words[random(words.length)]), random(2) * length)
    case 4: {
      const wide = Buffer.alloc(8)
      const number = numbers[random(numbers.length)]
      if (random(2) === 0) wide.writeUInt32LE(number)
      else wide.writeUInt32BE(number)
      const size = [1, 2, 4, 8][random(4)]
      return put(wide.subarray(0, size), size)
    }
    case 5:
      return put(Buffer.concat(Array.from({ length: 1 + random(20) }, () => bytes.subarray(at, at + length))))
    case 6:
      return bytes.subarray(0, at)
    case 7: {
      const to = random(bytes.length + 1)
      const piece = bytes.subarray(at, at + length)
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)])
    }
    default:
      return put(Buffer.alloc(1 + random(30), random(256)))
  }
}
