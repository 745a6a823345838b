import type { NetworkMethod, NetworkName, NoiseType } from '@rlvi/vision'

// @rlvi/vision takes a while to load, which a help text or a refusal should not wait for. A test holds these lists to
// those of vision.

export const networkNames = [
  'lenet',
  'resnet18',
  'resnet34',
  'resnet50',
] as const satisfies readonly NetworkName[]

export const methodNames = [
  'standard',
  'coteaching',
  'jocor',
  'cdr',
  'usdnl',
  'bare',
  'rlvi',
  'rlvi-untruncated',
  'posterior',
] as const satisfies readonly NetworkMethod[]

/** Those that assume a share of wrong labels. */
export const assumingMethods: readonly NetworkMethod[] = ['coteaching', 'jocor', 'cdr', 'usdnl']

export const noiseTypes = [
  'symmetric',
  'asymmetric',
  'pairflip',
  'instance',
] as const satisfies readonly NoiseType[]
