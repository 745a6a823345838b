import type { Params } from '../../../likelihoods/likelihood.js'
import type { Caution, Fit } from '../../../result.js'
import { beyondLines, logarithmsOf, type Product, productsOf, withColumn } from '../products.js'
import type { Classed, Labelled } from './labelled.js'
import { allowForView, type Explained, type View, type WithFeatures } from './other-view.js'

/** So many squares and products are added at most, each by a score of at least this, beyond what the best of many has by chance. */
const MOST = 3
const LEAST = 10
/** The prior of the fits that scores are taken of. */
const STRENGTH = 0.01

/**
 * Where the border between classes bends, right labels beyond the bend look wrong, and the more certainly so the farther out. Squares and
 * products of the columns that the labels ask for are added; where that explains them better by fewer wrong ones, the interval begins
 * at 0 and a caution names the columns.
 */
export function allowForBend<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  fit: Fit<P>,
  known?: Explained<P>,
): Fit<P> {
  if (likelihood.classes === undefined) return fit
  const bent = allowForView(likelihood, data, fit, bentView, known)
  return allowForView(likelihood, data, bent, logarithmicView, known)
}

/** All long columns by their logarithms at once: where labels follow several of them, none alone may say so. */
function logarithmicView<D extends WithFeatures, P extends Params>(
  _likelihood: Labelled<D, P>,
  rows: D,
): View | undefined {
  const logarithms = logarithmsOf(rows.x)
  if (logarithms.length === 0) return undefined
  const x = logarithms.reduce((wider, { values }) => withColumn(wider, values), rows.x)
  const columns = logarithms.map(({ of: [a] }) => a)
  const one = columns.length === 1
  const message = `a border along the ${one ? 'logarithm of column' : 'logarithms of columns'} ${columns.join(', ')} ${WHY}; add ${one ? 'it as a column' : 'them as columns'}`
  return { x, caution: { about: 'curvature', ...(one ? { column: columns[0] } : { columns }), message } }
}

function bentView<D extends WithFeatures, P extends Params>(
  likelihood: Labelled<D, P>,
  rows: D,
): View | undefined {
  const products = productsOf(rows.x)
  if (products.length === 0) return undefined
  const chance = 2 * Math.log(products.length)
  const added: Product[] = []
  let x = rows.x
  while (added.length < MOST) {
    const scores = scoresOf(likelihood, { ...rows, x }, products)
    const best = scores.reduce((a, b, k) => (b > scores[a] ? k : a), 0)
    if (!(scores[best] > LEAST + chance) || added.includes(products[best])) break
    added.push(products[best])
    x = withColumn(x, products[best].values)
  }
  if (added.length === 0) return undefined
  return { x, caution: cautionOf(added[0]), price: (added.length * chance) / 2 }
}

const WHY =
  'explains the labels better, by fewer wrong ones: right labels beyond a bend look wrong, and all may be right'

function cautionOf({ of: [a, b] }: Product): Caution {
  if (a === b)
    return {
      about: 'curvature',
      column: a,
      message: `a border that bends along column ${a} ${WHY}; add its square or its logarithm as a column`,
    }
  const columns = [a, b]
  const message = `a border that bends with columns ${columns.join(', ')} ${WHY}; add the product of these columns as a column`
  return { about: 'curvature', columns, message }
}

/** Rao's score of each product, were it added to a fit to all rows: about chi-squared, with a degree of freedom for each border. */
function scoresOf<D extends WithFeatures, P extends Params>(
  likelihood: Labelled<D, P>,
  rows: D,
  products: readonly Product[],
): number[] {
  const model = likelihood.prior.strengthened(rows, STRENGTH, 'replaced') as Classed<D, P>
  const p = model.classes.probabilities(rows, model.fit(rows))
  const given = model.classes.given(rows)
  const left = beyondLines(rows.x)
  return products.map(({ values }) => {
    const own = left(values)
    if (own === undefined) return 0
    let score = 0
    for (let c = 0; c < p.cols; c++) {
      let [sum, variance] = [0, 0]
      for (let i = 0; i < own.length; i++) {
        const at = p.values[i * p.cols + c]
        sum += ((given[i] === c ? 1 : 0) - at) * own[i]
        variance += at * (1 - at) * own[i] ** 2
      }
      if (variance > 0) score += sum ** 2 / variance
    }
    // The scores of all classes depend on each other: one of them follows from the others.
    return (score * (p.cols - 1)) / p.cols
  })
}
