import { disk } from './disk.js'
import { bytesOf, type Content, type NewFile, writeAll, writeAllSync } from './write-all.js'

/** Writes to a device or a pipe, which has no place beside it and must not be replaced by a file. */
export async function fillInPlace(path: string, fill: (file: NewFile) => Promise<void>): Promise<void> {
  let file: number | undefined
  try {
    await fill({
      path,
      async write(piece) {
        // A pipe opens when there is a reader, for which nothing else should wait.
        file ??= await disk.open(path, 'w')
        await writeAll(file, bytesOf(piece))
      },
    })
  } finally {
    if (file !== undefined) disk.closeSync(file)
  }
}

export function fillInPlaceSync(path: string, content: Content): void {
  const file = disk.openSync(path, 'w')
  try {
    writeAllSync(file, bytesOf(content))
  } finally {
    disk.closeSync(file)
  }
}
