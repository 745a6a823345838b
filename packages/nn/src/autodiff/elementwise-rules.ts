import type { Value } from '../graph/builder.js'
import type { Binary, Unary } from '../graph/ops.js'
import { add, div, equal, greater, greaterEqual, mul, neg, node, sub, where } from '../graph/values.js'
import { type Backward, type Rule, type Rules, unbroadcast } from './rule.js'

/** A rule from dy times the local slope. */
function slope<O extends Unary>(f: (dy: Value, x: Value, y: Value) => Value): Rule<O> {
  return ({ inputs, outputs, gradients }) => [f(gradients[0]!, inputs[0], outputs[0])]
}

/** A rule from the gradients by a and by b before their repeated axes are added up. */
function pair<O extends Binary>(
  byA: (dy: Value, a: Value, b: Value, y: Value) => Value,
  byB: (dy: Value, a: Value, b: Value, y: Value) => Value,
): Rule<O> {
  return ({ inputs: [a, b], outputs: [y], gradients, wanted }: Backward<O>) => {
    const dy = gradients[0]!
    return [
      wanted[0] ? unbroadcast(byA(dy, a, b, y), a) : undefined,
      wanted[1] ? unbroadcast(byB(dy, a, b, y), b) : undefined,
    ]
  }
}

/** 1 where a wins, 1/2 where both are equal, as PyTorch has it. */
const share = (a: Value, b: Value): Value => mul(0.5, add(greater(a, b), greaterEqual(a, b)))

export const elementwiseRules: Rules = {
  neg: slope((dy) => neg(dy)),
  exp: slope((dy, _, y) => mul(dy, y)),
  log: slope((dy, x) => div(dy, x)),
  sqrt: slope((dy, _, y) => div(mul(dy, 0.5), y)),
  abs: slope((dy, x) => mul(dy, sub(greater(x, 0), greater(0, x)))),
  relu: slope((dy, _, y) => node({ kind: 'reluGrad' }, y, dy)),
  sigmoid: slope((dy, _, y) => mul(dy, mul(y, sub(1, y)))),
  tanh: slope((dy, _, y) => mul(dy, sub(1, mul(y, y)))),
  add: pair(
    (dy) => dy,
    (dy) => dy,
  ),
  sub: pair(
    (dy) => dy,
    (dy) => neg(dy),
  ),
  mul: pair(
    (dy, _, b) => mul(dy, b),
    (dy, a) => mul(dy, a),
  ),
  div: pair(
    (dy, _, b) => div(dy, b),
    (dy, _, b, y) => neg(div(mul(dy, y), b)),
  ),
  maximum: pair(
    (dy, a, b) => mul(dy, share(a, b)),
    (dy, a, b) => mul(dy, share(b, a)),
  ),
  minimum: pair(
    (dy, a, b) => mul(dy, share(b, a)),
    (dy, a, b) => mul(dy, share(a, b)),
  ),
  where: ({ inputs: [mask, a, b], gradients, wanted }) => [
    undefined,
    wanted[1] ? unbroadcast(where(mask, gradients[0]!, 0), a) : undefined,
    wanted[2] ? unbroadcast(where(mask, 0, gradients[0]!), b) : undefined,
  ],
}

/** Used by `reduceMax`: how a maximum's gradient is spread over equal entries. */
export function tieShares(x: Value, largest: Value, count: (hits: Value) => Value): Value {
  const hits = equal(x, largest)
  return div(hits, count(hits))
}
