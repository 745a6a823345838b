// What a stranger's first program might use of every package; compiled and run in an empty project by packages.test.ts.
import { fitTable, predictTable, readModel, writeModel } from '@rlvi/estimator'
import { type IoError, systemError } from '@rlvi/io'
import { type Model, referenceExecutor } from '@rlvi/nn'
import { linear as dense, flatten } from '@rlvi/nn/layers'
import { escapeHtml, page } from '@rlvi/report'
import { withTable } from '@rlvi/tables'
import { dataSets } from '@rlvi/vision'
import { fit, fromRows, linear, type Matrix, paper } from 'rlvi'
import { likelihoodLaws } from 'rlvi/laws'
import { seeded } from 'rlvi/random'

const uniform = seeded(1, 'consumer')
const x: Matrix = fromRows(Array.from({ length: 40 }, (_, i) => [i / 10]))
const y = Float64Array.from(x.values, (value, i) => 2 * value + 1 + 1e-9 * uniform() + (i === 7 ? 30 : 0))
const found = fit(linear(), { x, y })
const flagged = found.clean.filter((clean) => clean < 0.5).length

const columns = { x: x.values, label: Array.from(x.values, (value) => (value > 2 ? 'b' : 'a')) }
const table = fitTable(columns, { target: 'label' })
const model = readModel(writeModel(table.model))
predictTable(model, columns)

const network: Model = {
  name: 'own',
  image: [1, 2, 2],
  classes: 2,
  logits: (image) => dense(flatten(image), 'out', 2),
}
const used: unknown[] = [
  paper,
  likelihoodLaws,
  network,
  referenceExecutor,
  escapeHtml,
  page,
  withTable,
  dataSets,
  systemError,
]
if (used.includes(undefined)) throw new Error('an export is missing')
const slope: number = found.params.coefficients[0] ?? Number.NaN
console.log(JSON.stringify({ slope, flagged, classes: model.target?.classes }))

export type { IoError }
