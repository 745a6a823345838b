/** What a disk says that takes no more. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Whether that is what the system says: of the disk for temporary files, and not of what was read. */
export function isFull(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && FULL.includes((error as NodeJS.ErrnoException).code ?? '')
}

/** What a program of `apart` prints where it fails. */
export interface Failed {
  readonly error: string
  /** Of a disk that is full. */
  readonly code?: string
}

export function failed(error: Error): Failed {
  return { error: error.message, ...(isFull(error) ? { code: error.code! } : {}) }
}
