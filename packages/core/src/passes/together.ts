import type { Params } from '../likelihoods/likelihood.js'
import type { Aggregates } from './aggregates.js'

/** Several questions, in one scan where that can be had, or else one after the other. */
export async function together<T>(
  { sharesPasses }: Pick<Aggregates<Params>, 'sharesPasses'>,
  questions: readonly (() => Promise<T>)[],
): Promise<T[]> {
  if (sharesPasses) return await Promise.all(questions.map((ask) => ask()))
  const answers: T[] = []
  for (const ask of questions) answers.push(await ask())
  return answers
}

/** Two of different kinds. */
export async function both<A, B>(
  rows: Pick<Aggregates<Params>, 'sharesPasses'>,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<readonly [A, B]> {
  const [a, b] = await together<A | B>(rows, [one, other])
  return [a as A, b as B]
}
