import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** Davis WeatherLink: names over two lines, `---` for nothing, times with a or p. */
  weatherlink(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { m, d, time } = moment('2024-05-14T00:00:00Z', 30 * i)
      const hour = Number(time.slice(0, 2))
      const clock = `${hour % 12 || 12}:${time.slice(3, 5)}${hour < 12 ? 'a' : 'p'}`
      const t = 12 + 8 * random.uniform()
      const hum = 90 - 2 * t + 3 * random.normal()
      const dew = 1 + 0.6 * t + 0.05 * hum + 0.3 * random.normal() + (bad.has(i) ? 6 : 0)
      return `${d}/${m}/24\t${clock}\t${t.toFixed(1)}\t${i % 48 === 9 ? '---' : hum.toFixed(0)}\t${dew.toFixed(1)}\t${random.among(['N', 'NE', 'S', 'W'])}\t0.00`
    })
    return {
      file: 'weatherlink.txt',
      text: `\t\tTemp\tOut\tDew\tWind\t\r\nDate\tTime\tOut\tHum\tPt.\tDir\tRain\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Dew Pt.'],
      bad: 12 / 235,
      truth: { 'Temp Out': 0.6, 'Out Hum': 0.05 },
    }
  },

  /** FlowJo: names of samples in a column without a name, per cent signs, mean and deviation below the rows. */
  flowjo(random) {
    const n = 96
    const bad = badRows(random, n, 0.0625)
    const rows = Array.from({ length: n }, (_, i) => {
      const dose = random.among([0, 1, 3, 10, 30])
      const live = 80 - 0.6 * dose + 2 * random.normal()
      const cd4 = 20 + 0.4 * live - 0.3 * dose + 1.1 * random.normal() + (bad.has(i) ? 18 : 0)
      return `Specimen_001_${'ABCDEFGH'[i % 8]}${1 + Math.floor(i / 8)}.fcs,${dose},${live.toFixed(1)} %,${cd4.toFixed(1)} %,`
    })
    return {
      file: 'flowjo.csv',
      text: `,Dose,Live | Freq. of Parent,Live/CD4+ | Freq. of Parent,\n${rows.join('\n')}\nMean,8.1,75.2 %,47.4 %,\nSD,10.9,6.9 %,5.8 %,\n`,
      argv: ['--target', 'Live/CD4+ | Freq. of Parent', '--units', '%'],
      bad: 0.0625,
      truth: { Dose: -0.3 },
    }
  },

  /** The World Economic Outlook: UTF-16 with tabs called .xls, thousands, `n/a` and `--`. */
  imf(random) {
    const n = 180
    const bad = badRows(random, n, 0.05)
    const grouped = (value, digits) => value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const gdp = Math.exp(4 + 4 * random.uniform())
      const people = 2 + 80 * random.uniform()
      const debt = 30 + 0.02 * gdp + 0.5 * people + 5 * random.normal() + (bad.has(i) ? 80 : 0)
      return [
        `Country ${i}`,
        random.among(['Advanced', 'Emerging', 'Low income']),
        grouped(gdp, 3),
        i % 45 === 2 ? 'n/a' : grouped(people, 3),
        i % 60 === 8 ? '--' : grouped(debt, 3),
      ].join('\t')
    })
    return {
      file: 'WEOApr2024.csv',
      text: Buffer.from(
        `\ufeffCountry\tGroup\tGDP\tPopulation\tGross debt\r\n${rows.join('\r\n')}\r\n`,
        'utf16le',
      ),
      argv: ['--target', 'Gross debt', '--thousands', ','],
      bad: 0.05,
      truth: { GDP: 0.02, Population: 0.5 },
    }
  },

  /** LimeSurvey: questions with newlines in the header, answers Yes/No/N/A, comments with newlines. */
  limesurvey(random) {
    const n = 260
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [age, kids] = [18 + Math.floor(60 * random.uniform()), random.count(1.2)]
      const smokes = random.uniform() < 0.3
      const spend =
        50 + 2 * age + 30 * kids + (smokes ? 60 : 0) + 20 * random.normal() + (bad.has(i) ? 400 : 0)
      const { day, time } = moment('2024-05-01T08:00:00Z', 37 * i)
      return `"${i + 1}","${day} ${time}","4","en","${age}","${kids}","${smokes ? 'Yes' : 'No'}","${spend.toFixed(2)}","${i % 9 === 0 ? 'I liked it,\nreally ""much""' : ''}"`
    })
    return {
      file: 'results-survey.csv',
      text: `\ufeff"id. Response ID","submitdate. Date submitted","lastpage. Last page","startlanguage. Start language","Q1. How old are you?\n\n(in years)","Q2. How many children\ndo you have?","Q3. Do you smoke?","Q4. What did you spend, in €?","Q5. Anything else?"\n${rows.join('\n')}\n`,
      argv: ['--target', 'Q4. What did you spend, in €?'],
      bad: 16 / 260,
      truth: { 'Q3. Do you smoke?=Yes': 60 },
    }
  },

  /** A query of an astronomical archive in ECSV: YAML in remarks, then names and blanks between values. */
  ecsv(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [g, colour] = [9 + 6 * random.uniform(), 0.3 + 2 * random.uniform()]
      const mag = 0.4 + 0.95 * g + 0.5 * colour + 0.08 * random.normal() + (bad.has(i) ? 1.5 : 0)
      return `${4295806720 + 38655544960 * i} ${(10 + i / 50).toFixed(6)} ${g.toFixed(4)} ${colour.toFixed(4)} ${i % 70 === 6 ? '""' : (2 + 5 * random.uniform()).toFixed(4)} ${mag.toFixed(4)} ${random.uniform() < 0.2 ? 'True' : 'False'}`
    })
    const head = [
      '# %ECSV 1.0',
      '# ---',
      "# delimiter: ' '",
      '# datatype:',
      '# - {name: source_id, datatype: int64}',
      '# - {name: ra, unit: deg, datatype: float64}',
      '# - {name: phot_g_mean_mag, unit: mag, datatype: float32}',
      '# - {name: bp_rp, datatype: float32}',
      '# - {name: parallax, unit: mas, datatype: float64}',
      '# - {name: Vmag, datatype: float32}',
      '# - {name: variable, datatype: bool}',
      '# schema: astropy-2.0',
      'source_id ra phot_g_mean_mag bp_rp parallax Vmag variable',
    ]
    return {
      file: 'gaia.ecsv',
      text: `${[...head, ...rows].join('\n')}\n`,
      argv: ['--target', 'Vmag'],
      bad: 0.05,
      truth: { phot_g_mean_mag: 0.95, bp_rp: 0.5 },
    }
  },
}
