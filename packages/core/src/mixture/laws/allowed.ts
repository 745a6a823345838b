import { RlviError } from '../../errors.js'
import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { ErrorLaw } from '../../result.js'
import type { FitOptions } from '../shared/options.js'
import type { Laws } from './good-rows.js'
import type { Candidate } from './select.js'
import { degreesOfFreedom } from './shape.js'

const REGRESSION: Readonly<Record<string, Laws>> = {
  auto: { shapes: ['normal', 'student', 'light', 'skewed-student', 'skewed-power'], growth: 'may' },
  normal: { shapes: ['normal'], growth: 'not' },
  student: { shapes: ['student'], growth: 'may' },
  light: { shapes: ['light'], growth: 'may' },
  skewed: { shapes: ['skewed-student', 'skewed-power'], growth: 'may' },
  varying: { shapes: ['normal'], growth: 'must' },
}

const OTHER: Readonly<Record<string, Laws>> = {
  auto: { shapes: ['normal', 'student'], growth: 'not' },
  normal: { shapes: ['normal'], growth: 'not' },
  student: { shapes: ['student'], growth: 'not' },
}

/** Of rows that are columns and nothing else. */
const COLUMNS: Readonly<Record<string, Laws>> = {
  auto: { ...OTHER.auto, bends: 'may' },
  skewed: { ...OTHER.auto, bends: 'must' },
}

/** The laws that the option `errors` leaves; `columns`: whether rows are those of a table without a response. */
export function allowedLaws<D, P extends Params>(
  likelihood: Continuous<D, P>,
  errors: FitOptions['errors'] = 'auto',
  columns: boolean,
): Laws {
  const choices = isRegression(likelihood) ? REGRESSION : columns ? { ...OTHER, ...COLUMNS } : OTHER
  const laws = Object.hasOwn(choices, errors) ? choices[errors] : undefined
  if (laws !== undefined) return laws
  throw new RlviError('fit errors', `"${likelihood.name}" takes ${Object.keys(choices).join(', ')}`, errors)
}

/** A law in the words of the result. */
export function errorLaw({ shape, params, growth }: Candidate): ErrorLaw {
  const grown = growth === undefined ? {} : { growth: Math.exp(growth.rate) }
  if (shape.name === 'normal') return { name: growth === undefined ? 'normal' : 'varying', ...grown }
  if (shape.name === 'student')
    return { name: 'student', degreesOfFreedom: degreesOfFreedom(params[1]), ...grown }
  if (shape.name === 'light') return { name: 'light', ...grown }
  return { name: 'skewed', above: 1 / (1 + Math.exp(-2 * params[3])), ...grown }
}
