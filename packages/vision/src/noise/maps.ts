/** What a class is taken for under asymmetric noise, and how the samples are chosen. */
export interface AsymmetricMap {
  readonly map: ReadonlyMap<number, number>
  /** `independent`: each sample with the rate's probability. `exact`: that share of each class, rounded down. */
  readonly mode: 'independent' | 'exact'
}

/** The maps that the literature uses; other data sets have none of their own. */
export function asymmetricMap(dataSet: string): AsymmetricMap | undefined {
  return maps[dataSet]?.()
}

const maps: Readonly<Record<string, () => AsymmetricMap>> = {
  // Digits of similar shape: 2 for 7, 3 for 8, 5 and 6 for each other.
  mnist: () => independent([2, 7], [3, 8], [5, 6], [6, 5]),
  // Truck for automobile, bird for airplane, cat and dog for each other, deer for horse.
  cifar10: () => ({
    map: new Map([
      [9, 1],
      [2, 0],
      [3, 5],
      [5, 3],
      [4, 7],
    ]),
    mode: 'exact',
  }),
  cifar100: () => independent(...blocksOfFive(100)),
  // No source defines it for the 80 classes: as for the hundred.
  cifar80no: () => independent(...blocksOfFive(80)),
}

function independent(...pairs: ReadonlyArray<readonly [number, number]>): AsymmetricMap {
  return { map: new Map(pairs), mode: 'independent' }
}

/** Five consecutive classes in a circle. Classes are in alphabetical order, so these are not the superclasses. */
function blocksOfFive(classes: number): Array<readonly [number, number]> {
  return Array.from({ length: classes }, (_, k) => [k, k % 5 === 4 ? k - 4 : k + 1] as const)
}
