import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import type { FolderOptions } from './formats/folder.js'
import { largestPicture, loadSharp, withPicture } from './formats/image-library.js'
import { listClasses } from './formats/listing.js'
import { testFolderOf } from './load-folder.js'
import { dataSets } from './sets/catalogue.js'
import { knownLayout } from './sets/readers.js'

/** What a few pictures of a folder say about all of them. */
export interface Look {
  readonly images: number
  readonly classes: number
  /** The median width and height of those that were looked at. */
  readonly width: number
  readonly height: number
  /** Whether none of them has a colour. */
  readonly grey: boolean
}

/** Pictures that are looked at: of each class at least a few. */
const LOOKS = 120
const LOOKS_AT_A_CLASS = 3
/** The side at which colours are looked for, and how far the channels of a grey picture may lie apart (by compression). */
const SIDE = 24
const APART = 12

/** Looks at some pictures of a folder of one's own; undefined for the sets that have a size of their own. */
export async function look(what: string): Promise<Look | undefined> {
  if (dataSets.some(({ name }) => name === what.split(':')[0])) return undefined
  if (!(await stat(what).catch(() => undefined))?.isDirectory()) return undefined
  if ((await knownLayout(what)) !== undefined) return undefined
  const folder = (await testFolderOf(what)) === undefined ? what : join(what, 'train')
  const classes = await listClasses(folder)
  const each = Math.max(LOOKS_AT_A_CLASS, Math.ceil(LOOKS / classes.length))
  const seen = []
  for (const { images } of classes)
    for (const path of spread(images, each)) seen.push(await lookAt(join(folder, path)))
  const good = seen.filter((one) => one !== undefined)
  return {
    images: classes.reduce((sum, { images }) => sum + images.length, 0),
    classes: classes.length,
    width: median(good.map(({ width }) => width)),
    height: median(good.map(({ height }) => height)),
    grey: good.every(({ grey }) => grey),
  }
}

/**
 * What is not given is chosen: small pictures without colour, or few of them, are for a small network. Few photographs are so
 * too where no card trains: a processor would need hours for what they teach a larger one.
 */
export function readingFor(
  { images, width, height, grey }: Look,
  given: Pick<FolderOptions, 'size' | 'channels'> & {
    readonly network?: string | undefined
    /** Whether a card trains. */
    readonly card?: boolean
  },
): Required<Pick<FolderOptions, 'size' | 'channels'>> {
  const few = images < MANY
  const simple = isSmallPicture(width, height) ? grey || few : few && !given.card
  const lenet = given.network === undefined ? simple : given.network === 'lenet'
  return { size: given.size ?? (lenet ? 28 : 32), channels: given.channels ?? (grey ? 1 : 3) }
}

/** Up to this short side (pixels) nothing is lost at 28 x 28 that a larger network would see at 32 x 32. */
const SMALL = 40
/** So many coloured pictures are worth a larger network. */
const MANY = 5000

/** Whether a picture has no more to it than a small network sees. */
export function isSmallPicture(width: number, height: number): boolean {
  return Math.min(width, height) <= SMALL
}

interface Seen {
  readonly width: number
  readonly height: number
  readonly grey: boolean
}

/** A picture that cannot be read says nothing here; reading all of them will. */
async function lookAt(path: string): Promise<Seen | undefined> {
  // A library that is not there is said here.
  await loadSharp()
  largestPicture()
  return withPicture(path, {}, seen).catch(() => undefined)
}

async function seen(picture: Sharp): Promise<Seen> {
  const { width, height, autoOrient } = await picture.metadata()
  const image = picture.flatten({ background: '#ffffff' }).resize({ width: SIDE, height: SIDE, fit: 'fill' })
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const size = autoOrient ?? { width, height }
  return { width: size.width, height: size.height, grey: isGrey(data, info.channels) }
}

function isGrey(data: Uint8Array, channels: number): boolean {
  if (channels < 3) return true
  for (let at = 0; at + 2 < data.length; at += channels) {
    const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!]
    if (Math.max(r, g, b) - Math.min(r, g, b) > APART) return false
  }
  return true
}

/** Some of a list, evenly spread over it. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list]
  return Array.from({ length: count }, (_, k) => list[Math.floor(((k + 0.5) * list.length) / count)]!)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
