import type { OutColumn } from '@rlvi/tables'
import { rowNumber } from '../terminal/row-number.js'

/** The number of each row, in the files and lists of every command. */
export const numberColumn: OutColumn = { name: 'row', kind: 'integer', at: rowNumber }
