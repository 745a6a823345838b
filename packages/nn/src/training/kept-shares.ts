import type { Method } from './method.js'
import type { TrainingState } from './state.js'

/** The shares of good samples kept and of wrong ones left out (C.5: kept is a weight strictly above the threshold;
 * where labels are changed, one that is more likely right than wrong). */
export function keptShares(
  method: Method,
  state: TrainingState,
  corrupt: ArrayLike<number> | undefined,
): { readonly cleanKept?: number; readonly corruptCaught?: number } {
  if (!corrupt || method.keeps === 'all') return {}
  const { clean, kept, threshold } = state
  const least = method.keeps === 'likely' ? 1 / 2 : threshold
  let goodSamples = 0
  let cleanKept = 0
  let corruptCaught = 0
  for (let i = 0; i < clean.length; i++) {
    const keep = method.keeps === 'batch' ? kept[i] === 1 : clean[i] > least
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
