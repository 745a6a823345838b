import fs from 'node:fs'
import { promisify } from 'node:util'

/** What writing asks of the system, as far as a disk can fail at it. */
export interface Disk {
  openSync(path: string, flags: string, mode?: number): number
  open(path: string, flags: string): Promise<number>
  /** May write less than it is given; returns how much it was. */
  writeSync(file: number, bytes: Uint8Array, at: number, length: number, position: number | null): number
  write(
    file: number,
    bytes: Uint8Array,
    at: number,
    length: number,
    position: number | null,
  ): Promise<{ readonly bytesWritten: number }>
  fsyncSync(file: number): void
  fsync(file: number): Promise<void>
  closeSync(file: number): void
  renameSync(from: string, to: string): void
}

/** The disk that is written to. Tests replace a function of it to make it fail; nothing else may. */
export const disk: Disk = {
  openSync: fs.openSync,
  open: promisify(fs.open),
  writeSync: fs.writeSync,
  write: promisify(fs.write),
  fsyncSync: fs.fsyncSync,
  fsync: promisify(fs.fsync),
  closeSync: fs.closeSync,
  renameSync: fs.renameSync,
}
