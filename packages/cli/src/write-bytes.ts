import { open } from 'node:fs/promises'

export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}
