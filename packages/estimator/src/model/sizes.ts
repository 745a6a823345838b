import { RlviError } from 'rlvi'
import { designColumns } from '../encoding/encoding.js'
import type { SavedModel } from './saved-model.js'

/** Models are edited by hand: as many numbers as the features ask for. */
export function checkSizes(where: string, saved: SavedModel): void {
  const { fitted } = saved
  const d = designColumns(saved.features).length
  const K = saved.target?.classes?.length ?? 0
  const check = (name: string, list: readonly unknown[], wanted: number): void => {
    if (list.length === wanted) return
    throw unequal(`fitted.params.${name}`, wanted, list.length)
  }
  const unequal = (name: string, wanted: number, got: number): RlviError =>
    new RlviError(`${where} at ${name}`, `${wanted} values are needed`, got)
  const supervised = fitted.model !== 'mean' && fitted.model !== 'covariance' && fitted.model !== 'pca'
  if (supervised !== (saved.target !== undefined)) {
    throw new RlviError(
      `${where} at target`,
      `a ${fitted.model} model has ${supervised ? 'one' : 'none'}`,
      saved.target,
    )
  }
  const { uncertainty } = saved
  if (uncertainty !== undefined) {
    const size = uncertainty.covariance.length
    const blocks = fitted.model === 'softmax' ? K : 1
    if (size !== blocks * d && size !== blocks * (d + 1))
      throw unequal('uncertainty.covariance', blocks * (d + 1), size)
    uncertainty.covariance.forEach((row, a) => {
      if (row.length !== size && row.length !== a + 1)
        throw unequal('uncertainty.covariance', a + 1, row.length)
    })
  }
  if (fitted.model === 'softmax') {
    check('intercepts', fitted.params.intercepts, K)
    check('coefficients', fitted.params.coefficients, K)
    for (const row of fitted.params.coefficients) check('coefficients', row, d)
    return
  }
  if (fitted.model === 'logistic') check('classes', saved.target?.classes ?? [], 2)
  if ('coefficients' in fitted.params) check('coefficients', fitted.params.coefficients, d)
  else check('mean', fitted.params.mean, d)
  if (fitted.model === 'mean') check('scale', fitted.params.scale, d)
  if (fitted.model === 'covariance') {
    check('covariance', fitted.params.covariance, d)
    for (const row of fitted.params.covariance) check('covariance', row, d)
  }
  if (fitted.model === 'pca') for (const row of fitted.params.components) check('components', row, d)
}
