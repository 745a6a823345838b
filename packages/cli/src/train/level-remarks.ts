/** Beyond this share of wrong labels there may be more of a wrong one than of the right one. */
const HALF = 0.5
/** With fewer images of a class, on average, a network knows too little of it. */
const FEW = 100

/** What to say of a share of wrong labels that means little. */
export function levelRemarks(
  level: number | undefined,
  seen: { readonly images: number; readonly classes: number },
): readonly string[] {
  if (level === undefined) return []
  const remarks: string[] = []
  if (seen.images < FEW * seen.classes)
    remarks.push(
      `${seen.images} images of ${seen.classes} classes, fewer than ${FEW} of each, are too few to tell what share of the labels is wrong: ` +
        'a network that has seen so few calls right labels wrong, or learns wrong ones by heart; the share is no more than a guess',
    )
  if (level > HALF)
    remarks.push(
      `an estimated ${(100 * level).toFixed(0)} % of the labels are wrong; beyond one half no method can tell wrong labels from right ones, ` +
        'since a wrong one may be the more frequent: look at some images of each class',
    )
  return remarks
}
