import type { Cells } from '../columns/cells.js'
import type { Numbers, Texts, Typed } from '../columns/column.js'
import { dateText, isClock } from '../columns/dates.js'
import { levels } from '../encoding/encoding.js'
import { type ModelName, supervisedModels } from './methods.js'

/** Whether a constant says something: its mean and its components are there, and without an intercept a constant column is one. */
export function keepsConstant(model: ModelName, intercept: boolean, value: unknown): boolean {
  if (model === 'mean' || model === 'pca') return true
  return supervisedModels.includes(model) && !intercept && typeof value === 'number' && value !== 0
}

/** The value of a column that has the same in all rows. */
export function onlyValue(data: Numbers | Texts, rows: Int32Array): number | string | undefined {
  if (data.kind === 'text') {
    const { values } = levels(data, rows)
    return values.length === 1 ? values[0] : undefined
  }
  const { values, offset, stride } = data
  const first = values[offset + rows[0]! * stride]
  for (const row of rows) if (values[offset + row * stride] !== first) return undefined
  return first
}

export function shownValue(data: Typed, rows: Int32Array): unknown {
  if (data.kind !== 'date') return onlyValue(data, rows)
  const [value] = [data.values[rows[0]!]!]
  return isClock(data.order) ? `${24 * value} hours` : dateText(value)
}

/** The value, as it is shown, of a column that has no other wherever it has any. */
export function constantOf(data: Typed, { missing }: Cells): unknown {
  if (data.kind === 'text' && data.whole !== undefined) {
    const { counts } = data.whole
    const there = new Set(data.values.filter((text, k) => (counts?.[k] ?? 0) > 0 && !missing.isText(text)))
    return there.size === 1 ? [...there][0] : undefined
  }
  const places = Int32Array.from({ length: data.length }, (_, i) => i)
  const rows = places.filter((i) =>
    data.kind === 'text' ? data.codes[i]! >= 0 : !Number.isNaN(data.values[data.offset + i * data.stride]!),
  )
  const own = data.kind === 'date' ? { ...data, kind: 'number' as const } : data
  return rows.length === 0 || onlyValue(own, rows) === undefined ? undefined : shownValue(data, rows)
}
