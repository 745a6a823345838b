import { fitTable, predictTable, readModel, writeModel } from '@rlvi/estimator'

// Flats: square metres, the city, and the rent, of which one was typed with a zero too many and one is for a week.
const size = [48, 62, 35, 80, 55, 71, 90, 42, 66, 58, 75, 38, 84, null, 69, 45, 77, 60, 88, 52]
const city = size.map((_, i) => (i % 3 === 1 ? 'rome' : 'bonn'))
const rent = [
  610, 925, 465, 970, 868, 872, 1080, 715, 815, 6950, 1075, 480, 998, 700, 842, 565, 1095, 740, 265, 828,
]

const fit = fitTable({ size, city, rent }, { target: 'rent' })
for (const remark of fit.remarks) console.log(remark)
const { coefficients } = fit.params
const errors = fit.standardErrors.coefficients
for (const name of Object.keys(coefficients))
  console.log(`${name}: ${coefficients[name].toFixed(1)} ± ${errors[name].toFixed(1)}`)
const suspects = [...fit.rows].filter((_, i) => fit.clean[i] < 0.5)
console.log(`bad rows: ${(100 * fit.corruption.level).toFixed(0)} %, namely ${suspects.join(', ')}`)

// A model is plain data: text to keep, in a file or elsewhere, and to read again.
const model = readModel(writeModel(fit.model))
const others = { city: ['rome', 'oslo', 'bonn'], size: [50, 50, 100] }
const { predicted, rows, remarks } = predictTable(model, others)
for (const remark of remarks) console.log(remark)
rows.forEach((row, i) => {
  console.log(`flat ${row}: ${predicted[i].toFixed(0)}`)
})
