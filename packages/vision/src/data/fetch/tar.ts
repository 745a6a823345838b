import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unreadable } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { extract } from 'tar-stream'

const damaged = 'get it again: it is damaged or was cut off'
const hostile = 'do not unpack this archive'

/** Long names, which stand between the files, are held in memory: there must be an end to them. */
const BETWEEN = 16 * 1024 * 1024

/**
 * Unpacks the files of a .tar.gz for which `place` gives a path, and returns their names. Names that could lead out of a
 * folder are refused, wherever `place` would put them. Folders are made as files need them; links are not followed or made.
 */
export async function unpack(
  archive: string,
  place: (name: string) => string | undefined,
): Promise<string[]> {
  const members = extract({ allowUnknownFormat: true })
  let problem: NodeJS.ErrnoException | undefined
  members.on('error', (error) => {
    problem = error
  })
  let between = 0
  async function* counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      between += piece.length
      if (between > BETWEEN) throw new Error(`more than ${BETWEEN} bytes between two files`)
      yield piece
    }
  }
  const reading = pipeline(createReadStream(archive), createGunzip(), counted, members).catch(() => undefined)
  const names: string[] = []
  try {
    for await (const member of members) {
      const { type, size } = member.header
      const name = safeName(archive, member.header.name)
      if (!(Number.isSafeInteger(size) && size! >= 0))
        throw new RlviError(archive, `the size of ${name} is needed`, size, damaged)
      const path = type === 'file' ? place(name) : undefined
      const file = path === undefined ? undefined : await create(archive, name, path)
      try {
        for await (const piece of member as AsyncIterable<Uint8Array>) {
          between = 0
          await file?.writeFile(piece)
        }
      } finally {
        await file?.close()
      }
      between = 0
      if (file !== undefined) names.push(name)
    }
  } catch (error) {
    // A damaged archive ends the writing, and whoever fails to write ends the reading: the first of them is reported.
    await reading
    throw problem === undefined ? error : described(archive, problem)
  }
  await reading
  if (problem !== undefined) throw described(archive, problem)
  return names
}

/** A new file. Never over one that is there: an archive that has a file twice is refused. */
async function create(archive: string, name: string, path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true })
  return open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new RlviError(archive, 'each file must come once', phrase(`${name} again`), hostile)
  })
}

/** A relative name without a way up, with forward slashes. */
export function safeName(archive: string, name: string): string {
  const parts = name.split('/')
  if (
    name === '' ||
    name.includes('\0') ||
    name.includes('\\') ||
    /^\/|^[a-z]:/i.test(name) ||
    parts.includes('..')
  )
    throw new RlviError(archive, 'names inside the folder are needed', name, hostile)
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

/** What the system cannot read is one thing, what is no archive another. */
function described(archive: string, error: NodeJS.ErrnoException): Error {
  if (error.syscall !== undefined) return unreadable(archive, error)
  return new RlviError(archive, 'a whole .tar.gz is needed', phrase(error.message), damaged)
}
