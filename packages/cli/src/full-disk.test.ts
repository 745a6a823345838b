import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { quickly, writeShades } from './testing/images.js'
import { run, testFolder } from './testing/run.js'
import { ndjson, rlviBin, streamRows } from './testing/stream.js'

// A real file system with room for a few pages of 4 KiB, mounted where only the command sees it. That takes the superuser, or a
// kernel that lets others have a space of mounts of their own.
const alone = ['--user', '--map-root-user', '--mount']
const mounts = spawnSync('unshare', [...alone, 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/mnt'])
const can = mounts.status === 0
if (!can) console.warn('skipped: no small file system can be mounted here to be filled')

const folder = testFolder()
const rows = streamRows(1500, 4).map(({ x1, x2, z }) => [x1, x2, z])
const table = folder.csv('rows.csv', [['x1', 'x2', 'z'], ...rows])
const fit = ['fit', table, '--target', 'z', '--model', 'linear', '--method', 'ml']

interface Ended {
  readonly status: number
  readonly err: string
  /** What is on the small disk then. */
  readonly left: Readonly<Record<string, string>>
}

/** Runs a command with a disk of so many KiB. */
function onDisk(kib: number, before: Readonly<Record<string, string>>, command: string[]): Ended {
  return eachOnDisk(kib, before, command)[0]!
}

/** Runs commands one after the other with a disk of so many KiB at `disk`, which then has more room for each of the others. */
function eachOnDisk(kib: number, before: Readonly<Record<string, string>>, ...commands: string[][]): Ended[] {
  const place = mkdtempSync(join(folder.path, 'case-'))
  const [disk, old] = ['disk', 'old'].map((name) => join(place, name)) as [string, string]
  const after = commands.map((_, k) => join(place, `after-${k}`))
  for (const path of [disk, old, ...after]) mkdirSync(path)
  for (const [name, text] of Object.entries(before))
    folder.file(join(old, name).slice(folder.path.length), text)
  const quoted = (argv: readonly string[]): string =>
    argv.map((word) => `'${word.replace('DISK', disk).replaceAll("'", "'\\''")}'`).join(' ')
  const script = `
    mount -t tmpfs -o size=${kib}k tmpfs ${disk} || exit 99
    cp ${old}/* ${disk} 2>/dev/null
    ${commands
      .map(
        (argv, k) => `${quoted([process.execPath, rlviBin, ...argv])} >/dev/null 2>${place}/err-${k}
          echo $? >${place}/status-${k}
          cp -a ${disk}/. ${after[k]}`,
      )
      .join(`\nmount -o remount,size=16m ${disk}\n`)}`
  const { status, stderr } = spawnSync('unshare', [...alone, 'sh', '-c', script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return commands.map((_, k) => {
    const left = readdirSync(after[k]!, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'latin1')])
    const of = (what: string): string => readFileSync(join(place, `${what}-${k}`), 'utf8')
    return { status: Number(of('status')), err: of('err'), left: Object.fromEntries(left) }
  })
}

describe.runIf(can)('on a disk that is too small', () => {
  test.each([
    ['--rows', 'judged.csv'],
    ['--rows', 'judged.parquet'],
    ['--good', 'good.csv'],
    ['--report', 'report.html'],
  ])('%s %s is as it was before', (flag, name) => {
    const { status, err, left } = onDisk(16, { [name]: 'old' }, [...fit, flag, `DISK/${name}`])
    expect(err).toMatch(
      new RegExp(
        `${name}: could not be written, got the disk is full; the file before is still there: nothing was changed`,
      ),
    )
    expect({ status, left }).toEqual({ status: 1, left: { [name]: 'old' } })
  })

  test('rows of a table that does not fit into memory are as they were before', () => {
    const many = folder.csv('many.csv', [
      ['x', 'z'],
      ...Array.from({ length: 61_000 }, (_, i) => [i % 97, (i * 7) % 89]),
    ])
    const large = ['fit', many, '--target', 'z', '--method', 'ml', '--memory', '1kB']
    for (const name of ['judged.csv', 'judged.parquet']) {
      const { status, err, left } = onDisk(64, { [name]: 'old' }, [...large, '--rows', `DISK/${name}`])
      expect(err).toMatch(
        /judged.(csv|parquet): could not be written, got the disk is full; the file before is still there/,
      )
      expect({ status, left }).toEqual({ status: 1, left: { [name]: 'old' } })
    }
  })

  test('what is put aside while a table is read has an error that says where that is', () => {
    const small = join(folder.path, 'small')
    mkdirSync(small)
    const rows = `x,z\n${Array.from({ length: 9000 }, (_, i) => `${i % 97},${(i * 7) % 89}`).join('\n')}\n`
    const other = join(folder.path, 'utf-16.csv')
    writeFileSync(other, Buffer.from(`\ufeff${rows}`, 'utf16le'))
    for (const [name, input] of [
      ['-', rows],
      [other, ''],
    ] as const) {
      const script = `mount -t tmpfs -o size=16k tmpfs ${small} || exit 99
        TMPDIR=${small} ${process.execPath} ${rlviBin} fit ${name} --target z --method ml`
      const { status, stderr } = spawnSync('unshare', [...alone, 'sh', '-c', script], {
        input,
        encoding: 'utf8',
      })
      expect(stderr).toMatch(
        /^temporary files in .*small: could not be written, got the disk is full; make room there, or set TMPDIR/,
      )
      expect(status).toBe(1)
    }
  })

  test('a model or predictions are as they were before', () => {
    const model = join(folder.path, 'model.json')
    const filler = 'x'.repeat(12 * 1024)
    const saved = onDisk(16, { 'model.json': 'old', filler }, [...fit, '--save', 'DISK/model.json'])
    expect(saved.err).toMatch(
      /model.json: could not be written, got the disk is full; the file before is still there/,
    )
    expect({ status: saved.status, left: saved.left }).toEqual({
      status: 1,
      left: { 'model.json': 'old', filler },
    })
    expect(onDisk(16, {}, [...fit, '--save', model]).status).toBe(0)
    const predicted = onDisk(16, {}, ['predict', model, table, '--rows', 'DISK/out.csv'])
    expect(predicted.err).toMatch(
      /out.csv: could not be written, got the disk is full; nothing was changed there/,
    )
    expect({ status: predicted.status, left: predicted.left }).toEqual({ status: 1, left: {} })
  })

  const input = folder.file(
    'rows.ndjson',
    ndjson(streamRows(1500, 9).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))),
  )
  const stream = ['stream', '--target', 'y', '--batch', '30', '--input', input]
  const whole = async (): Promise<string> => (await run(...stream)).out

  const lines = join(folder.path, 'lines.ndjson')
  test.each([
    ['the lines', ['--out', 'DISK/lines.ndjson'], /lines.ndjson: could not be written, got the disk is full/],
    [
      'the lines and the state',
      ['--state', 'DISK/state', '--checkpoint-every', '0', '--out', 'DISK/lines.ndjson'],
      /(lines.ndjson|state): could not be written, got the disk is full/,
    ],
    [
      'the state',
      ['--state', 'DISK/state', '--checkpoint-every', '0', '--out', lines],
      /state: could not be written, got the disk is full/,
    ],
  ])(
    'a stream without room for %s ends, and goes on to the same lines when there is',
    async (_, argv, full) => {
      const command = [...stream, ...argv]
      // A state is small.
      const filler = argv.includes(lines) ? { filler: 'x'.repeat(8 * 1024) } : {}
      const [first, second] = eachOnDisk(16, filler, command, command) as [Ended, Ended]
      expect(first.err).toMatch(full)
      expect(first.status).toBe(1)
      expect(Object.keys(first.left).filter((name) => /tmp|lock/.test(name))).toEqual([])
      expect(second.status).toBe(0)
      const out = second.left['lines.ndjson'] ?? readFileSync(lines, 'utf8')
      expect(out).toMatch(/^\{"row":1,/)
      expect(out === (await whole())).toBe(true)
    },
  )

  test('a stream on a disk without any room says so', () => {
    const { status, err, left } = onDisk(4, { filler: 'x'.repeat(4096) }, [
      ...stream,
      '--state',
      'DISK/state',
    ])
    expect(err).toMatch(/state: could not be written, got the disk is full/)
    expect([status, Object.keys(left)]).toEqual([1, ['filler']])
  })

  test('a training ends, and goes on to the same network when there is room', async () => {
    const pictures = await writeShades(join(folder.path, 'shades'), 8)
    const quick = [...quickly.slice(0, -1), '3', '--threads', '1']
    const train = ['train', pictures, ...quick, '--checkpoint', 'DISK/kept', '--save', 'DISK/net.onnx']
    const whole = onDisk(16 * 1024, {}, train)
    expect(whole.status).toBe(0)
    const size = Math.ceil(Buffer.byteLength(whole.left['checkpoint.safetensors']!, 'latin1') / 1024)
    // Without room for a checkpoint, and with room for one but not for the next beside it.
    for (const kib of [Math.floor(size / 2), Math.floor(1.5 * size)]) {
      const [full, again] = eachOnDisk(kib, {}, train, [...train, '--resume']) as [Ended, Ended]
      expect(full.err).toMatch(/checkpoint.safetensors: could not be written, got the disk is full/)
      expect(full.status).toBe(1)
      expect(Object.keys(full.left)).toEqual(kib < size ? [] : ['checkpoint.safetensors'])
      expect(again.status).toBe(0)
      expect(again.left['net.onnx'] === whole.left['net.onnx']).toBe(true)
    }
  })
})
