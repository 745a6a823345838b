// Writes pictures of digits into ten folders, some of them into a wrong one: a folder as people have them.
//   npx rlvi data fetch mnist
//   node examples/digit-folder.mjs out/digits
// Of 2,000 pictures every twentieth lies in the folder of the next digit. Their names say what they are:
// true-7-01234.png. A second folder, out/digits-more, has 1,000 others, all in their place.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadData, picture } from '@rlvi/vision'

const folder = process.argv[2] ?? 'out/digits'
const { test } = await loadData('mnist')
for (let i = 0; i < 3000; i++) {
  const digit = test.labels[i]
  const isWrong = i < 2000 && i % 20 === 7
  const home = join(i < 2000 ? folder : `${folder}-more`, String(isWrong ? (digit + 1) % 10 : digit))
  await mkdir(home, { recursive: true })
  await writeFile(join(home, `true-${digit}-${String(i).padStart(5, '0')}.png`), await picture(test, i))
}
console.log(`2000 pictures in ${folder}, 100 of them in a wrong folder; 1000 in ${folder}-more`)
