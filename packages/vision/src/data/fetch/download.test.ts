import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadData } from '../load.js'
import { dataSetInfo } from '../sets/catalogue.js'
import type { DataSetInfo } from '../sets/info.js'
import { filesOf, sha256, tarGz, testFolder, writeCifar100, writeMnist } from '../testing.js'
import { fetchData } from './fetch.js'

const folder = testFolder()
let made = 0
const place = (name: string) => join(folder, `${name}${++made}`)

describe('from an address', () => {
  const files = filesOf(writeCifar100(place('hundred'), 20, 10))
  const packed = tarGz(
    Object.entries(files).map(([name, content]) => ({ name: `cifar-100-binary/${name}`, content })),
  )

  async function serve(listener: RequestListener, use: (base: string) => Promise<void>): Promise<void> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  const hundred = (base: string): DataSetInfo => ({
    ...dataSetInfo('cifar100'),
    samples: [20, 10],
    source: {
      kind: 'archive',
      address: `${base}cifar-100-binary.tar.gz`,
      bytes: packed.length,
      sha256: sha256(packed),
    },
    files: [{ name: 'train.bin' }, { name: 'test.bin' }, { name: 'fine_label_names.txt', optional: true }],
  })

  it('gets an archive, with progress', async () => {
    const cache = place('cache')
    const seen: number[] = []
    await serve(
      (_, response) => void response.end(packed),
      async (base) => {
        const onProgress = (done: number, total: number) => seen.push(done / total)
        const { verified, source } = await fetchData(hundred(base), { cache, onProgress })
        expect([verified, source]).toEqual(['sha256', `${base}cifar-100-binary.tar.gz`])
      },
    )
    expect(seen.at(-1)).toBe(1)
    const { test, classes } = await loadData('cifar80no', { cache })
    expect(classes.length).toBe(80)
    // Of the labels 0, 3, … 27 all are known classes.
    expect(test?.labels.length).toBe(10)
  })

  it.each<[string, RequestListener, RegExp]>([
    [
      'another file',
      (_, r) => void r.end(Buffer.from(packed).reverse()),
      /the file with SHA-256 \w+ is needed/,
    ],
    ['a longer file', (_, r) => void r.end(Buffer.concat([packed, packed])), /bytes are needed, got more/],
    [
      'a shorter file',
      (_, r) => void r.end(packed.subarray(0, 1000)),
      /bytes are needed, got 1000; the download was/,
    ],
    [
      'a connection that breaks',
      (_, r) => {
        r.setHeader('content-length', packed.length)
        r.write(packed.subarray(0, 1000), () => r.destroy())
      },
      /could not be downloaded, got .*check the network/,
    ],
    [
      'no such file',
      (_, r) => void r.writeHead(404).end(),
      /the server must have the file, got 404 Not Found/,
    ],
  ])('%s is told, and leaves nothing', async (_name, listener, message) => {
    const cache = place('cache')
    await serve(listener, async (base) => {
      await expect(fetchData(hundred(base), { cache })).rejects.toThrow(message)
    })
    expect(readdirSync(join(cache, 'data'))).toEqual([])
  })

  it('says when nobody answers', async () => {
    const cache = place('cache')
    await expect(fetchData(hundred('http://127.0.0.1:9/'), { cache })).rejects.toThrow(
      'could not be downloaded, got ',
    )
    expect(readdirSync(join(cache, 'data'))).toEqual([])
  })

  it('gets gzipped files, and keeps them unpacked', async () => {
    const plain = filesOf(writeMnist(place('mnist'), 20, 10))
    const names = [
      'train-images-idx3-ubyte',
      'train-labels-idx1-ubyte',
      't10k-images-idx3-ubyte',
      't10k-labels-idx1-ubyte',
    ]
    const gz = Object.fromEntries(
      names.map((name) => [`${name}.gz`, plain[`${name}.gz`] ?? gzipSync(plain[name])]),
    )
    const packedFiles = Object.entries(gz).map(([name, content]) => ({
      name,
      bytes: content.length,
      sha256: sha256(content),
    }))
    const cache = place('cache')
    await serve(
      (request, response) => void response.end(gz[request.url!.slice(1)]),
      async (base) => {
        const source = { kind: 'files', base, packed: packedFiles } as const
        const info = {
          ...dataSetInfo('fashion-mnist'),
          samples: [20, 10],
          source,
          files: names.map((name) => ({ name })),
        } as const
        const { folder: home } = await fetchData(info, { cache })
        expect(readdirSync(home).sort()).toEqual([...names, 'rlvi.json'].sort())
      },
    )
    const { train } = await loadData('fashion-mnist', { cache })
    expect([train.name, train.classes[9], train.labels.length]).toEqual(['fashion-mnist', 'Ankle boot', 20])
  })
})
