import type { GivenUp } from '@rlvi/nn/methods'

/** Beyond this share of wrong labels there may be more of a wrong one than of the right one. */
const HALF = 0.5
/** With fewer images of a class, on average, a network knows too little of it. */
const FEW = 100

/** What a share of wrong labels rests on. */
export interface Seen {
  readonly images: number
  readonly classes: readonly string[]
  readonly givenUp: readonly GivenUp[]
}

/** What to say of a share of wrong labels that means little. */
export function levelRemarks(
  level: number | undefined,
  { images, classes, givenUp }: Seen,
): readonly string[] {
  if (level === undefined) return []
  const remarks: string[] = []
  if (images < FEW * classes.length)
    remarks.push(
      `${images} images of ${classes.length} classes, fewer than ${FEW} of each, are too few to tell what share of the labels is wrong: ` +
        'a network that has seen so few calls right labels wrong, or learns wrong ones by heart; the share is no more than a guess',
    )
  if (level > HALF)
    remarks.push(
      `an estimated ${(100 * level).toFixed(0)} % of the labels are wrong; beyond one half no method can tell wrong labels from right ones, ` +
        'since a wrong one may be the more frequent: look at some images of each class',
    )
  if (givenUp.length > 0)
    remarks.push(
      `${givenUpText(givenUp, classes)}: the two may look alike, these labels may be wrong, or most images of one class may have the label of the other, ` +
        'and no method can tell which; the share of wrong labels depends on it: look at some images of each',
    )
  return remarks
}

/** More pairs of classes than this are counted. */
const NAMED = 3

function givenUpText(givenUp: readonly GivenUp[], classes: readonly string[]): string {
  const name = (k: number): string => JSON.stringify(classes[k])
  const pairs = givenUp.slice(0, NAMED).map(({ label, like }) => `${name(label)} are taken for ${name(like)}`)
  const more = givenUp.length > NAMED ? `, and so it is with ${givenUp.length - NAMED} more` : ''
  return `most images labelled ${pairs.join(', most labelled ')}${more}`
}
