/** Words for an `RlviError` to show as they are, without quotes: it shows what has no JSON by its `toString`. */
export function phrase(words: string): unknown {
  return { toJSON: () => undefined, toString: () => words }
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the largest size of a file is reached',
  EISDIR: 'a folder',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the disk is read-only',
}

/**
 * What the system said, in words where its code is a common one. As in @rlvi/tables, which is not loaded here: its
 * database would cost a long-running process time to start and memory, for nothing.
 */
export function said(error: unknown): unknown {
  const { code } = error as { code?: string }
  const message = error instanceof Error ? error.message : String(error)
  return phrase(code === undefined ? message : (words[code] ?? message))
}
