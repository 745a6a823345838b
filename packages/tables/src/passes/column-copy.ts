import { BlockFile, COPY_ROWS } from './block-file.js'
import type { ScannedRows } from './scan.js'

/** Some rows of columns of numbers, or of codes of texts. */
export type CopiedColumns = Pick<ScannedRows, 'first' | 'rows' | 'numbers'>

/**
 * Columns of a table as a scan found them, in a file: the database reads a table once, and all that comes after reads this.
 * Without room for it on the disk there is none.
 */
export class ColumnCopy {
  private readonly names: readonly string[]
  private readonly file: BlockFile
  // While one block is written another one is filled, column by column.
  private rooms: readonly Float64Array[]
  private which: 0 | 1 = 0
  private filled = 0
  private isWhole = false
  /** Closed, or another's to close. */
  private isOver = false

  private constructor(names: readonly string[], file: BlockFile) {
    this.names = names
    this.file = file
    const room = (): Float64Array => new Float64Array(COPY_ROWS * names.length)
    this.rooms = [room(), room()]
  }

  static async create(path: string, rows: number, names: readonly string[]): Promise<ColumnCopy | undefined> {
    if (names.length === 0) return undefined
    const file = await BlockFile.create(path, rows, names.length)
    return file && new ColumnCopy(names, file)
  }

  /** The next rows of a scan. */
  async add({ rows, numbers }: ScannedRows): Promise<void> {
    for (let from = 0; from < rows; ) {
      const count = Math.min(rows - from, COPY_ROWS - this.filled)
      const room = this.rooms[this.which]!
      for (let j = 0; j < this.names.length; j++)
        room.set(numbers[j]!.subarray(from, from + count), j * COPY_ROWS + this.filled)
      this.filled += count
      from += count
      if (this.filled === COPY_ROWS) await this.flush()
    }
  }

  private async flush(): Promise<void> {
    const room = this.rooms[this.which]!
    const columns = this.names.map((_, j) => room.subarray(j * COPY_ROWS, j * COPY_ROWS + this.filled))
    await this.file.write(this.filled, this.filled === COPY_ROWS ? [room] : columns)
    this.which = this.which === 0 ? 1 : 0
    this.filled = 0
  }

  /** After the last row; a copy that could not be written is as good as none. */
  async finish(): Promise<void> {
    if (this.filled > 0) await this.flush()
    this.isWhole = await this.file.finish()
    this.rooms = []
    if (!this.isWhole) await this.close()
  }

  /** Whether these columns can be read from here. */
  holds(names: readonly string[]): boolean {
    return this.isWhole && names.every((name) => this.names.includes(name))
  }

  async each(names: readonly string[], use: (rows: CopiedColumns) => void | Promise<void>): Promise<void> {
    const places = names.map((name) => this.names.indexOf(name))
    await this.file.each((values, rows, first) =>
      use({ first, rows, numbers: places.map((j) => values.subarray(j * rows, (j + 1) * rows)) }),
    )
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
