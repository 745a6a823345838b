import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A video platform's studio: the row of totals comes first, click rates beside counts, an average view as h:mm:ss. */
  studio(random) {
    const n = 240
    const bad = badRows(random, n, 0.06)
    let [views, hours] = [0, 0]
    const rows = Array.from({ length: n }, (_, i) => {
      const { d, m, y } = moment('2023-01-02T00:00:00Z', 2100 * i)
      const published = `"${'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[m - 1]} ${Number(d)}, ${y}"`
      const [shown, seconds] = [
        2000 + Math.floor(30000 * random.uniform()),
        60 + Math.floor(400 * random.uniform()),
      ]
      const rate = 3 + 4 * random.uniform()
      const watched = 12 + 0.01 * shown + 0.25 * seconds + 9 * random.normal() + (bad.has(i) ? 400 : 0)
      views += shown
      hours += watched
      const id = Array.from({ length: 11 }, () =>
        random.among([...'abcdefghijkLMNOPQRSTUV0123456789_-']),
      ).join('')
      return `${id},"How to fix a ${random.among(['bike', 'lamp', 'roof'])}, part ${i}",${published},${seconds},${shown},${watched.toFixed(4)},${i % 40 === 9 ? '' : rate.toFixed(2)}`
    })
    return {
      file: 'Table data.csv',
      text: `Content,Video title,Video publish time,Duration,Impressions,Watch time (hours),Impressions click-through rate (%)\nTotal,,,,${views},${hours.toFixed(4)},4.91\n${rows.join('\n')}\n`,
      argv: ['--target', 'Watch time (hours)'],
      bad: 0.06,
      truth: { Impressions: 0.01, Duration: 0.25 },
    }
  },

  /** A trading terminal: tabs, names in angle brackets, dates with points and the year first. */
  terminal(random) {
    const n = 300
    const bad = badRows(random, n, 0.04)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-01-02T00:00:00Z', 60 * i)
      const [open, volume] = [1.07 + 0.02 * random.uniform(), 400 + Math.floor(4000 * random.uniform())]
      const high = open + 0.0006 + 0.0004 * random.uniform()
      const spread = Math.max(
        1,
        Math.round(30 - 0.005 * volume + 1.5 * random.normal() + (bad.has(i) ? 35 : 0)),
      )
      return [
        `${y}.${m}.${d}`,
        time,
        open.toFixed(5),
        high.toFixed(5),
        (open - 0.0007).toFixed(5),
        (open + 0.0001).toFixed(5),
        volume,
        0,
        spread,
      ].join('\t')
    })
    return {
      file: 'EURUSD_H1.csv',
      text: `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', '<SPREAD>', '--model', 'linear'],
      bad: 0.04,
      truth: { '<TICKVOL>': -0.005 },
    }
  },

  /** Deaths by county of a health office: tabs, quotes, a column of notes, totals, notes below `---`, "Suppressed". */
  deaths(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [poor, population] = [8 + 20 * random.uniform(), 9000 + Math.floor(90000 * random.uniform())]
      const rate = 30 + 1.6 * poor + 2.5 * random.normal() + (bad.has(i) ? 45 : 0)
      const few = i % 23 === 4
      return `\t"${random.among(['Ada', 'Bolt', 'Clay', 'Dane'])} County ${i}, TX"\t"${48001 + 2 * i}"\t${poor.toFixed(1)}\t${few ? 'Suppressed' : Math.round((rate * population) / 1e5)}\t${population}\t${few ? 'Suppressed' : rate.toFixed(1)}`
    })
    return {
      file: 'Underlying Cause of Death.txt',
      text: `"Notes"\t"County"\t"County Code"\tPoverty\tDeaths\tPopulation\tCrude Rate\n${rows.join('\n')}\n"Total"\t\t\t\t18011\t15203111\t61.2\n"---"\n"Dataset: Underlying Cause of Death, 1999-2020"\n"Query Parameters:"\n"Group By: County"\n"Show Totals: True"\n"---"\n"Suggested Citation: Centers, Underlying Cause of Death, on an online database."\n`,
      argv: ['--target', 'Crude Rate', '--missing', 'Suppressed', '--exclude', 'Deaths'],
      bad: 0.05,
      truth: { Poverty: 1.6 },
    }
  },

  /** Spain's weather office as JSON: numbers in quotes with decimal commas, "Ip" for a trace of rain, "Varias" for hours. */
  aemet(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits = 1) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const [sun, low] = [12 * random.uniform(), 4 + 12 * random.uniform()]
      const mean = 3 + 0.5 * sun + 0.9 * low + 0.6 * random.normal() + (bad.has(i) ? 10 : 0)
      const rain = random.uniform()
      return {
        fecha: moment('2023-01-01T00:00:00Z', 1440 * i).day,
        indicativo: '3195',
        nombre: 'MADRID, RETIRO',
        altitud: '667',
        tmed: comma(mean),
        prec: rain < 0.6 ? '0,0' : rain < 0.7 ? 'Ip' : comma(20 * rain),
        tmin: comma(low),
        horatmin: i % 37 === 5 ? 'Varias' : moment('2023-01-01T05:00:00Z', 7 * (i % 30)).time.slice(0, 5),
        ...(i % 50 === 7 ? {} : { sol: comma(sun) }),
      }
    })
    return {
      file: 'aemet.json',
      text: JSON.stringify(rows, null, 2),
      argv: ['--target', 'tmed', '--decimal', ',', '--missing', 'Ip,Varias'],
      bad: 0.05,
      truth: { sol: 0.5, tmin: 0.9 },
    }
  },

  /** A quiz of a learning platform: durations in words, marks over 10.00, `-` for none, an average as the last row. */
  quiz(random) {
    const n = 220
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const minutes = 8 + 50 * random.uniform()
      const earlier = 4 + 6 * random.uniform()
      const mark = Math.min(10, Math.max(0, 1 + 0.06 * minutes + 0.5 * earlier + 0.4 * random.normal()))
      const given = bad.has(i) ? Math.max(0, mark - 5) : mark
      const [hours, rest, seconds] = [
        Math.floor(minutes / 60),
        Math.floor(minutes) % 60,
        Math.floor(60 * random.uniform()),
      ]
      const taken = hours > 0 ? `${hours} hour ${rest} mins` : `${rest} mins ${seconds} secs`
      const { d, time } = moment('2024-03-05T08:00:00Z', 13 * i)
      return `Doe${i},Jan,jan.doe${i}@uni.example,${i % 31 === 7 ? 'In progress' : 'Finished'},${Number(d)} March 2024  ${((Number(time.slice(0, 2)) + 11) % 12) + 1}:${time.slice(3, 5)} ${time < '12' ? 'AM' : 'PM'},${i % 31 === 7 ? '-' : taken},${earlier.toFixed(1)},${i % 31 === 7 ? '-' : given.toFixed(2)}`
    })
    return {
      file: 'BIO-101-Quiz 2-grades.csv',
      text: `\ufeff"Last name","First name","Email address",State,"Started on","Time taken","Coursework","Grade/10.00"\n${rows.join('\n')}\n"Overall average",,,,,,,6.71\n`,
      argv: ['--target', 'Grade/10.00'],
      bad: 0.05,
      truth: { Coursework: 0.5 },
    }
  },
}
