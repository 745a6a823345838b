import { badRows, moment, right } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** An R session: a data frame printed to the console and copied, row numbers without a name. */
  printed(random) {
    const n = 90
    const bad = badRows(random, n, 1 / 15)
    const rows = Array.from({ length: n }, (_, i) => {
      const [width, depth] = [10 + 10 * random.uniform(), 2 + 3 * random.uniform()]
      const mass = 5 + 3 * width + 8 * depth + 2 * random.normal() + (bad.has(i) ? 40 : 0)
      return `${String(i + 1).padEnd(3)} ${right(width.toFixed(2), 6)} ${right(depth.toFixed(3), 6)} ${right(random.among(['red', 'blue', 'green']), 6)} ${right(i === 41 ? '<NA>' : mass.toFixed(1), 7)}`
    })
    return {
      file: 'printed.txt',
      text: `     width  depth colour    mass\n${rows.join('\n')}\n`,
      argv: ['--target', 'mass'],
      bad: 6 / 89,
      truth: { width: 3, depth: 8 },
    }
  },

  /** pandas: rows and columns with two levels each, the upper names of rows once. */
  multiindex(random) {
    const n = 160
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [a, b] = [20 + 5 * random.normal(), 50 + 9 * random.normal()]
      const sum = 3 + 0.7 * a + 0.3 * b + 0.9 * random.normal() + (bad.has(i) ? -12 : 0)
      return `${['north', 'south', 'east', 'west'][Math.floor(i / 40)]},${2000 + (i % 40)},${a.toFixed(3)},${(1 + random.uniform()).toFixed(3)},${b.toFixed(3)},${sum.toFixed(3)}`
    })
    return {
      file: 'multiindex.csv',
      text: `,,price,price,volume,total\n,,mean,std,mean,mean\nregion,year,,,,\n${rows.join('\n')}\n`,
      argv: ['--target', 'total mean'],
      bad: 0.05,
      truth: { 'price mean': 0.7, 'volume mean': 0.3 },
    }
  },

  /** A fitness tracker: numbers with thousands in quotes, durations in minutes, a title and an empty line, dates with month names. */
  fitbit(random) {
    const n = 200
    const bad = badRows(random, n, 0.05)
    const grouped = (value) => `"${String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')}"`
    const rows = Array.from({ length: n }, (_, i) => {
      const { day } = moment('2024-01-01T00:00:00Z', 1440 * i)
      const [steps, active] = [3000 + 12000 * random.uniform(), 10 + 90 * random.uniform()]
      const calories = 1500 + 0.05 * steps + 6 * active + 60 * random.normal() + (bad.has(i) ? 1500 : 0)
      return `"${day}",${grouped(calories)},${grouped(steps)},"${(steps / 1400).toFixed(2)}","${Math.round(5 * random.uniform())}","${Math.round(active)}"`
    })
    return {
      file: 'fitbit_export.csv',
      text: `Activities\nDate,Calories Burned,Steps,Distance,Floors,Minutes Very Active\n${rows.join('\n')}\n\n`,
      argv: ['--target', 'Calories Burned', '--thousands', ','],
      bad: 0.05,
      truth: { 'Minutes Very Active': 6 },
    }
  },

  /** A bank in Switzerland: apostrophes, separate columns for debit and credit, a balance, notes above. */
  ubs(random) {
    const n = 220
    const bad = badRows(random, n, 0.06)
    const money = (value) => value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, "'")
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2024-01-15T00:00:00Z', 1440 * i)
      const [hours, km] = [2 + 60 * random.uniform(), 900 * random.uniform()]
      const amount = 120 + 95 * hours + 0.7 * km + 60 * random.normal() + (bad.has(i) ? 5000 : 0)
      return `${d}.${m}.${y};${random.among(['Zahlung', 'Gutschrift'])};CHF;${hours.toFixed(1)};${km.toFixed(0)};${money(amount)};`
    })
    const head = [
      'Kontonummer:;0240 00123456.01;',
      'IBAN:;CH93 0076 2011 6238 5295 7;',
      'Von:;15.01.2024;',
      'Anzahl Transaktionen:;220;',
      '',
      'Datum;Art;Währung;Stunden;Kilometer;Betrag;',
    ]
    return {
      file: 'transactions-ch.csv',
      text: `\ufeff${[...head, ...rows].join('\r\n')}\r\n`,
      argv: ['--target', 'Betrag', '--thousands', 'apostrophe'],
      bad: 13 / 220,
      truth: { Stunden: 95, Kilometer: 0.7 },
    }
  },

  /** A wide file: 60 markers, a column of names, a target at the end. */
  wide(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const markers = Array.from({ length: 60 }, () => random.normal())
      const y = 2 + 1.5 * markers[3] - markers[17] + 0.4 * random.normal() + (bad.has(i) ? 9 : 0)
      return `S${String(i).padStart(4, '0')},${random.among(['ctrl', 'case'])},${markers.map((value) => value.toFixed(4)).join(',')},${y.toFixed(3)}`
    })
    return {
      file: 'markers.csv',
      text: `sample,arm,${Array.from({ length: 60 }, (_, j) => `cg${String(7919 * j).padStart(8, '0')}`).join(',')},age_gap\n${rows.join('\n')}\n`,
      argv: ['--target', 'age_gap'],
      bad: 0.05,
      truth: { cg00023757: 1.5, cg00134623: -1 },
    }
  },
}
