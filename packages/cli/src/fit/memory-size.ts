import { UsageError } from '../terminal/usage.js'

const units: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
}

/** Less than this is no budget. */
const LEAST = 1e3

/** `500MB`, `2GiB`, `1.5g` in bytes. */
export function memorySize(name: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?$/i.exec(text.trim()) ?? []
  const bytes = Number(number || Number.NaN) * (units[unit.toLowerCase()] ?? Number.NaN)
  if (!Number.isFinite(bytes)) throw new UsageError(name, 'a size such as 500MB or 2GiB is needed', text)
  if (bytes < LEAST) throw new UsageError(name, 'at least 1kB is needed', text)
  return bytes
}
