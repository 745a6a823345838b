import { type CudaReport, cudaDevices } from '@rlvi/nn'
import { size } from '../data/text.js'
import { type OptionsOf, readFlags } from '../terminal/flags.js'
import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { type DevicesFlags, devicesFlags } from './flags.js'

/** `rlvi devices`: what there is to train on. */
export async function devicesCommand(given: DevicesFlags, io: Io): Promise<void> {
  const { json }: OptionsOf<typeof devicesFlags> = readFlags(devicesFlags, given)
  const report = await cudaDevices()
  await io.out(json ? printableJson(report) : toText(report))
}

/** A line for each card and library; what is missing says what to do about it. */
export function toText({ devices, libraries }: CudaReport): string {
  const cards = devices.map(
    ({ number, name, capability, bytes }) =>
      `cuda ${number}: ${name}, ${size(bytes)}, capability ${capability}`,
  )
  const found = libraries.map(({ name, path, version, problem }) =>
    problem === undefined
      ? `${name.padEnd(8)}  ${version ?? ''}  ${path ?? ''}`
      : `${name.padEnd(8)}  problem: ${problem}`,
  )
  const isReady = devices.length > 0 && libraries.every(({ problem }) => problem === undefined)
  const last = isReady
    ? `ready: --executor cuda${devices.every(isOld) ? ' --precision fp32 (bf16 needs capability 8.0)' : ''}`
    : 'not ready for --executor cuda; --executor onnx needs none of this'
  const lines = [...(cards.length === 0 ? ['no NVIDIA card found'] : cards), ...found, last]
  return lines.map((line) => `${printable(line)}\n`).join('')
}

/** Cards from before the 16 bits that are the default. */
const isOld = ({ capability }: CudaReport['devices'][number]): boolean => Number(capability) < 8
