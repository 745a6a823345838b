import type { Params } from '../likelihoods/likelihood.js'
import type { Aggregates } from './aggregates.js'

/** Two questions, in one scan where that can be had, or else one after the other. */
export async function both<A, B>(
  { sharesPasses }: Pick<Aggregates<Params>, 'sharesPasses'>,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<readonly [A, B]> {
  if (sharesPasses) return await Promise.all([one(), other()])
  return [await one(), await other()]
}
