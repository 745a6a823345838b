import type { Pair, Window } from '../../graph/ops.js'

/**
 * Every pair of a window's place and an entry inside it that is not padding, for one plane: calls `visit` with the
 * entry's place in the plane, in the window and the window's own number, windows and entries in row-major order.
 */
export function eachTap(
  op: Window,
  [h, w]: Pair,
  [kh, kw]: Pair,
  [oh, ow]: Pair,
  visit: (entry: number, inWindow: number, window: number) => void,
): void {
  for (let i = 0; i < oh; i++) {
    for (let j = 0; j < ow; j++) {
      for (let p = 0; p < kh; p++) {
        const row = i * op.stride[0] - op.padding[0] + p
        if (row < 0 || row >= h) continue
        for (let q = 0; q < kw; q++) {
          const column = j * op.stride[1] - op.padding[1] + q
          if (column < 0 || column >= w) continue
          visit(row * w + column, p * kw + q, i * ow + j)
        }
      }
    }
  }
}
