/** About so many of the values, evenly from first to last; all where they are not twice as many. */
export function thinned(values: Float64Array, enough: number): Float64Array {
  return values.length < 2 * enough
    ? values
    : Float64Array.from(thinnedRows(values.length, enough), (i) => values[i])
}

/** Multiples of it fall evenly, and in step with no period. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * About so many of the rows, evenly from first to last: one of each stretch, at places that differ from stretch to stretch.
 * Every fourth row may be of one kind, as where four sensors take turns.
 */
export function thinnedRows(rows: number, enough: number): Float64Array {
  const stride = Math.max(1, Math.floor(rows / enough))
  // Of billions of rows too.
  return Float64Array.from({ length: Math.floor(rows / stride) }, (_, k) => {
    const place = (k * GOLDEN) % 1
    return stride * k + Math.floor(stride * place)
  })
}
