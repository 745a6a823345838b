import { badRows, moment, right } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** What `vmstat -n` writes to a log: a line of groups that are drawn, names, numbers below each other. */
  vmstat(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const head = `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st`
    const rows = Array.from({ length: n }, (_, i) => {
      const [switches, out] = [500 + Math.floor(3000 * random.uniform()), Math.floor(400 * random.uniform())]
      const user = Math.max(
        0,
        Math.round(3 + 0.015 * switches + 0.02 * out + 2 * random.normal() + (bad.has(i) ? 38 : 0)),
      )
      const system = Math.floor(6 * random.uniform())
      const row = [
        2,
        0,
        0,
        812000 - 37 * i,
        90210,
        3912044 + 11 * i,
        0,
        0,
        i % 7,
        out,
        Math.round(switches / 2 + 50 * random.uniform()),
        switches,
        user,
        system,
        100 - user - system,
        0,
        0,
      ]
      const widths = [2, 2, 6, 6, 6, 6, 4, 4, 5, 5, 4, 4, 2, 2, 2, 2, 2]
      return `${i === 0 ? `${head}\n` : ''}${row.map((value, j) => right(value, widths[j])).join(' ')}`
    })
    return {
      file: 'vmstat.log',
      text: `${rows.join('\n')}\n`,
      argv: ['--target', 'us', '--exclude', 'id'],
      bad: 0.05,
      truth: { bo: 0.02 },
    }
  },

  /** Labour statistics (flat file): tabs, blanks that fill up, months M01 to M12, and M13 for the year. */
  labour(random) {
    const n = 312
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [year, month] = [2000 + Math.floor(i / 13), 1 + (i % 13)]
      const value = 4 + 0.15 * (year - 2000) + 0.3 * random.normal() + (bad.has(i) ? 5 : 0)
      return `LNS14000000      \t${year}\tM${String(month).padStart(2, '0')}\t${right(value.toFixed(1), 12)}\t${i % 70 === 8 ? 'P' : ''}`
    })
    return {
      file: 'ln.data.1.txt',
      text: `series_id        \tyear\tperiod\t       value\tfootnote_codes\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'value'],
      bad: 0.05,
      truth: { year: 0.15 },
    }
  },

  /** The health office of the world: estimates with their intervals in one cell, `No data`, names with commas. */
  health(random) {
    const n = 190
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [doctors, spent] = [5 * random.uniform(), 2 + 10 * random.uniform()]
      const years = 55 + 2.5 * doctors + 0.8 * spent + random.normal() + (bad.has(i) ? -22 : 0)
      const none = i % 40 === 11
      return `"${i % 8 === 3 ? `Land ${i}, Republic of` : `Land ${i}`}",2019,"${none ? 'No data' : `${years.toFixed(1)} [${(years - 1.2).toFixed(1)}-${(years + 1.1).toFixed(1)}]`}",${none ? '' : years.toFixed(5)},${doctors.toFixed(3)},${spent.toFixed(2)}`
    })
    return {
      file: 'WHOSIS_000001.csv',
      text: `"Location","Period","Value","FactValueNumeric","Doctors per 1000","Spending % of GDP"\n${rows.join('\n')}\n`,
      argv: ['--target', 'FactValueNumeric', '--exclude', 'Value'],
      bad: 0.05,
      truth: { 'Doctors per 1000': 2.5, 'Spending % of GDP': 0.8 },
    }
  },

  /** A crosstab of a dashboard: UTF-16 and tabs though it is called .csv, percent signs, names of groups in the first row of each alone. */
  crosstab(random) {
    const n = 208
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [spend, discount] = [200 + 900 * random.uniform(), 30 * random.uniform()]
      const profit = 50 + 0.3 * spend - 4 * discount + 15 * random.normal() + (bad.has(i) ? 600 : 0)
      return `${i % 4 === 0 ? `Quarter ${1 + ((i / 4) % 4)}` : ''}\t${['North', 'East', 'South', 'West'][i % 4]}\t${spend.toFixed(0)}\t${discount.toFixed(1)}%\t${profit.toFixed(2)}`
    })
    return {
      file: 'Sheet 1_crosstab.csv',
      text: Buffer.from(
        `\ufeffQuarter\tRegion\tAd spend\tDiscount\tProfit\r\n${rows.join('\r\n')}\r\n`,
        'utf16le',
      ),
      argv: ['--target', 'Profit', '--units', '%', '--exclude', 'Quarter'],
      bad: 0.05,
      truth: { 'Ad spend': 0.3, Discount: -4 },
    }
  },

  /** Answers as SPSS saves them: `#NULL!` for nothing, blanks that fill texts up, `,` before decimals of a German system, dates as 12-MAR-2024. */
  spss(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const { d, m, y } = moment('2024-03-01T00:00:00Z', 420 * i)
      const [age, hours] = [18 + Math.floor(50 * random.uniform()), 10 + 30 * random.uniform()]
      const income = 300 + 12 * age + 55 * hours + 90 * random.normal() + (bad.has(i) ? 2500 : 0)
      const agree = random.among(['trifft zu', 'teils-teils', 'trifft nicht zu'])
      return `${i + 1};${d}-${'JAN FEB MAR APR MAY JUN'.split(' ')[m - 1]}-${y};${i % 26 === 5 ? '#NULL!' : age};${agree.padEnd(20)};${comma(hours, 2)};${i % 34 === 9 ? '#NULL!' : comma(income, 2)}`
    })
    return {
      file: 'Befragung.csv',
      text: Buffer.from(
        `lfdnr;datum;alter;zustimmung;stunden;einkommen\r\n${rows.join('\r\n')}\r\n`,
        'latin1',
      ),
      argv: ['--target', 'einkommen', '--decimal', ','],
      bad: 0.05,
      truth: { alter: 12, stunden: 55 },
    }
  },
}
