import { RlviError } from 'rlvi'

/** Class numbers, in one byte or two. */
export type Labels = Uint8Array | Uint16Array

/** An image file that could not be read. */
export interface Unreadable {
  readonly path: string
  /** The class in whose folder it lies. */
  readonly label: string
  readonly reason: string
}

/** Labelled images of one size, wherever their pixels are. */
export interface Samples {
  readonly name: string
  /** The names of the classes; a label is an index into them. */
  readonly classes: readonly string[]
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
  readonly labels: Labels
  /** Where each image came from, if it was a file of its own: relative to the folder that was loaded. */
  readonly paths?: readonly string[]
  /** The folder that `paths` are relative to. */
  readonly root?: string
  /** Files of the folder that are no images, and were left alone. */
  readonly skipped?: readonly string[]
  /** Images of the folder that could not be read, and are no samples. */
  readonly unreadable?: readonly Unreadable[]
}

/** Images in memory. */
export interface ImageSet extends Samples {
  /** n x channels x height x width, in shared memory if it comes from a loader, so that threads need no copy. */
  readonly pixels: Uint8Array
}

/** Images that are read when they are needed, because they do not fit in memory. */
export interface ImageFiles extends Samples {
  readonly folder: string
  readonly paths: readonly string[]
  /** How an image comes to the size of the set; see `Decoding`. */
  readonly fit?: 'crop' | 'stretch' | 'pad'
}

/** Whether the pixels are in memory. */
export function isInMemory(set: Samples): set is ImageSet {
  return (set as Partial<ImageSet>).pixels !== undefined
}

/** Whether the images are read when they are needed. */
export function isOnDisk(set: Samples): set is ImageFiles {
  return (set as Partial<ImageFiles>).folder !== undefined
}

/** The values of one image. */
export function imageSize(set: Samples): number {
  return set.channels * set.height * set.width
}

export function sharedBytes(size: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(size))
}

/** Labels in as few bytes as the number of classes allows. */
export function makeLabels(where: string, classes: number, values: ArrayLike<number>): Labels {
  if (classes > 65_536) throw new RlviError(where, 'at most 65536 classes can be told apart', classes)
  const labels = classes <= 256 ? new Uint8Array(values.length) : new Uint16Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const label = values[i]!
    if (!(label >= 0 && label < classes))
      throw new RlviError(where, `label ${i} must be from 0 to ${classes - 1}`, label, 'the file is damaged')
    labels[i] = label
  }
  return labels
}

/** Some of the samples, in that order. */
export function subset<S extends Samples>(set: S, indices: ArrayLike<number>): S {
  const picked = Array.from(indices)
  for (const i of picked) {
    if (!(Number.isInteger(i) && i >= 0 && i < set.labels.length))
      throw new RlviError('subset', `an index below ${set.labels.length} is needed`, i)
  }
  const labels = makeLabels(
    set.name,
    set.classes.length,
    picked.map((i) => set.labels[i]!),
  )
  const { paths } = set
  const rest = paths === undefined ? {} : { paths: picked.map((i) => paths[i]!) }
  if (!isInMemory(set)) return { ...set, ...rest, labels }
  const size = imageSize(set)
  const pixels = sharedBytes(picked.length * size)
  for (const [at, i] of picked.entries()) pixels.set(set.pixels.subarray(i * size, (i + 1) * size), at * size)
  return { ...set, ...rest, labels, pixels }
}
