/** About so many of the values, evenly from first to last; all where they are not twice as many. */
export function thinned(values: Float64Array, enough: number): Float64Array {
  const stride = Math.floor(values.length / enough)
  if (stride < 2) return values
  return Float64Array.from({ length: Math.ceil(values.length / stride) }, (_, k) => values[k * stride])
}
