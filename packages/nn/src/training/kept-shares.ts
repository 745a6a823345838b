import type { Method } from './method.js'
import type { TrainingState } from './state.js'

/** The shares of good samples kept and of wrong ones left out (C.5: kept is a weight strictly above the threshold). */
export function keptShares(
  method: Method,
  state: TrainingState,
  corrupt: ArrayLike<number> | undefined,
): { readonly cleanKept?: number; readonly corruptCaught?: number } {
  if (!corrupt || method.keeps === 'all') return {}
  const { clean, kept, threshold } = state
  let goodSamples = 0
  let cleanKept = 0
  let corruptCaught = 0
  for (let i = 0; i < clean.length; i++) {
    const keep = method.keeps === 'weights' ? clean[i] > threshold : kept[i] === 1
    if (corrupt[i] !== 0) corruptCaught += keep ? 0 : 1
    else {
      goodSamples++
      cleanKept += keep ? 1 : 0
    }
  }
  const wrong = clean.length - goodSamples
  return {
    ...(goodSamples > 0 ? { cleanKept: cleanKept / goodSamples } : {}),
    ...(wrong > 0 ? { corruptCaught: corruptCaught / wrong } : {}),
  }
}
