import type { Params } from 'rlvi'
import type { PassModel, RowWeights } from 'rlvi/passes'
import { type Let, number } from './dialect.js'
import type { RowsSql, ValueSql } from './models.js'
import { inQueries, MOST_SUMS, type Piece } from './pieces.js'
import { type Answer, checkRows, namesOf, numberOf, numbersOf, type SqlRows } from './rows.js'
import { weightSql } from './weights.js'

/** The arrays that stand behind each other in one. */
function parted(answer: Answer, lengths: readonly number[]): Answer[] {
  const all = numbersOf(answer)
  let end = 0
  return lengths.map((length) => {
    end += length
    return all.slice(end - length, end)
  })
}

/** Scans of the rows of a design under a model, in a database. */
export class SqlScan<P extends Params> {
  readonly model: PassModel<P>
  readonly table: SqlRows
  readonly names: RowsSql
  readonly cols: number
  readonly centre: Float64Array
  private readonly base: readonly Let[]

  constructor(model: PassModel<P>, table: SqlRows) {
    this.model = model
    this.table = table
    this.cols = table.x.length
    this.centre = table.centre
    const { names, lets } = namesOf(table)
    this.names = names
    this.base = lets
  }

  weight(weights: RowWeights<P>, squared = false): ValueSql {
    const { lets, sql } = weightSql(this.model, weights, this.names)
    if (!squared) return { lets, sql }
    const name = `${this.table.prefix}squared`
    const { dialect, prefix } = this.table
    return { lets: [...lets, [name, dialect.bind(sql, `${prefix}once`, (w) => `${w} * ${w}`)]], sql: name }
  }

  /** The columns less a place, by name. */
  centred(place: Float64Array): { readonly lets: readonly Let[]; readonly names: readonly string[] } {
    const { prefix } = this.table
    const lets = this.names.x.flatMap((x, j): Let[] =>
      place[j] === 0 ? [] : [[`${prefix}z${j}`, `(${x} - ${number(place[j]!)})`]],
    )
    return { lets, names: this.names.x.map((x, j) => (place[j] === 0 ? x : `${prefix}z${j}`)) }
  }

  /** Weighted sums of all products of two columns, in pieces that are not too large. */
  products(weight: string, columns: readonly string[], tag: string): Piece[] {
    const { dialect, prefix } = this.table
    const pieces: Piece[] = []
    for (let from = 0; from < columns.length; ) {
      let to = from
      let sums = 0
      do sums += columns.length - to++
      while (to < columns.length && sums + columns.length - to <= MOST_SUMS)
      const lengths = columns.slice(from, to).map((_, j) => columns.length - from - j)
      pieces.push({
        ...dialect.products(weight, columns, [from, to], `${prefix}${tag}_${from}_`),
        sums,
        lengths,
      })
      from = to
    }
    return pieces
  }

  /** The answers to each piece, all from scans of all rows. */
  async sums(lets: readonly Let[], pieces: readonly Piece[]): Promise<(readonly Answer[])[]> {
    const out: Answer[][] = pieces.map(() => [])
    for (const query of inQueries([...this.base, ...lets], pieces)) {
      const items = query.flatMap((piece) => piece.items)
      const [row = []] = await this.query(
        [...lets, ...query.flatMap((piece) => piece.lets)],
        ['count(*)', ...items],
      )
      checkRows(this.table, numberOf(row[0]!))
      let at = 1
      for (const piece of query) {
        const answers = row.slice(at, at + piece.items.length)
        out[piece.of]!.push(...(piece.isOnce ? parted(answers[0]!, piece.lengths!) : answers))
        at += piece.items.length
      }
    }
    return out
  }

  async query(
    lets: readonly Let[],
    items: readonly string[],
    groupBy?: string,
  ): Promise<readonly (readonly Answer[])[]> {
    const { dialect, from, where } = this.table
    const all = [...this.base, ...lets]
    return await this.table.ask(
      dialect.select({ from, where, lets: all, items, ...(groupBy === undefined ? {} : { groupBy }) }),
    )
  }
}
