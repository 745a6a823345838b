import { join } from 'node:path'
import { hearSignals } from '@rlvi/io'
import {
  AUDIT_FILE,
  type Audit,
  type AuditOptions,
  audit,
  auditDuration,
  auditedSamples,
  type DataSet,
  isInPaper,
  isSmallPicture,
  methodTitles,
  original,
  type Samples,
  type Settings,
  type Thumbnail,
} from '@rlvi/vision'
import type { Io } from '../terminal/io.js'
import { printable } from '../terminal/printable.js'
import { duration, progressBar } from '../terminal/progress.js'
import { rowIndex, rowNumber } from '../terminal/row-number.js'
import { checkCheckpoint } from '../train/checkpoint.js'
import { habitMatrix, habitsOf } from '../train/habits.js'
import { executorOf, isSmall, type Loaded, loadImages, settingsOf, weightsOf } from '../train/learn.js'
import { levelRemarks } from '../train/level-remarks.js'
import type { ImageAuditOptions } from './options.js'
import type { Findings, Suspect } from './suspects.js'

/** Of the paper's data sets: enough to know what a label should be, and no more. */
const EPOCHS: Readonly<Record<Settings['network'], number>> = {
  lenet: 8,
  resnet18: 20,
  resnet34: 20,
  resnet50: 10,
}

export interface ImageFindings extends Findings {
  /** The picture of a suspect as it was given, scaled to fit a page. */
  picture(suspect: Suspect): Promise<Thumbnail>
  /** Its file, if it has one. */
  path(suspect: Suspect): string | undefined
}

/** Trains on a data set of images, and ranks its labels. */
export async function auditImages(what: string, options: ImageAuditOptions, io: Io): Promise<ImageFindings> {
  const { checkpoint, split } = options
  await checkCheckpoint(options, AUDIT_FILE, io)
  const remarks: string[] = []
  const remark = (line: string): void => {
    remarks.push(line)
    io.remark(line)
  }
  const loaded = await loadImages(what, options, remark, 'list')
  const { data } = loaded
  const samples = auditedSamples(data, split)
  const settings = auditSettings(data, options)
  const how = howText(settings, options)
  const stop = checkpoint === undefined ? undefined : hearSignals()
  const bar = progressBar(printable(data.name))
  try {
    const asked: AuditOptions = {
      split,
      settings,
      method: options.method,
      executor: executorOf(options),
      folds: options.folds,
      networks: options.networks,
      warmUp: isSmall(data, options),
      seed: options.seed,
      ...(options.assumed === undefined ? {} : { assumed: options.assumed }),
      ...(await weightsOf(options.weights)),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(stop === undefined ? {} : { signal: stop.signal }),
      onProgress: (share) => bar.update(share),
    }
    io.remark(`${seenText(samples, loaded)}: ${how}`)
    const seconds = await auditDuration(data, asked)
    if (seconds !== undefined) io.remark(timeText(seconds, settings, loaded))
    const found = await audit(data, asked)
    bar.hide()
    if (!found.learned)
      remark(
        'the networks separate the classes no better than chance, so this ranking means nothing: give more --epochs, or look at some images of each class',
      )
    const seen = {
      images: samples.labels.length,
      classes: data.classes,
      givenUp: found.learned ? found.givenUp : [],
    }
    for (const line of levelRemarks(found.level, seen)) remark(line)
    return toFindings(data, how, found, remarks)
  } finally {
    bar.hide()
    stop?.release()
  }
}

function auditSettings(data: DataSet, options: ImageAuditOptions): Settings {
  const settings = settingsOf(data, options)
  const few = isInPaper(data.name) ? EPOCHS[settings.network] : settings.epochs
  return { ...settings, epochs: options.epochs ?? few }
}

function howText(
  { network, epochs }: Settings,
  { method, split, folds, networks }: ImageAuditOptions,
): string {
  const cut = split === 'test' ? 'test split' : `${folds} folds`
  const many = networks === 1 ? '' : `, ${networks} networks`
  return `${network}, ${methodTitles[method]}, ${epochs} epochs, ${cut}${many}`
}

/** What there is, and as what it is read. */
function seenText({ labels, width, height, channels }: Samples, { data, seen }: Loaded): string {
  const read = `${width} x ${height}${channels === 1 ? ' in grey' : ''}`
  const from = seen === undefined ? '' : `about ${seen.width} x ${seen.height} pixels, read as `
  return `${labels.length} images of ${data.classes.length} classes, ${from}${read}`
}

/** Longer than this, a person wants to know how to have it sooner (seconds). */
const LONG = 300

function timeText(seconds: number, { network }: Settings, { seen }: Loaded): string {
  const quicker = network === 'lenet' ? '' : '--network lenet, '
  const todo = seconds < LONG ? '' : `; quicker, and less sure: ${quicker}--epochs N, --limit N`
  const hasMore = network === 'lenet' && seen !== undefined && !isSmallPicture(seen.width, seen.height)
  const slower = hasMore
    ? '; a larger network may see more of photographs, and takes far longer: --network resnet18'
    : ''
  return `this takes about ${duration(1000 * seconds)} on this machine${todo}${slower}`
}

function toFindings(
  { name, classes }: DataSet,
  how: string,
  found: Audit,
  remarks: readonly string[],
): ImageFindings {
  const { samples, order, clean, losses, suggested, probability, level, interval, seconds } = found
  const { paths, labels, root } = samples
  const matrix = habitMatrix(found.habits, classes)
  const suspects = Array.from(order, (i): Suspect => {
    const file = paths?.[i]
    return {
      row: rowNumber(i),
      ...(file === undefined ? {} : { file }),
      label: classes[labels[i]!]!,
      suggested: classes[suggested[i]!]!,
      probability: probability[i]!,
      clean: clean[i]!,
      loss: losses[i]!,
    }
  })
  return {
    name,
    how,
    suspects,
    flagged: suspects.filter((one) => one.clean < 0.5).length,
    level,
    interval,
    habits: habitsOf(matrix),
    matrix,
    cautions: [],
    remarks,
    unreadable: (samples.unreadable ?? []).map(({ path, label, reason }) => ({ file: path, label, reason })),
    seconds,
    picture: ({ row }) => original(samples, rowIndex(row)),
    path: ({ file }) => (root === undefined || file === undefined ? undefined : join(root, file)),
  }
}
