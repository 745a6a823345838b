import { RlviError } from 'rlvi'
import { gradients } from '../autodiff/gradients.js'
import type { Value } from '../graph/builder.js'
import type { Optimizer, Parameter } from './optimizer.js'

/** Parameters that are trained at a rate of their own. */
export interface Group {
  /** The name of the feed that holds its rate. */
  readonly rate: string
  /** Which parameters, by their full names. A parameter belongs to the first group that wants it. */
  has(parameter: string): boolean
}

/** All parameters at one rate, fed as `rate`. */
export const oneRate: readonly Group[] = [{ rate: 'rate', has: () => true }]

/** Adds the training step to the graph: gradients of a scalar by all parameters, and the optimizer's update. */
export function minimize(loss: Value, optimizer: Optimizer, groups: readonly Group[] = oneRate): void {
  const parameters = loss.graph.parameters()
  applyGradients(
    parameters,
    gradients(
      loss,
      parameters.map(({ value }) => value),
    ),
    optimizer,
    groups,
  )
}

/** The second half of `minimize`, for methods that change the gradients first. */
export function applyGradients(
  parameters: readonly Parameter[],
  parameterGradients: readonly Value[],
  optimizer: Optimizer,
  groups: readonly Group[] = oneRate,
): void {
  const left = new Set(parameters.keys())
  for (const group of groups) {
    const members = [...left].filter((i) => group.has(parameters[i].name))
    if (members.length === 0) {
      throw new RlviError(`group ${group.rate}`, 'must have parameters that no earlier group has', 0)
    }
    for (const i of members) left.delete(i)
    const rate = parameters[members[0]].value.graph.feed(group.rate, [])
    optimizer.update(
      members.map((i) => parameters[i]),
      members.map((i) => parameterGradients[i]),
      rate,
    )
  }
  const [first] = left
  if (first !== undefined) {
    throw new RlviError(
      'groups',
      'must have every parameter',
      parameters[first].name,
      'add a group for the rest',
    )
  }
}
