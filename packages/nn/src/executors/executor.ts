import type { Graph } from '../graph/graph.js'

/** Numbers of a tensor, in the width that the executor computes in. */
export type FloatArray = Float32Array | Float64Array

/**
 * A run's inputs by name, row-major; a scalar may be a plain number. Labels and row numbers are Int32Array. An executor
 * that computes in float32 rounds a Float64Array.
 */
export type Feeds = Readonly<Record<string, FloatArray | Int32Array | number>>

/** A run's results by name, row-major. They are the caller's to keep: a later run does not overwrite them. */
export type Fetches = Readonly<Record<string, FloatArray>>

/** Images as bytes, samples x channels x height x width, and what each byte of a channel becomes: channels x 256. */
export interface StoredImages {
  readonly pixels: Uint8Array
  /** Channels, height and width. */
  readonly image: readonly [number, number, number]
  readonly values: Float32Array
}

/** Some stored images, in place of their values. */
export interface StoredBatch {
  readonly images: StoredImages
  readonly samples: Int32Array
  /**
   * How each is seen, three numbers a sample: rows and columns that the window is moved down and to the right by (what it then
   * sees of the outside is the byte 0), and flips: 1 for left and right exchanged, 2 for top and bottom, 3 for both.
   */
  readonly moves?: Int32Array
}

/** A step whose images, the feed `x`, are stored ones. */
export interface StoredStep {
  readonly x: StoredBatch
  /** All other feeds. */
  readonly feeds: Feeds
}

/**
 * Tensors that stay with the executor between runs, by name. Programs compiled with the same variables share them:
 * a training step, the step for the last, smaller batch, and the evaluation all see the same parameters.
 */
export interface Variables {
  has(name: string): boolean
  names(): readonly string[]
  /** A copy of the present value, row-major. Whole numbers, which only the caller can have put there, are not read. */
  read(name: string): Promise<FloatArray>
  /** Overwrites a variable that exists, whose size must agree. The values are copied. */
  write(name: string, values: ArrayLike<number>): Promise<void>
  /** Frees them all. Programs that use them must not run afterwards. */
  dispose(): Promise<void>
}

/** A graph made ready to run, any number of times. One run at a time, but for those on stored images. */
export interface Program {
  readonly graph: Graph
  readonly variables: Variables
  /** One step: computes the fetches, then updates the variables. */
  run(feeds: Feeds): Promise<Fetches>
  /** The same as `run` on each in turn; an executor may do them in one call where that is faster. */
  runMany(steps: readonly Feeds[]): Promise<readonly Fetches[]>
  /**
   * The same for steps on stored images, where an executor can keep those: they are copied to it once, and a step is told only
   * which to take. The results are those of `runMany` on the same values. Another call may be made before the last one has ended; its
   * steps come after those.
   */
  runStored?(steps: readonly StoredStep[]): Promise<readonly Fetches[]>
  /** Frees the program, not the variables. */
  dispose(): Promise<void>
}

/**
 * Runs graphs. Whatever is above this line (layers, differentiation, optimizers, methods, training) knows nothing of
 * how, so a new executor needs no change there.
 */
export interface Executor {
  readonly name: string
  /** Whether its programs have `runStored`. */
  readonly keepsImages?: boolean
  /** An empty set of variables, to share among programs. */
  variables(): Variables
  /**
   * Compiles a graph. Variables of the graph that the set already has (same name and shape) are shared as they are;
   * the others are made and initialised. Without a set the program gets its own.
   */
  compile(graph: Graph, variables?: Variables): Promise<Program>
}
