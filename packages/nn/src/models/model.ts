import type { Value } from '../graph/builder.js'

/** A network that sorts images into classes. A user's own is any such object. */
export interface Model {
  readonly name: string
  /** Channels, height and width of an image. */
  readonly image: readonly [number, number, number]
  readonly classes: number
  /** Images [N, C, H, W] to logits [N, classes]. */
  logits(x: Value): Value
}
