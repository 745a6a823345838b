import { readFile } from 'node:fs/promises'
import { writeAtomic } from '@rlvi/io'
import { RlviError } from 'rlvi'
import * as v from 'valibot'
import { designColumns, type Encoding } from './encoding.js'
import { printableJson } from './terminal/printable.js'

type Numbers = readonly number[]

/** A model's numbers, in the units of the file that it was fitted to; coefficients in the order of the design. */
export type Fitted =
  | { readonly model: 'linear'; readonly params: { intercept: number; coefficients: Numbers; scale: number } }
  | { readonly model: 'logistic' | 'poisson'; readonly params: { intercept: number; coefficients: Numbers } }
  | { readonly model: 'softmax'; readonly params: { intercepts: Numbers; coefficients: readonly Numbers[] } }
  | { readonly model: 'mean'; readonly params: { mean: Numbers; scale: Numbers } }
  | { readonly model: 'covariance'; readonly params: { mean: Numbers; covariance: readonly Numbers[] } }
  | {
      readonly model: 'pca'
      readonly params: { mean: Numbers; components: readonly Numbers[]; variances: Numbers }
    }

/** What `--save` writes and `rlvi predict` reads. */
export interface SavedModel {
  readonly format: 'rlvi-model'
  readonly version: 1
  readonly method: string
  /** Rows that the fit used. */
  readonly rows: number
  readonly features: readonly Encoding[]
  readonly target?: { readonly name: string; readonly classes?: readonly string[] | undefined } | undefined
  readonly fitted: Fitted
}

const number = v.pipe(v.number(), v.finite())
const numbers = v.array(number)
const table = v.array(numbers)
const linear = { intercept: number, coefficients: numbers }

const schema = v.object({
  format: v.literal('rlvi-model'),
  version: v.literal(1),
  method: v.string(),
  rows: v.pipe(v.number(), v.integer(), v.minValue(1)),
  features: v.array(
    v.variant('kind', [
      v.object({ name: v.string(), kind: v.literal('number') }),
      v.object({
        name: v.string(),
        kind: v.literal('category'),
        base: v.string(),
        values: v.array(v.string()),
      }),
    ]),
  ),
  target: v.optional(v.object({ name: v.string(), classes: v.optional(v.array(v.string())) })),
  fitted: v.variant('model', [
    v.object({ model: v.literal('linear'), params: v.object({ ...linear, scale: number }) }),
    v.object({ model: v.picklist(['logistic', 'poisson']), params: v.object(linear) }),
    v.object({ model: v.literal('softmax'), params: v.object({ intercepts: numbers, coefficients: table }) }),
    v.object({ model: v.literal('mean'), params: v.object({ mean: numbers, scale: numbers }) }),
    v.object({ model: v.literal('covariance'), params: v.object({ mean: numbers, covariance: table }) }),
    v.object({
      model: v.literal('pca'),
      params: v.object({ mean: numbers, components: table, variances: numbers }),
    }),
  ]),
})

export async function saveModel(path: string, model: SavedModel): Promise<void> {
  await writeAtomic(path, printableJson(model))
}

export async function loadModel(path: string): Promise<SavedModel> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new RlviError(path, 'a model file is needed', code, 'rlvi fit --save writes one')
  }
  const todo = 'is this a file that rlvi fit --save wrote?'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new RlviError(path, 'a model file in JSON is needed', text, todo)
  }
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const place = v.getDotPath(issue)
    const where = place === null ? path : `${path} at ${place}`
    throw new RlviError(
      where,
      `a model file has ${issue.expected ?? 'another value'} there`,
      issue.input,
      todo,
    )
  }
  checkSizes(path, parsed.output)
  return parsed.output
}

/** Files are edited by hand: as many numbers as the features ask for. */
function checkSizes(path: string, saved: SavedModel): void {
  const { fitted } = saved
  const d = designColumns(saved.features).length
  const K = saved.target?.classes?.length ?? 0
  const check = (name: string, list: readonly unknown[], wanted: number): void => {
    if (list.length === wanted) return
    throw new RlviError(`${path} at fitted.params.${name}`, `${wanted} values are needed`, list.length)
  }
  const supervised = fitted.model !== 'mean' && fitted.model !== 'covariance' && fitted.model !== 'pca'
  if (supervised !== (saved.target !== undefined)) {
    throw new RlviError(
      `${path} at target`,
      `--model ${fitted.model} has ${supervised ? 'one' : 'none'}`,
      saved.target,
    )
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
