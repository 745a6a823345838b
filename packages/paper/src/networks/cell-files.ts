import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IoError, systemError, unreadable } from '@rlvi/io'
import type { EpochLine } from '@rlvi/vision'
import { phrase, RlviError } from 'rlvi'
import { writeWhole } from '../write.js'
import { type Cell, type CellResult, cellName, sameCell } from './cell.js'

/** Where the results of an experiment's cells lie, a file each, so that a table can be filled over many runs. */
const CELLS = 'cells'
const ENDING = '.json'
const FORMAT = 1

export function cellPath(out: string, cell: Cell): string {
  return join(out, CELLS, `${cellName(cell)}${ENDING}`)
}

/** Writes a cell's result, whole or not at all. */
export async function writeCell(out: string, result: CellResult): Promise<void> {
  const path = cellPath(out, result.cell)
  try {
    await writeWhole(path, `${JSON.stringify({ format: FORMAT, ...result })}\n`)
  } catch (error) {
    throw new IoError(
      path,
      'could not be written',
      systemError(error),
      'the cell is lost; make room and run it again',
    )
  }
}

/** All results in a folder that belong to an experiment, by name. A file that is damaged is an error, not a gap. */
export async function readCells(out: string, belongs: (cell: Cell) => boolean): Promise<CellResult[]> {
  const found: CellResult[] = []
  for (const name of await cellFiles(join(out, CELLS))) {
    const result = await readCell(join(out, CELLS, name))
    if (belongs(result.cell)) found.push(result)
  }
  return found
}

async function cellFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ENDING)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw unreadable(folder, error)
  }
}

async function readCell(path: string): Promise<CellResult> {
  const damaged = (got: string): RlviError =>
    new RlviError(
      path,
      'the result of a cell is needed',
      phrase(got),
      'remove the file to run the cell again',
    )
  let stored: (Partial<CellResult> & { format?: unknown }) | null
  try {
    stored = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged('a file that is no JSON')
    throw unreadable(path, error)
  }
  if (stored?.format !== FORMAT) throw damaged(`format ${JSON.stringify(stored?.format)}`)
  const { cell, images, data, epochs } = stored
  if (!isCell(cell)) throw damaged('no description of the cell')
  if (!path.endsWith(`${cellName(cell)}${ENDING}`)) throw damaged(`another cell, ${cellName(cell)}`)
  if (!(isCount(images?.train) && isCount(images.test))) throw damaged('no numbers of images')
  if (!Array.isArray(epochs) || epochs.length !== cell.epochs || !epochs.every(isLine))
    throw damaged(`other than the lines of ${cell.epochs} epochs`)
  if (data !== undefined && typeof data !== 'string') throw damaged('no checksum of the images')
  return { cell, images, ...(data === undefined ? {} : { data }), epochs }
}

function isCell(value: unknown): value is Cell {
  const cell = (value ?? {}) as Partial<Cell>
  const texts = [cell.dataset, cell.noise, cell.method]
  return (
    texts.every((text) => typeof text === 'string') &&
    isShare(cell.rate) &&
    isCount(cell.seed) &&
    isCount(cell.epochs) &&
    (cell.limit === undefined || isCount(cell.limit))
  )
}

function isLine(value: unknown, at: number): value is EpochLine {
  const line = (value ?? {}) as Partial<EpochLine>
  const shares = [line.test, line.threshold, line.cleanKept, line.corruptCaught, line.level]
  return (
    line.epoch === at + 1 &&
    isShare(line.train) &&
    isShare(line.validation) &&
    shares.every((share) => share === undefined || isShare(share)) &&
    Number.isFinite(line.seconds)
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** The result of that very cell, which must be of the same data. */
export function findCell(
  cells: readonly CellResult[],
  cell: Cell,
  images: CellResult['images'],
  data: string,
): CellResult | undefined {
  const found = cells.find((result) => sameCell(result.cell, cell))
  if (found !== undefined && (found.images.train !== images.train || found.images.test !== images.test)) {
    const rule = `a cell of ${images.train} + ${images.test} images is needed`
    const got = phrase(`one of ${found.images.train} + ${found.images.test}`)
    throw new RlviError(cellName(cell), rule, got, 'choose another `out` for other data')
  }
  if (found?.data !== undefined && found.data !== data) {
    const got = phrase('one of others, as many')
    throw new RlviError(
      cellName(cell),
      'a cell of the same images is needed',
      got,
      'choose another `out` for other data',
    )
  }
  return found
}
