import { readSync } from 'node:fs'
import { type JudgeTask, judgeOfTask, type RowUnits } from '@rlvi/estimator'
import type { Supervised } from 'rlvi'
import { kernelRoom, rescale, type SumsTask, sumsOfTask } from 'rlvi/passes'
import { COPY_ROWS } from './block-file.js'

/** Rows of a design in a file of blocks: those of a block one after the other, and behind them their responses, if they have any. */
export interface FileRows {
  /** All threads of a process have the same files open. */
  readonly fd: number
  readonly rows: number
  readonly cols: number
  readonly hasResponse: boolean
}

/** A pass over rows of a file, in plain data. */
export type FileTask = (SumsTask | JudgeTask) & { readonly units?: RowUnits }

/** What is done with rows of a pass, and what another thread needs to know of it. */
interface Pass {
  add(data: Supervised, first: number): void
  part(): unknown
}

/** Numbers that are read together: as many as stay in a core's own cache while they are worked on. */
const TOGETHER = 2 ** 17
const FEWEST_ROWS = 256
/** As many rows as the kernels take to be worth their while. */
const MOST_ROWS = 4096

/** What a pass finds of the rows from one to another; the first is that of a block. */
export function partOf(task: FileTask, file: FileRows, from: number, to: number): unknown {
  const { cols } = file
  const rows = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(TOGETHER / Math.max(1, cols))))
  // Where kernels need not copy them from. If that memory moved meanwhile, rows were lost on the way.
  const quick = kernelRoom(rows * cols)
  try {
    const part = throughRoom(task, file, from, to, rows, quick)
    if (quick.length > 0) return part
  } catch (error) {
    if (quick.length > 0) throw error
  }
  return throughRoom(task, file, from, to, rows, new Float64Array(rows * cols))
}

function throughRoom(
  task: FileTask,
  file: FileRows,
  from: number,
  to: number,
  together: number,
  x: Float64Array,
): unknown {
  const pass = passOf(task)
  const { fd, cols, hasResponse } = file
  const perRow = 8 * (cols + (hasResponse ? 1 : 0))
  const y = new Float64Array(hasResponse ? COPY_ROWS : 0)
  for (let block = from; block < to; block += COPY_ROWS) {
    const blockRows = Math.min(COPY_ROWS, file.rows - block)
    const at = block * perRow
    const responses = y.subarray(0, hasResponse ? blockRows : 0)
    readAll(fd, responses, at + 8 * blockRows * cols)
    const end = Math.min(blockRows, to - block)
    for (let first = 0; first < end; first += together) {
      const rows = Math.min(together, end - first)
      const values = x.subarray(0, rows * cols)
      readAll(fd, values, at + 8 * first * cols)
      const own = responses.subarray(hasResponse ? first : 0, hasResponse ? first + rows : 0)
      const data = { x: { rows, cols, values }, y: own }
      pass.add(task.units === undefined ? data : toUnits(data, task.units), block + first)
    }
  }
  return pass.part()
}

function passOf(task: FileTask): Pass {
  if (task.by === 'judge') return judgeOfTask(task)
  const sums = sumsOfTask(task)
  return {
    add(data) {
      for (const sum of sums) sum.add(data)
    },
    part: () => sums.map((sum) => sum.part?.() ?? sum.finish()),
  }
}

function readAll(fd: number, numbers: Float64Array, position: number): void {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(fd, bytes, done, bytes.length - done, position + done)
    if (read === 0) throw new Error('the working copy of the rows ended too early')
    done += read
  }
}

/** Rows in units, in their own place. */
function toUnits({ x, y }: Supervised, { kept, units, answer }: RowUnits): Supervised {
  const { centre, scale } = units
  const { rows, cols, values } = x
  const wide = kept.length
  const per = scale.map((value) => 1 / value)
  // Columns that are left out make room: nothing is overwritten before it is read.
  if (wide < cols)
    for (let i = 0, at = 0; i < rows; i++)
      for (let k = 0; k < wide; k++) values[at++] = values[i * cols + kept[k]!]!
  const own = { rows, cols: wide, values: values.subarray(0, rows * wide) }
  rescale(own, centre, per)
  const perAnswer = 1 / answer.scale
  for (let i = 0; i < y.length; i++) y[i] = (y[i]! - answer.centre) * perAnswer
  return { x: own, y }
}
