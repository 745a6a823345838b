import { type NetworkMethod, type NoiseType, paperMethods } from '@rlvi/vision'

export interface Published {
  readonly mean: number
  readonly sd: number
}

export const paperRates: readonly number[] = [0.2, 0.45]
const noises: readonly NoiseType[] = ['symmetric', 'asymmetric', 'pairflip', 'instance']

// Mean and standard deviation in per cent over five runs: for each noise in turn, at 20 % and at 45 %.
const table: Readonly<Record<string, Readonly<Partial<Record<NetworkMethod, string>>>>> = {
  mnist: {
    standard:
      '95.66 0.28  87.47 0.82  98.29 0.14  87.73 0.65  97.21 0.41  69.26 3.65  95.66 0.36  71.98 1.43',
    coteaching:
      '96.62 0.08  96.68 0.07  95.94 0.06  93.40 0.42  96.19 0.10  92.91 0.43  96.49 0.23  95.39 0.59',
    jocor: '99.07 0.05  98.38 0.10  99.02 0.05  95.21 3.70  98.96 0.09  91.06 5.01  99.03 0.05  97.81 0.35',
    cdr: '98.81 0.09  98.27 0.09  99.14 0.05  94.35 1.29  98.95 0.06  87.55 1.26  98.25 0.16  88.27 1.92',
    usdnl: '98.38 0.12  97.72 0.13  98.32 0.12  95.83 0.64  98.23 0.09  89.94 1.62  98.13 0.11  96.52 0.38',
    bare: '99.07 0.11  98.78 0.10  99.16 0.06  98.70 0.12  99.05 0.06  98.22 0.21  99.05 0.07  98.42 0.45',
    rlvi: '99.10 0.06  98.70 0.18  98.90 0.22  98.69 0.05  99.10 0.07  98.52 0.07  99.12 0.03  98.38 0.08',
  },
  cifar10: {
    standard:
      '83.36 0.35  60.22 0.28  87.26 0.40  75.03 0.28  81.14 0.43  52.30 0.85  81.76 0.37  55.51 1.04',
    coteaching:
      '87.55 0.38  83.70 0.46  86.98 0.26  64.84 0.87  86.57 0.21  67.38 2.93  86.40 0.29  66.39 7.16',
    jocor: '90.42 0.07  86.33 0.23  90.60 0.19  76.94 2.56  89.25 0.30  72.53 3.57  89.08 0.36  79.48 1.37',
    cdr: '85.57 0.38  77.83 0.30  87.98 0.61  75.99 1.95  87.34 0.34  68.13 2.03  85.72 0.74  66.82 2.48',
    usdnl: '88.65 0.21  83.33 0.23  88.36 0.33  74.62 0.70  87.05 0.24  66.49 2.45  86.90 0.18  71.04 4.17',
    bare: '85.67 0.46  69.90 2.06  87.38 0.24  77.82 1.10  84.84 0.77  57.18 2.81  85.08 0.73  69.00 2.05',
    rlvi: '92.30 0.14  88.69 0.33  91.73 0.12  76.96 0.50  92.15 0.27  89.13 0.29  91.97 0.33  85.15 1.57',
  },
  cifar100: {
    standard:
      '61.96 0.11  42.36 0.80  62.88 0.20  39.91 0.58  62.62 0.53  38.94 0.42  62.87 0.32  43.17 0.63',
    coteaching:
      '58.74 0.66  48.11 1.01  54.32 0.22  34.53 0.68  56.27 0.60  34.47 0.97  57.44 0.32  34.97 0.61',
    jocor: '69.43 0.25  62.37 0.94  62.93 0.60  38.68 0.83  65.90 0.35  40.94 0.70  67.98 0.32  52.47 0.31',
    cdr: '61.57 0.41  46.31 0.81  62.89 0.30  39.47 0.75  61.27 2.23  38.55 0.22  62.09 0.45  41.80 0.77',
    usdnl: '64.96 0.56  53.82 1.15  59.12 0.10  36.44 0.93  61.76 1.01  35.81 0.20  63.13 0.54  45.42 1.30',
    bare: '59.59 1.12  46.56 1.10  52.91 1.28  29.48 1.12  53.29 1.57  30.27 1.14  56.47 0.84  37.24 1.27',
    rlvi: '69.64 0.55  64.11 0.79  69.33 0.83  55.76 2.12  69.25 0.77  55.77 1.01  69.54 0.84  62.00 1.29',
  },
  cifar80no: {
    standard: '59.41 0.40  37.84 0.79  61.01 0.37  39.13 0.26  60.88 0.33  38.88 0.52',
    coteaching: '59.77 0.67  48.45 1.44  55.64 0.90  35.98 0.82  58.44 1.27  35.61 0.47',
    jocor: '70.02 0.80  62.29 0.41  64.12 0.19  40.13 0.40  67.11 0.83  41.85 0.29',
    cdr: '56.08 0.98  44.46 1.03  58.16 1.47  36.76 1.28  57.96 0.57  36.16 1.41',
    usdnl: '64.07 1.63  52.00 2.89  59.43 0.69  37.04 0.46  62.20 0.52  37.12 1.09',
    bare: '57.39 1.23  42.56 2.20  54.47 1.01  30.12 2.09  55.21 1.28  30.09 0.86',
    rlvi: '71.13 0.71  63.18 0.36  71.96 0.39  54.49 1.76  71.45 0.33  56.12 0.23',
  },
}

/** Test accuracy in per cent as the paper's table has it, if it has. */
export function publishedAccuracy(
  dataset: string,
  noise: string,
  rate: number,
  method: string,
): Published | undefined {
  const numbers = table[dataset]?.[method as NetworkMethod]?.split(/ +/).map(Number)
  const at = 2 * (paperRates.length * noises.indexOf(noise as NoiseType) + paperRates.indexOf(rate))
  const [mean, sd] = numbers?.slice(at, at + 2) ?? []
  const known = at >= 0 && noises.includes(noise as NoiseType) && paperRates.includes(rate)
  return known && mean !== undefined && sd !== undefined ? { mean, sd } : undefined
}

/** The noise types that the paper has for a data set. */
export function paperNoises(dataset: string): readonly NoiseType[] {
  return noises.filter((noise) => publishedAccuracy(dataset, noise, 0.2, paperMethods[0]!) !== undefined)
}

/** Seconds for an epoch on CIFAR-100 with ResNet34, over 200 epochs. Only their ratios can be had again. */
export const publishedSeconds: Readonly<Partial<Record<NetworkMethod, Published>>> = {
  standard: { mean: 8.82, sd: 0.08 },
  coteaching: { mean: 17.91, sd: 0.35 },
  jocor: { mean: 18.11, sd: 0.11 },
  cdr: { mean: 13.88, sd: 0.35 },
  usdnl: { mean: 9.4, sd: 0.22 },
  bare: { mean: 9.94, sd: 0.1 },
  rlvi: { mean: 10.52, sd: 0.56 },
}
