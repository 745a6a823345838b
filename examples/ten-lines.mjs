import { fit, fromRows, linear, ml } from 'rlvi'

// International phone calls from Belgium, 1950 to 1973, in tens of millions.
const calls = [0.44, 0.47, 0.47, 0.59, 0.66, 0.73, 0.81, 0.88, 1.06, 1.2, 1.35, 1.49, 1.61, 2.12]
calls.push(11.9, 12.4, 14.2, 15.9, 18.2, 21.2, 4.3, 2.4, 2.7, 2.9)
const data = { x: fromRows(calls.map((_, i) => [1950 + i])), y: Float64Array.from(calls) }

const { params, standardErrors, corruption, clean } = fit(linear(), data)
const [slope, error] = [params, standardErrors].map(({ coefficients }) => coefficients[0].toFixed(3))
const suspects = calls.map((_, i) => 1950 + i).filter((_, i) => clean[i] < 0.5)

console.log('least squares:', ml(linear(), data).params.coefficients[0].toFixed(3), 'more a year')
console.log('calibrated:   ', slope, '±', error)
console.log(`bad rows:      ${(100 * corruption.level).toFixed(0)} %, in ${suspects.join(', ')}`)
