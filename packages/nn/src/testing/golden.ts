import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'

/** A tensor of the golden file: float32 in base64, or numbers to 15 digits. */
export type GoldenTensor =
  | { readonly shape: readonly number[]; readonly f32: string }
  | { readonly shape: readonly number[]; readonly data: readonly number[] }

export type GoldenTensors = Readonly<Record<string, GoldenTensor>>

export interface Summary {
  readonly sum: number
  readonly sumsq?: number
  readonly l2?: number
  readonly first: readonly number[]
}

export interface Trace {
  readonly lr: number
  readonly momentum: number
  readonly betas: readonly [number, number]
  readonly eps: number
  readonly weight_decay: number
  readonly trace: readonly {
    readonly per_sample_ce: GoldenTensor
    readonly weighted_mean_loss: number
    readonly grad_l2: Readonly<Record<string, number>>
    readonly param_summary_after: Readonly<Record<string, Summary>>
    readonly running_stats_after?: GoldenTensors
  }[]
  readonly params_after_3?: GoldenTensors
}

export interface GoldenModel {
  readonly x: GoldenTensor
  readonly labels: readonly number[]
  readonly pi: readonly number[]
  readonly params: GoldenTensors
  readonly running_stats_initial?: GoldenTensors
  readonly per_sample_ce: GoldenTensor
  readonly weighted_mean_loss: number
  readonly grads_of_mean_pi_ce: GoldenTensors
  readonly sgd: Trace
  readonly adam: Trace
  readonly channel_dropout: {
    readonly p: number
    readonly logits: GoldenTensor
    readonly mean_loss: number
    readonly grad_summary: Readonly<Record<string, Summary>>
    readonly mask1: readonly (readonly number[])[]
    readonly mask2: readonly (readonly number[])[]
    readonly mask_block1: readonly (readonly number[])[]
    readonly mask_block2: readonly (readonly number[])[]
  }
}

export interface GoldenOp {
  readonly op: string
  readonly stride?: number
  readonly padding?: number
  readonly x: GoldenTensor
  readonly weight?: GoldenTensor | null
  readonly bias?: GoldenTensor | null
  readonly mask?: readonly (readonly number[])[]
  readonly logits: GoldenTensor
  readonly labels: readonly number[]
  readonly ce: GoldenTensor
  readonly grad_of_sum: GoldenTensor
  readonly out: GoldenTensor
  readonly grad_out: GoldenTensor
  readonly grad_x: GoldenTensor
  readonly grad_weight?: GoldenTensor | null
  readonly grad_bias?: GoldenTensor | null
  readonly running_mean_after: GoldenTensor
  readonly running_var_after: GoldenTensor
}

export interface Golden {
  readonly lenet: GoldenModel & { readonly logits: GoldenTensor }
  readonly mini_resnet: GoldenModel & {
    readonly running_stats_initial: GoldenTensors
    readonly eval_logits_initial: GoldenTensor
    readonly train_logits: GoldenTensor
    readonly running_stats_after_forward: GoldenTensors
    readonly grad_input: GoldenTensor
  }
  readonly ops: readonly GoldenOp[]
  readonly methods: {
    readonly logits1: GoldenTensor
    readonly logits2: GoldenTensor
    readonly labels: readonly number[]
    readonly ce1: GoldenTensor
    readonly ce2: GoldenTensor
    readonly kl_p2_p1: GoldenTensor
    readonly kl_p1_p2: GoldenTensor
    readonly selection: readonly {
      readonly keep: number
      readonly coteaching: {
        readonly picked_by_net1: readonly number[]
        readonly picked_by_net2: readonly number[]
        readonly loss_net1_mean: number
        readonly loss_net2_mean: number
      }
      readonly jocor: {
        readonly lam: number
        readonly picked: readonly number[]
        readonly picked_released_ce_only: readonly number[]
        readonly mean_loss: number
      }
      readonly usdnl: { readonly picked: readonly number[]; readonly mean_ce: number }
    }[]
    readonly bare: {
      readonly k: number
      readonly column_threshold: GoldenTensor
      readonly kept: readonly number[]
      readonly loss: number
    }
  }
  readonly cdr: {
    readonly weight: GoldenTensor
    readonly grad: GoldenTensor
    readonly cases: readonly {
      readonly c: number
      readonly kept_count: number
      readonly grad_after: GoldenTensor
    }[]
  }
  readonly lr_schedules: Readonly<
    Record<
      'cosine' | 'mnist_linear' | 'mnist_released_cumulative' | 'multistep',
      { readonly lr: readonly number[] }
    >
  >
}

/** The share of a batch to leave out, by epoch (the first entry is epoch 0). */
export function goldenForgetRates(): readonly {
  readonly rate: number
  readonly values: readonly number[]
}[] {
  return (golden().lr_schedules as unknown as { forget_rate: ReturnType<typeof goldenForgetRates> })
    .forget_rate
}

/** Numbers that torch computed in float64 (see golden/README.md). */
export function golden(): Golden {
  const file = new URL('../../golden/nn.json.gz', import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}

export function numbers(tensor: GoldenTensor): Float64Array {
  if ('data' in tensor) return Float64Array.from(tensor.data)
  const bytes = Buffer.from(tensor.f32, 'base64')
  return Float64Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
}

/** Float32 storage of a golden tensor costs this much. */
const STORED = 1e-7

/** Every entry within `tolerance` of the expected one, relative to the largest expected entry. */
export function expectNear(
  got: ArrayLike<number>,
  expected: GoldenTensor | ArrayLike<number>,
  tolerance: number,
  what = '',
): void {
  const isTensor = 'shape' in expected
  const want = isTensor ? numbers(expected) : Float64Array.from(expected)
  const limit = isTensor && 'f32' in expected ? Math.max(tolerance, STORED) : tolerance
  expect(got.length, what).toBe(want.length)
  const size = want.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-30)
  for (let i = 0; i < want.length; i++) {
    if (!(Math.abs(got[i] - want[i]) <= limit * size)) {
      expect.fail(`${what} entry ${i}: ${got[i]} is not ${want[i]} within ${limit} of ${size}`)
    }
  }
}

/** How far an executor may be from torch. */
export interface Tolerance {
  /** After one step, relative to a tensor's largest entry. */
  readonly once: number
  /** After three. */
  readonly later: number
}
