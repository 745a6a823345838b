import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bytes, type Member, tarGz, testFolder, write } from '../testing.js'
import { safeName, unpack } from './tar.js'

const folder = testFolder()
let count = 0

/** Packs members, unpacks what is asked for into a folder of its own. */
async function roundTrip(members: readonly Member[], wanted: (name: string) => boolean = () => true) {
  const archive = write(join(folder, `a${++count}.tgz`), tarGz(members))
  const out = join(folder, `out${count}`)
  const names = await unpack(archive, (name) => (wanted(name) ? join(out, name) : undefined))
  return { names, read: (name: string) => readFileSync(join(out, name)), out }
}

describe('unpack', () => {
  it('gives back the bytes, of any size', async () => {
    const members = [0, 1, 511, 512, 513, 200_000].map((n) => ({
      name: `package/data/${n}`,
      content: bytes(n, 't', n),
    }))
    const { names, read } = await roundTrip(members)
    expect(names).toEqual(members.map(({ name }) => name))
    for (const { name, content } of members) expect(Buffer.compare(read(name), content)).toBe(0)
  })

  it('takes what is wanted and leaves folders and links', async () => {
    const { names, out } = await roundTrip(
      [
        { name: 'a/', type: '5' },
        { name: 'a/link', type: '2' },
        { name: 'a/hard', type: '1' },
        { name: './a//x.bin', content: 'x' },
        { name: 'a/y.txt', content: 'y' },
      ],
      (name) => !name.endsWith('.txt'),
    )
    expect(names).toEqual(['a/x.bin'])
    expect(readdirSync(join(out, 'a'))).toEqual(['x.bin'])
  })

  it('reads long names of both kinds', async () => {
    const long = `${'deep/'.repeat(30)}file.txt`
    const record = ` path=${long}\n`
    const { names, read } = await roundTrip([
      { name: 'pax', type: 'x', content: `${record.length + 3}${record}` },
      { name: 'cut', content: 'one' },
      { name: 'short', content: 'two' },
      { name: '././@LongLink', type: 'L', content: `${long}2\0` },
      { name: 'cut', content: 'three' },
    ])
    expect(names).toEqual([long, 'short', `${long}2`])
    expect(read(`${long}2`).toString()).toBe('three')
  })

  it.each(['../evil', 'a/../../evil', '/etc/evil', 'C:/evil', 'a\\..\\evil', '..'])(
    'refuses %s',
    async (name) => {
      await expect(roundTrip([{ name, content: 'evil' }])).rejects.toThrow('do not unpack this archive')
      expect(existsSync(join(folder, 'evil'))).toBe(false)
      // Nor as a long name.
      await expect(
        roundTrip([
          { name: 'L', type: 'L', content: name },
          { name: 'x', content: 'evil' },
        ]),
      ).rejects.toThrow('do not unpack this archive')
    },
  )

  it('keeps names that only look odd', () => {
    expect(safeName('', './a/..b/c..')).toBe('a/..b/c..')
    expect(() => safeName('', 'a\0b')).toThrow()
    expect(() => safeName('', '')).toThrow()
  })

  const good = tarGz([{ name: 'a', content: bytes(5000, 'good') }])
  const cut = (content: Uint8Array, n: number) => content.subarray(0, n)
  it.each([
    ['a cut gzip', cut(good, good.length >> 1)],
    ['a cut tar', gzipSync(cut(gunzipSync(good), 2000))],
    ['no gzip', gunzipSync(good)],
    ['no tar', gzipSync(bytes(5000, 'noise'))],
    ['a size that is none', tarGz([{ name: 'a', size: '?' }])],
    ['a size below zero', tarGz([{ name: 'a', size: `${'\xff'.repeat(10)}\xfe\x00` }])],
    ['a wrong sum', gzipSync(gunzipSync(good).map((byte, i) => (i === 3 ? byte ^ 1 : byte)))],
  ])('refuses %s', async (name, content) => {
    const archive = write(join(folder, `bad ${name}.tgz`), content)
    await expect(unpack(archive, () => join(folder, `bad ${name}`))).rejects.toThrow(
      /^.*bad .*\.tgz: .*; get it again: it is damaged or was cut off$/,
    )
  })

  it('refuses a name that comes twice', async () => {
    await expect(
      roundTrip([
        { name: 'a', content: '1' },
        { name: 'a', content: '2' },
      ]),
    ).rejects.toThrow('each file must come once, got a again; do not unpack this archive')
  })

  it('refuses a long name without end', async () => {
    const endless = { name: 'pax', type: 'x', content: new Uint8Array(17 * 1024 * 1024) } as const
    await expect(roundTrip([endless, { name: 'a', content: '1' }])).rejects.toThrow(
      /more than \d+ bytes between two files; get it again/,
    )
    // A file may be as long.
    const { names } = await roundTrip([{ name: 'a', content: endless.content }])
    expect(names).toEqual(['a'])
  })

  it('tells an archive that is not there from a file that cannot be written', async () => {
    const none = join(folder, 'none.tgz')
    await expect(unpack(none, () => undefined)).rejects.toThrow(
      `${none}: could not be read, got no such file or folder; check the path`,
    )
    const archive = write(join(folder, 'one.tgz'), tarGz([{ name: 'a', content: bytes(200_000, 'one') }]))
    await expect(unpack(archive, () => join(archive, 'in', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})
