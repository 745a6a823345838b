import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** An oven's paperless recorder: comments with semicolons, milliseconds, one column a channel, `*` where it was off. */
  oven(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-05-20T06:00:00Z', i)
      const [zone1, belt] = [180 + 40 * random.uniform(), 0.5 + random.uniform()]
      const core = 20 + 0.5 * zone1 - 18 * belt + 1.5 * random.normal() + (bad.has(i) ? 30 : 0)
      return `${y}/${m}/${d},${time},${String(i % 1000).padStart(3, '0')},${zone1.toFixed(1)},${i % 80 === 7 ? '*' : belt.toFixed(2)},${core.toFixed(1)}`
    })
    return {
      file: 'oven.csv',
      text: `;Model GX20\n;Serial S5N123456\n;Sampling 1 min\nDate,Time,msec,CH001,CH002,CH003\n${rows.join('\n')}\n`,
      argv: ['--target', 'CH003', '--missing', '*'],
      bad: 0.05,
      truth: { CH001: 0.5, CH002: -18 },
    }
  },

  /** A library's loans: an ISBN with an X, years, a price in two currencies' signs written before it. */
  books(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [pages, year] = [80 + 700 * random.uniform(), 1970 + Math.floor(54 * random.uniform())]
      const weight = 60 + 1.1 * pages + 20 * random.normal() + (bad.has(i) ? 500 : 0)
      return `${String(30000000 + 7919 * i)}${i % 11 === 10 ? 'X' : i % 10},"Title, vol. ${i}",${year},${Math.round(pages)},${random.among(['hardback', 'paperback'])},${weight.toFixed(0)}`
    })
    return {
      file: 'catalogue.csv',
      text: `ISBN10,Title,Year,Pages,Binding,Weight (g)\n${rows.join('\n')}\n`,
      argv: ['--target', 'Weight (g)'],
      bad: 0.05,
      truth: { Pages: 1.1 },
    }
  },

  /** A wastewater plant: a sheet per parameter pasted beside each other, an empty first column, empty lines between months. */
  wastewater(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2023-06-01T00:00:00Z', 1440 * i)
      const [flow, cod] = [400 + 300 * random.uniform(), 300 + 250 * random.uniform()]
      const sludge = 20 + 0.05 * flow + 0.1 * cod + 3 * random.normal() + (bad.has(i) ? 40 : 0)
      const row = `,${d}/${m}/${y},${flow.toFixed(0)},${cod.toFixed(0)},${sludge.toFixed(1)},`
      return i > 0 && d === '01' ? `,,,,,\r\n${row}` : row
    })
    return {
      file: 'wwtp.csv',
      text: `,Date,Flow,COD in,Sludge,\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Sludge'],
      bad: 0.05,
      truth: { Flow: 0.05, 'COD in': 0.1 },
    }
  },

  /** Reviews of an app by a scraper: JSON in one list, ratings 1 to 5 as the target by `--model linear`. */
  reviews(random) {
    const n = 400
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [wait, price] = [30 * random.uniform(), 5 + 20 * random.uniform()]
      const minutes = 12 + 0.8 * wait + 0.5 * price + 1.5 * random.normal() + (bad.has(i) ? 25 : 0)
      return {
        id: `r${i}`,
        at: moment('2024-05-01T00:00:00Z', 60 * i).at,
        user: { level: random.among(['new', 'gold']) },
        wait_min: Number(wait.toFixed(1)),
        price: price.toFixed(2),
        stay: Number(minutes.toFixed(1)),
        text: i % 3 ? null : `so so, ${i}`,
      }
    })
    return {
      file: 'visits.json',
      text: JSON.stringify({ status: 'ok', paging: { next: null }, data: rows }, null, 2),
      argv: ['--target', 'stay'],
      bad: 0.05,
      truth: { wait_min: 0.8 },
    }
  },

  /** A wine merchant's tasting sheet: scores as 88+, vintages, alcohol as 13,5 % vol. */
  wines(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [alcohol, acid] = [11 + 4 * random.uniform(), 4 + 4 * random.uniform()]
      const score = 60 + 2.2 * alcohol - 0.9 * acid + 0.8 * random.normal() + (bad.has(i) ? -14 : 0)
      return `Cuvée ${i};${2005 + Math.floor(15 * random.uniform())};${alcohol.toFixed(1).replace('.', ',')} % vol;${acid.toFixed(1).replace('.', ',')} g/l;${score.toFixed(1).replace('.', ',')}`
    })
    return {
      file: 'degustation.csv',
      text: Buffer.from(`Vin;Millésime;Alcool;Acidité;Note\r\n${rows.join('\r\n')}\r\n`, 'latin1'),
      argv: ['--target', 'Note', '--decimal', ',', '--units', '% vol,g/l'],
      bad: 0.05,
      truth: { Alcool: 2.2, Acidité: -0.9 },
    }
  },
}
