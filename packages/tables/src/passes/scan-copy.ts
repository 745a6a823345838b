import { type BlockFile, COPY_ROWS, createBlockFile } from './block-file.js'
import type { ScannedRows } from './scan.js'

/** The columns of a copy: of each row the features, one after the other; the target, if there is one, behind all rows of a block. */
export interface CopyShape {
  readonly features: readonly string[]
  readonly target: string | undefined
}

/** Rows of a copy as they lie there, good until the next but one come. */
export interface CopiedScan {
  readonly first: number
  readonly rows: number
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Rows that are put in their order together: as many as stay in the quickest cache. */
const TOGETHER = 64

/**
 * What a scan of a table found, numbers and codes of texts, in a file: the database reads a table once, and all that comes
 * after reads this. Rows lie as those of a design do, which most of them are already. Without room for it on the disk
 * there is none.
 */
export class ScanCopy {
  readonly shape: CopyShape
  private readonly file: BlockFile
  // While one block is written another one is filled.
  private rooms: readonly Omit<CopiedScan, 'first' | 'rows'>[]
  private which: 0 | 1 = 0
  private filled = 0
  private isWhole = false
  /** Whether every number so far is one: no gap, nothing infinite. */
  private areNumbers = true
  /** Whether rows are still to come. */
  isOpen = true
  /** Closed, or another's to close. */
  private isOver = false

  private constructor(shape: CopyShape, file: BlockFile) {
    this.shape = shape
    this.file = file
    const y = shape.target === undefined ? 0 : COPY_ROWS
    this.rooms = [0, 1].map(() => ({
      x: new Float64Array(COPY_ROWS * shape.features.length),
      y: new Float64Array(y),
    }))
  }

  static async create(path: string, rows: number, shape: CopyShape): Promise<ScanCopy | undefined> {
    const perRow = namesOf(shape).length
    const file = perRow === 0 ? undefined : await createBlockFile(path, rows, perRow)
    return file && new ScanCopy(shape, file)
  }

  /** The next rows of a scan of these columns, in any order, and whether all they hold is finite numbers. */
  async add(names: readonly string[], { rows, numbers }: ScannedRows, areNumbers: boolean): Promise<void> {
    this.areNumbers &&= areNumbers
    const { features, target } = this.shape
    const columns = features.map((name) => numbers[names.indexOf(name)]!)
    const response = target === undefined ? undefined : numbers[names.indexOf(target)]!
    for (let from = 0; from < rows; ) {
      const count = Math.min(rows - from, COPY_ROWS - this.filled)
      const { x, y } = this.rooms[this.which]!
      rowByRow(columns, from, count, x, this.filled)
      if (response !== undefined) y.set(response.subarray(from, from + count), this.filled)
      this.filled += count
      from += count
      if (this.filled === COPY_ROWS) await this.flush()
    }
  }

  private async flush(): Promise<void> {
    const { filled: rows, shape } = this
    const { x, y } = this.rooms[this.which]!
    const parts = [x.subarray(0, rows * shape.features.length), y.subarray(0, rows)]
    await this.file.write(
      rows,
      parts.filter((part) => part.length > 0),
    )
    this.which = this.which === 0 ? 1 : 0
    this.filled = 0
  }

  /** After the last row; a copy that could not be written is as good as none. */
  async finish(): Promise<void> {
    this.isOpen = false
    if (this.filled > 0) await this.flush()
    this.isWhole = await this.file.finish()
    this.rooms = []
    if (!this.isWhole) await this.close()
  }

  /** Whether these columns can be read from here. */
  holds(names: readonly string[]): boolean {
    const own = namesOf(this.shape)
    return this.isWhole && names.every((name) => own.includes(name))
  }

  /** The rows as they lie there, where none misses anything. */
  get complete(): BlockFile | undefined {
    return this.isWhole && this.areNumbers ? this.file : undefined
  }

  async each(use: (rows: CopiedScan) => void | Promise<void>): Promise<void> {
    const wide = this.shape.features.length
    await this.file.each((values, rows, first) =>
      use({ first, rows, x: values.subarray(0, rows * wide), y: values.subarray(rows * wide) }),
    )
  }

  /** The named columns of such rows, one by one. */
  columns({ rows, x, y }: CopiedScan, names: readonly string[]): Float64Array[] {
    const { features, target } = this.shape
    return names.map((name) => {
      if (name === target) return y
      const out = new Float64Array(rows)
      const wide = features.length
      for (let i = 0, at = features.indexOf(name); i < rows; i++, at += wide) out[i] = x[at]!
      return out
    })
  }

  /**
   * A file in the place of this one for what is made of its rows while they are read, once; undefined where that is longer. Once it is
   * written this copy is to be closed: it holds nothing any more.
   */
  over(perRow: number): BlockFile | undefined {
    const file = this.isWhole ? this.file.over(perRow) : undefined
    this.isOver = file !== undefined
    return file
  }

  async close(): Promise<void> {
    this.isWhole = false
    if (this.isOver) return
    this.isOver = true
    await this.file.close()
  }
}

function namesOf({ features, target }: CopyShape): readonly string[] {
  return target === undefined ? features : [...features, target]
}

/** Columns as rows, from row `to` of `x` on. */
function rowByRow(
  columns: readonly Float64Array[],
  from: number,
  count: number,
  x: Float64Array,
  to: number,
): void {
  const wide = columns.length
  for (let begin = 0; begin < count; begin += TOGETHER) {
    const end = Math.min(count, begin + TOGETHER)
    let j = 0
    // Four columns at a time, whose numbers lie side by side in a row.
    for (; j + 4 <= wide; j += 4) {
      const [a, b, c, d] = [columns[j]!, columns[j + 1]!, columns[j + 2]!, columns[j + 3]!]
      for (let i = begin, at = (to + begin) * wide + j; i < end; i++, at += wide) {
        x[at] = a[from + i]!
        x[at + 1] = b[from + i]!
        x[at + 2] = c[from + i]!
        x[at + 3] = d[from + i]!
      }
    }
    for (; j < wide; j++) {
      const items = columns[j]!
      for (let i = begin, at = (to + begin) * wide + j; i < end; i++, at += wide) x[at] = items[from + i]!
    }
  }
}
