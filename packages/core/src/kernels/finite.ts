import { run, worthwhile } from './run.js'

/** Whether no number is infinite or NaN: 0 times it is then 0. */
export function allFinite(values: Float64Array): boolean {
  if (worthwhile(values.length)) {
    return run('checksum', values.length, [{ values, cols: 1, use: 'read' }], [], 1)[0] === 0
  }
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] * 0
  return sum === 0
}
