/**
 * Reads one spreadsheet after the other, as the process does that the command starts for each: it prints what that would print. A
 * case in which nothing more can happen, though something is waited for, is told from one that takes long.
 */
import { unpackedSize, writeSheet } from '../packages/tables/dist/inputs/sheet-file.js'

let isReading = false
const answer = (ending) => {
  isReading = false
  process.channel.ref()
  process.send(ending)
}

process.on('message', async ({ file, out }) => {
  isReading = true
  // What is left then is the work of the reader: without it the loop of events is empty.
  process.channel.unref()
  try {
    await unpackedSize(file, 2 ** 24)
    answer(await writeSheet(file, out))
  } catch (error) {
    answer({ error: String(error?.message ?? error) })
  }
})
process.on('beforeExit', () => {
  if (isReading) answer({ error: 'an archive without an end' })
})
