/** Settings of ONNX Runtime. */
export interface SessionOptions {
  /** Threads of each operator. Default: all cores, but one where a run is so short that threads would wait for each other. */
  readonly threads?: number
  /** Writes a profile of every operator to files that begin with this path. */
  readonly profile?: string
}
