import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A ring that watches sleep: many scores, parts of a night that add up, moments with zones, `None` for gaps. */
  ring(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day } = moment('2023-06-01T00:00:00Z', 1440 * i)
      const [deep, light, rem] = [
        3000 + 3000 * random.uniform(),
        9000 + 5000 * random.uniform(),
        3000 + 4000 * random.uniform(),
      ].map(Math.round)
      const pulse = 62 - 0.0012 * deep - 0.0006 * rem + 0.8 * random.normal() + (bad.has(i) ? 14 : 0)
      return `${day},${i % 30 === 4 ? 'None' : Math.round(60 + 35 * random.uniform())},${deep + light + rem},${deep},${light},${rem},${day}T22:4${i % 10}:00.000+02:00,${i % 45 === 11 ? 'None' : pulse.toFixed(2)},${(36.2 + 0.3 * random.normal()).toFixed(2)}`
    })
    return {
      file: 'ring_trends.csv',
      text: `date,Sleep Score,Total Sleep Duration,Deep Sleep Duration,Light Sleep Duration,REM Sleep Duration,Bedtime Start,Lowest Resting Heart Rate,Temperature\n${rows.join('\n')}\n`,
      argv: ['--target', 'Lowest Resting Heart Rate', '--exclude', 'Total Sleep Duration'],
      bad: 0.05,
      truth: { 'Deep Sleep Duration': -0.0012 },
    }
  },

  /** A Flemish power meter by the quarter of an hour: four columns of moments, register in words, decimal commas, `Uitgelezen` and `Geschat`. */
  quarter(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const [from, to] = [moment('2024-01-10T00:00:00Z', 15 * i), moment('2024-01-10T00:15:00Z', 15 * i)]
      const [cold, home] = [20 * random.uniform(), random.uniform() < 0.4]
      const used = 0.1 + 0.02 * cold + (home ? 0.15 : 0) + 0.03 * random.normal() + (bad.has(i) ? 1.4 : 0)
      const date = ({ d, m, y }) => `${d}-${m}-${y}`
      return `${date(from)};${from.time};${date(to)};${to.time};="541448860012345678";1SAG1105123456;Digitale meter;Afname ${home ? 'Dag' : 'Nacht'};${i % 33 === 8 ? '' : comma(used, 3)};kWh;${i % 20 === 3 ? 'Geschat' : 'Uitgelezen'};${comma(cold, 1)}`
    })
    return {
      file: 'Verbruikshistoriek_elektriciteit.csv',
      text: `\ufeffVan (datum);Van (tijdstip);Tot (datum);Tot (tijdstip);EAN-code;Meter;Metertype;Register;Volume;Eenheid;Validatiestatus;Graaddagen\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Volume', '--decimal', ','],
      bad: 0.05,
      truth: { Graaddagen: 0.02 },
    }
  },

  /** Scores of colleges: `NULL`, `PrivacySuppressed`, names with commas, sites of the web, shares as 0.1234. */
  colleges(random) {
    const n = 360
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [points, grant] = [800 + 700 * random.uniform(), random.uniform()]
      const debt = 30000 - 9 * points + 6000 * grant + 900 * random.normal() + (bad.has(i) ? 14000 : 0)
      return `${100654 + 91 * i},${i % 7 === 2 ? `"College ${i}, The"` : `College ${i}`},${random.among(['AL', 'TX', 'NY', 'CA'])},www.c${i}.example/,${1 + (i % 3)},${i % 12 === 5 ? 'NULL' : points.toFixed(0)},${grant.toFixed(4)},${i % 25 === 9 ? 'PrivacySuppressed' : debt.toFixed(1)}`
    })
    return {
      file: 'Most-Recent-Cohorts.csv',
      text: `UNITID,INSTNM,STABBR,INSTURL,CONTROL,SAT_AVG,PCTPELL,GRAD_DEBT_MDN\n${rows.join('\n')}\n`,
      argv: ['--target', 'GRAD_DEBT_MDN', '--missing', 'NULL,PrivacySuppressed'],
      bad: 0.05,
      truth: { SAT_AVG: -9, PCTPELL: 6000 },
    }
  },

  /** Climate of a station, columns of blanks below a title, -99.9 for nothing. */
  climate(random) {
    const n = 360
    const bad = badRows(random, n, 0.05)
    const right = (value, width) => String(value).padStart(width)
    const rows = Array.from({ length: n }, (_, i) => {
      const [sun, cloud] = [300 * random.uniform(), 8 * random.uniform()]
      const warm = 2 + 0.05 * sun - 0.4 * cloud + 0.7 * random.normal() + (bad.has(i) ? 12 : 0)
      return `${right(1990 + Math.floor(i / 12), 7)}${right(1 + (i % 12), 4)}${right(i % 35 === 6 ? -99.9 : warm.toFixed(1), 9)}${right(sun.toFixed(1), 8)}${right(cloud.toFixed(1), 7)}`
    })
    return {
      file: 'station.txt',
      text: `Armagh station\nLocation 287800E 345800N, Lat 54.352 Lon -6.649, 62 metres amsl\n\n${'   yyyy  mm    tmean     sun  cloud'}\n${rows.join('\n')}\n`,
      argv: ['--target', 'tmean', '--missing', '-99.9'],
      bad: 0.05,
      truth: { sun: 0.05, cloud: -0.4 },
    }
  },

  /** Reasons for tickets as a bank's form exports them: labels of three kinds, 7 % wrong, `TRUE` and `FALSE`, amounts with apostrophes, empty last lines. */
  claims(random) {
    const n = 540
    const bad = badRows(random, n, 0.07)
    const kinds = ['refund', 'fraud', 'question']
    const rows = Array.from({ length: n }, (_, i) => {
      const kind = i % 3
      const amount = Math.exp([5, 7.5, 3][kind] + 0.5 * random.normal())
      const calls = Math.max(0, Math.round([3, 6, 1][kind] + random.normal()))
      const given = bad.has(i) ? (kind + 1 + Math.floor(2 * random.uniform())) % 3 : kind
      return `${i + 1};${amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, "'")};${calls};${random.uniform() < 0.5 ? 'TRUE' : 'FALSE'};${kinds[given]}`
    })
    return {
      file: 'claims.csv',
      text: `Nr;Betrag;Anrufe;Kunde;Grund\r\n${rows.join('\r\n')}\r\n;;;;\r\n;;;;\r\n;;;;\r\n`,
      argv: ['--target', 'Grund', '--thousands', 'apostrophe'],
      bad: 0.07,
    }
  },
}
