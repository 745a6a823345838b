/** A file of a data set, with its sum where the official file's is known. Bytes and sum are of the unpacked file. */
export interface DataFile {
  readonly name: string
  readonly bytes?: number
  readonly sha256?: string
  /** The data can be used without it. */
  readonly optional?: boolean
}

/** Where data come from when nobody says otherwise. */
export type Source =
  | { readonly kind: 'npm'; readonly package: string }
  | { readonly kind: 'files'; readonly base: string; readonly packed: readonly DataFile[] }
  | { readonly kind: 'archive'; readonly address: string; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'path'; readonly ask: string }
  | { readonly kind: 'made'; readonly of: string }

/** A known data set: what it is, and where it comes from. */
export interface DataSetInfo {
  readonly name: string
  readonly what: string
  /** Samples for training and for testing. */
  readonly samples: readonly [train: number, test: number]
  /** On disk. */
  readonly bytes: number
  readonly licence: string
  readonly home: string
  readonly source: Source
  /** The files to keep; for Food-101, a tree of images, none are named. */
  readonly files: readonly DataFile[]
}
