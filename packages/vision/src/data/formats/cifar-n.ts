import { phrase, RlviError } from 'rlvi'
import { type NoisyLabels, scored } from '../../noise/noise.js'
import { type ImageSet, type Labels, makeLabels } from '../image-set.js'
import { readBytes } from './bytes.js'

/** What people said of CIFAR's training images; what a column is called, here or in the authors' files. */
const annotations = {
  cifar10n: {
    aggregate: ['aggre', 'aggre_label', 'aggregate'],
    random1: ['random1', 'random_label1'],
    random2: ['random2', 'random_label2'],
    random3: ['random3', 'random_label3'],
    worst: ['worse', 'worse_label', 'worst'],
  },
  cifar100n: { fine: ['noisy_fine', 'noisy_label'] },
} as const
const clean = ['clean', 'clean_label', 'clean_fine']

export type HumanSet = keyof typeof annotations

export function annotationsOf(set: HumanSet): readonly string[] {
  return Object.keys(annotations[set])
}

/** The annotation that is taken when none is named: the noisiest. */
export function defaultAnnotation(set: HumanSet): string {
  return set === 'cifar10n' ? 'worst' : 'fine'
}

/**
 * Human labels, a line for each training image in the order of the binary files. The column of clean labels must
 * agree with the images' own, so that a file in another order (TensorFlow's, for instance) cannot go unnoticed.
 */
export async function readHumanLabels(
  path: string,
  set: HumanSet,
  annotation: string,
  images: Pick<ImageSet, 'labels' | 'classes' | 'name'>,
): Promise<NoisyLabels> {
  const table = await readTable(path)
  const columns = (annotations[set] as Readonly<Record<string, readonly string[]>>)[annotation]
  if (columns === undefined) {
    const names = annotationsOf(set).join(', ')
    throw new RlviError(set, `one of the annotations ${names} is needed`, annotation)
  }
  const truth = column(path, table, clean, images.classes.length)
  const given = column(path, table, columns, images.classes.length)
  if (truth.length !== images.labels.length) {
    const rule = `a line for each of ${images.labels.length} training images of ${images.name} is needed`
    throw new RlviError(path, rule, truth.length)
  }
  const differs = truth.findIndex((label, i) => label !== images.labels[i])
  if (differs >= 0) {
    const rule = `the clean label of image ${differs} must be that of ${images.name}, ${images.labels[differs]}`
    const todo = "the lines must be in the order of the binary files' batches 1 to 5"
    throw new RlviError(path, rule, truth[differs], todo)
  }
  const labels = scored(given, truth, 0)
  return { ...labels, expected: labels.corrupt.reduce((sum, bit) => sum + bit, 0) / truth.length }
}

/** How many images a file labels; every annotation must be there and in range. */
export async function countHumanLabels(path: string, set: HumanSet): Promise<number> {
  const table = await readTable(path)
  const classes = set === 'cifar10n' ? 10 : 100
  for (const names of [clean, ...Object.values(annotations[set])]) column(path, table, names, classes)
  return table.rows.length
}

interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const asCsv =
  "write its arrays as columns of a CSV file: python3 -c \"import torch, pandas; d = torch.load('FILE.pt', " +
  "weights_only=False); pandas.DataFrame({k: d[k] for k in d if 'label' in k}).to_csv('FILE.csv', index=False)\""

/** A CSV of whole numbers, gzipped or not. */
async function readTable(path: string): Promise<Table> {
  const bytes = await readBytes(path)
  if (isPacked(bytes))
    throw new RlviError(path, 'a CSV file is needed', phrase('a PyTorch or NumPy file'), asCsv)
  const lines = new TextDecoder()
    .decode(bytes)
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/)
  const header = lines[0]!.split(',').map((cell) => cell.trim().replaceAll('"', ''))
  const rows = lines.slice(1).map((line, i) => {
    const cells = line.split(',')
    if (cells.length !== header.length)
      throw new RlviError(`${path}, line ${i + 2}`, `${header.length} values are needed`, cells.length)
    return cells
  })
  return { header, rows }
}

/** PyTorch writes a zip, older versions a pickle; NumPy's files begin with its name. */
function isPacked(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  return (first === 0x50 && second === 0x4b) || first === 0x80 || first === 0x93
}

function column(path: string, { header, rows }: Table, names: readonly string[], classes: number): Labels {
  const at = header.findIndex((name) => names.includes(name))
  if (at < 0)
    throw new RlviError(path, `a column ${names.join(' or ')} is needed`, header.join(', '), 'check the file')
  const values = rows.map((cells, i) => {
    const text = cells[at]!.trim()
    if (!/^\d{1,5}$/.test(text))
      throw new RlviError(`${path}, line ${i + 2}`, `a label is needed in column ${header[at]}`, text)
    return Number(text)
  })
  return makeLabels(`${path}, column ${header[at]}`, classes, values)
}
