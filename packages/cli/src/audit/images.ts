import { type Audit, audit, isInPaper, methodTitles, picture, type Settings } from '@rlvi/vision'
import type { Io } from '../terminal/io.js'
import { printable } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { executorOf, isSmall, loadImages, settingsOf, weightsOf } from '../train/learn.js'
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
  /** The picture of a suspect, as PNG. */
  picture(suspect: Suspect): Promise<Uint8Array>
}

/** Trains on a data set of images, and ranks its labels. */
export async function auditImages(what: string, options: ImageAuditOptions, io: Io): Promise<ImageFindings> {
  const { method, assumed, split, folds, networks, seed } = options
  const data = await loadImages(what, options, io)
  const settings = settingsOf(data, options)
  const few = isInPaper(data.name) ? EPOCHS[settings.network] : settings.epochs
  const epochs = options.epochs ?? few
  const bar = progressBar(printable(data.name))
  try {
    const found = await audit(data, {
      split,
      settings: { ...settings, epochs },
      method,
      executor: executorOf(options),
      folds,
      networks,
      warmUp: isSmall(data, options),
      seed,
      ...(assumed === undefined ? {} : { assumed }),
      ...(await weightsOf(options.weights)),
      onProgress: (share) => bar.update(share),
    })
    if (!found.learned)
      io.remark(
        'the networks separate the classes no better than chance, so this ranking means nothing: give more --epochs',
      )
    const cut = split === 'test' ? 'test split' : `${folds} folds`
    const many = networks === 1 ? '' : `, ${networks} networks`
    const how = `${settings.network}, ${methodTitles[method]}, ${epochs} epochs, ${cut}${many}`
    return {
      ...findings(data.name, data.classes, how, found),
      picture: ({ row }) => picture(found.samples, row),
    }
  } finally {
    bar.hide()
  }
}

function findings(name: string, classes: readonly string[], how: string, found: Audit): Findings {
  const { samples, order, clean, losses, suggested, probability, level, seconds } = found
  const { paths, labels } = samples
  const suspects = Array.from(order, (row): Suspect => {
    const file = paths?.[row]
    return {
      row,
      ...(file === undefined ? {} : { file }),
      label: classes[labels[row]!]!,
      suggested: classes[suggested[row]!]!,
      probability: probability[row]!,
      clean: clean[row]!,
      loss: losses[row]!,
    }
  })
  const flagged = suspects.filter((one) => one.clean < 0.5).length
  return { name, how, suspects, flagged, level, cautions: [], seconds }
}
