import { RlviError } from 'rlvi'

/** What must be known of a network to use it. */
export interface ModelInfo {
  readonly network: string
  /** Channels, height and width. */
  readonly image: readonly [number, number, number]
  /** Names of the classes, in the order of the outputs. */
  readonly classes: readonly string[]
  /** Subtracted from the pixels (from 0 to 1) of each channel, and what the rest is divided by. */
  readonly normalisation: { readonly mean: readonly number[]; readonly sd: readonly number[] }
}

const KEY = 'rlvi'

export function metadataOf(info: ModelInfo): Record<string, string> {
  return { [KEY]: JSON.stringify(info) }
}

/** Reads it back from a file's metadata, which are not trusted. */
export function infoOf(metadata: Readonly<Record<string, string>> = {}): ModelInfo {
  const where = 'onnx file, metadata'
  const fail = (rule: string, got: unknown): never => {
    throw new RlviError(where, rule, got, 'write the file with exportOnnx')
  }
  const stored = metadata[KEY]
  if (stored === undefined) return fail('must describe the network', 'none')
  let info: Partial<ModelInfo> | null = null
  try {
    info = JSON.parse(stored) as Partial<ModelInfo> | null
  } catch {
    fail('must be JSON', stored)
  }
  const { network, image, classes, normalisation } = info ?? {}
  if (typeof network !== 'string') return fail('the network must have a name', network)
  const isSize = (length: unknown): boolean => Number.isInteger(length) && (length as number) >= 1
  if (!Array.isArray(image) || image.length !== 3 || !image.every(isSize))
    return fail('image must be [channels, height, width]', image)
  if (!Array.isArray(classes) || classes.length === 0 || !classes.every((name) => typeof name === 'string'))
    return fail('classes must be names', classes)
  const twice = classes.find((name, k) => classes.indexOf(name) < k)
  if (twice !== undefined) return fail('classes must have names of their own', twice)
  const { mean, sd } = normalisation ?? {}
  const perChannel = (list: unknown): boolean =>
    Array.isArray(list) && list.length === image[0] && list.every((value) => Number.isFinite(value))
  if (!perChannel(mean)) return fail(`mean must hold ${image[0]} numbers`, mean)
  if (!perChannel(sd) || !(sd as number[]).every((value) => value > 0))
    return fail(`sd must hold ${image[0]} numbers above 0`, sd)
  return {
    network,
    image: [image[0], image[1], image[2]],
    classes,
    normalisation: { mean: mean as number[], sd: sd as number[] },
  }
}
