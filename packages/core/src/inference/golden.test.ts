import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { entropyWeights } from '../methods/rrm.js'
import { expectClose } from '../testing/close.js'
import { bound, profileBound } from './bound.js'
import { constrain } from './constrained.js'
import { exactEStep } from './exact.js'
import { paperEStep, paperRules } from './paper.js'
import { truncationThreshold } from './truncate.js'

/** High-precision results (30 to 40 digits) for 41 sets of losses; tolerances are those that the file states. */
interface Rule {
  readonly pi: number[]
  readonly iterations: number
  readonly m_end: number
  readonly tau?: number | null
}
interface Case {
  readonly id: string
  readonly desc: string
  readonly losses: number[]
  readonly exact: {
    readonly status: string
    readonly m: number
    readonly one_minus_m?: number
    readonly pi?: number[]
    readonly limit_weights?: number[]
    readonly objective: number
  }
  readonly standard: Rule
  readonly deep: Rule
  readonly deep_with_previous?: Rule & { readonly previous: number[] }
  readonly online: Omit<Rule, 'pi'> & { readonly s: number[] }
  readonly constrained: ReadonlyArray<{ n0: number; active: boolean; lam?: number; pi?: number[] }>
  readonly rrm: ReadonlyArray<{ eps_tilde: number; alpha: number | null; p: number[] }>
  readonly objective: { readonly profile: Record<string, number>; readonly elbo_at_standard_pi: number }
}
interface Truncation {
  readonly pi: number[]
  readonly alpha: number
  readonly tau: number | null
}

const file = new URL('../../golden/estep.json', import.meta.url)
const golden: { cases: Case[]; truncation: Truncation[] } = JSON.parse(readFileSync(file, 'utf8'))
/** The file stores smaller numbers as 0, or as what 30 digits leave of 0. */
const SMALLEST = 1e-28

const statuses: Record<string, string> = { degenerate_all_zero: 'undetermined' }

describe.each(golden.cases)('golden E-step $id: $desc', (c) => {
  const losses = Float64Array.from(c.losses)
  const pi = new Float64Array(losses.length)

  it('exact', () => {
    const step = exactEStep(losses, pi)
    expect(step.status).toBe(statuses[c.exact.status] ?? c.exact.status)
    if (step.status === 'interior') {
      expectClose(step.mean, c.exact.m, 1e-9)
      expectClose(step.level, c.exact.one_minus_m!, 1e-9)
      expectClose(pi, c.exact.pi!, 1e-9, SMALLEST)
      expectClose(profileBound(losses, step.mean), -c.exact.objective, 1e-9)
      expectClose(bound(losses, pi), -c.exact.objective, 1e-9)
    }
    if (step.status === 'collapse') expectClose(pi, c.exact.limit_weights!, 1e-9)
    if (step.status === 'saturate') expectClose(profileBound(losses, 1), -c.exact.objective, 1e-9)
  })

  it('standard rule', () => {
    const step = paperEStep(losses, paperRules.standard, pi)
    expect(step.iterations).toBe(c.standard.iterations)
    expectClose(step.mean, c.standard.m_end, 1e-9)
    expectClose(pi, c.standard.pi, 1e-9)
    expectClose(bound(losses, pi), -c.objective.elbo_at_standard_pi, 1e-9, 1e-9)
  })

  it('deep rule, with its truncation', () => {
    const step = paperEStep(losses, paperRules.deep, pi, new Float64Array(losses.length).fill(1))
    expect(step.iterations).toBe(c.deep.iterations)
    expectClose(step.mean, c.deep.m_end, 1e-9)
    expectClose(pi, c.deep.pi, 1e-9)
    expectClose(truncationThreshold(pi) ?? -1, c.deep.tau ?? -1, 1e-9)
  })

  if (c.deep_with_previous)
    it('deep rule after an earlier epoch', () => {
      const { previous, pi: expected, iterations } = c.deep_with_previous!
      const step = paperEStep(losses, paperRules.deep, pi, Float64Array.from(previous))
      expect(step.iterations).toBe(iterations)
      expectClose(pi, expected, 1e-9)
    })

  it('online rule', () => {
    const step = paperEStep(losses, paperRules.online, pi)
    expect(step.iterations).toBe(c.online.iterations)
    expectClose(step.mean, c.online.m_end, 1e-9)
    expectClose(pi, c.online.s, 1e-9)
  })

  it.each(c.constrained.map((x) => [x.n0, x] as const))('constrained to %s good rows', (n0, expected) => {
    // Whether the constraint binds is stated for the exact free step, whose collapse has zero weights.
    if (exactEStep(losses, pi).status === 'collapse') pi.fill(0)
    const step = constrain(losses, n0, pi)
    expect(step.active).toBe(expected.active)
    if (step.active) {
      // Where 40 digits cannot tell the weights from 0 and 1, any lambda of a wide range passed for the file's root.
      const flat = expected.pi!.every((p) => p * (1 - p) < SMALLEST)
      if (!flat) expectClose(step.lambda, expected.lam!, 1e-8)
      expectClose(pi, expected.pi!, 1e-8, SMALLEST)
    }
  })

  it.each(c.rrm.map((x) => [x.eps_tilde, x] as const))('RRM weights at %s', (epsilon, expected) => {
    const alpha = entropyWeights(losses, epsilon, pi)
    expectClose(pi, expected.p, 1e-7)
    if (expected.alpha === null) expect(alpha).toBeUndefined()
    else expectClose(alpha!, expected.alpha, 1e-6)
  })

  it('bound at fixed mean weights', () => {
    for (const [mean, value] of Object.entries(c.objective.profile)) {
      expectClose(profileBound(losses, Number(mean)), -value, 1e-9, SMALLEST)
    }
  })
})

describe('golden truncation', () => {
  it.each(golden.truncation.map((t, k) => [k, t] as const))('case %s', (_, t) => {
    expect(truncationThreshold(Float64Array.from(t.pi), t.alpha) ?? null).toBe(t.tau)
  })
})
