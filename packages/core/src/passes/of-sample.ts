import type { Supervised } from '../likelihoods/likelihood.js'
import type { Caution } from '../result.js'

/** What speaks against a fit in a sample of the rows, said so. */
export function ofSample(
  cautions: readonly Caution[] | undefined,
  { x }: Supervised,
  { rows }: { readonly rows: number },
): readonly Caution[] {
  if (cautions === undefined || x.rows === rows) return cautions ?? []
  return cautions.map((caution) => ({
    ...caution,
    message: `in a sample of ${x.rows} of the rows: ${caution.message}`,
  }))
}
