/** Assertions for any test runner: they throw. */

/** Every entry within `relative` of the expected one, or within `absolute`. */
export function mustBeClose(
  what: string,
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  relative: number,
  absolute = 0,
): void {
  if (got.length !== expected.length) {
    throw new Error(`${what}: ${got.length} numbers where ${expected.length} are expected`)
  }
  for (let i = 0; i < got.length; i++) {
    if (!(Math.abs(got[i] - expected[i]) <= Math.max(absolute, relative * Math.abs(expected[i])))) {
      const within = `${relative} (relative) or ${absolute}`
      throw new Error(`${what}, entry ${i}: ${got[i]} is not within ${within} of ${expected[i]}`)
    }
  }
}

/** A condition, with the number that breaks it. */
export function mustHold(what: string, holds: boolean, got: number): void {
  if (!holds) throw new Error(`${what}, got ${got}`)
}

/** No NaN and no infinity. */
export function mustBeFinite(what: string, values: Float64Array): void {
  const bad = values.find((value) => !Number.isFinite(value))
  if (bad !== undefined) throw new Error(`${what}: must be finite numbers, got ${bad}`)
}

/** Bit for bit, -0 and 0 apart. */
export function mustBeSame(what: string, got: unknown, wanted: unknown): void {
  const [a, b] = [got, wanted].map((value) =>
    JSON.stringify(value, (_, entry) =>
      ArrayBuffer.isView(entry) ? Array.from(entry as Float64Array) : entry,
    ),
  )
  if (a !== b) throw new Error(`${what}: must be the same, got another result`)
}
