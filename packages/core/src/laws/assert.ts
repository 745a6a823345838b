/** Assertions of any test runner: they throw. */

/** Every entry within `relative` of the wanted one, or within `absolute`. */
export function close(
  what: string,
  got: ArrayLike<number>,
  wanted: ArrayLike<number>,
  relative: number,
  absolute = 0,
): void {
  for (let i = 0; i < wanted.length; i++) {
    const near = Math.abs(got[i] - wanted[i]) <= Math.max(absolute, relative * Math.abs(wanted[i]))
    if (!near) throw new Error(`${what}: entry ${i} must be ${wanted[i]}, got ${got[i]}`)
  }
}

/** No NaN and no infinity. */
export function finite(what: string, values: Float64Array): void {
  const bad = values.find((value) => !Number.isFinite(value))
  if (bad !== undefined) throw new Error(`${what}: must be finite numbers, got ${bad}`)
}

/** Bit for bit, -0 and 0 apart. */
export function same(what: string, got: unknown, wanted: unknown): void {
  const [a, b] = [got, wanted].map((value) =>
    JSON.stringify(value, (_, entry) =>
      ArrayBuffer.isView(entry) ? Array.from(entry as Float64Array) : entry,
    ),
  )
  if (a !== b) throw new Error(`${what}: must be the same, got another result`)
}
