import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A census office's extract by SAS PROC EXPORT: letters for missing values, dates as 01JAN2024, codes with zeros in front. */
  sas(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2020-01-05T00:00:00Z', 4000 * i)
      const month = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'][
        Number(m) - 1
      ]
      const [years, size] = [Math.floor(20 * random.uniform()), 1 + random.count(1.5)]
      const income = 20000 + 1500 * years + 2500 * size + 3000 * random.normal() + (bad.has(i) ? 90000 : 0)
      return `${String(1000 + i).padStart(8, '0')},${d}${month}${y},${i % 80 === 3 ? '.R' : i % 90 === 4 ? '.' : years},${size},${random.among(['01', '02', '06', '12'])},${income.toFixed(0)}`
    })
    return {
      file: 'hh_extract.csv',
      text: `SERIAL,INTDATE,YRSCHOOL,HHSIZE,STATEFIP,HHINCOME\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'HHINCOME', '--categories', 'STATEFIP'],
      bad: 0.05,
      truth: { YRSCHOOL: 1500, HHSIZE: 2500 },
    }
  },

  /** A scale in a shop, by Excel in Turkey: `;`, decimal commas, `₺` behind amounts, dates with points. */
  turkey(random) {
    const n = 260
    const bad = badRows(random, n, 0.06)
    const number = (value, digits) =>
      value
        .toFixed(digits)
        .replace('.', ',')
        .replace(/\B(?=(\d{3})+,)/g, '.')
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-03-20T08:00:00Z', 47 * i)
      const kilos = 0.2 + 5 * random.uniform()
      const fruit = random.among(['elma', 'üzüm', 'şeftali'])
      const price =
        15 + 240 * kilos + (fruit === 'üzüm' ? 90 : 0) + 25 * random.normal() + (bad.has(i) ? 900 : 0)
      return `${d}.${m}.${y} ${time.slice(0, 5)};${fruit};${number(kilos, 3)} kg;${number(price, 2)} ₺`
    })
    return {
      file: 'satis.csv',
      text: `\ufeffTarih;Ürün;Ağırlık;Tutar\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Tutar', '--decimal', ',', '--thousands', '.', '--units', 'kg,₺'],
      bad: 16 / 260,
      truth: { Ağırlık: 240 },
    }
  },

  /** A telescope's weather log: blanks between values, date and time in columns of their own, no header. */
  seeing(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-05-01T20:00:00Z', 2 * i)
      const [wind, hum] = [20 * random.uniform(), 10 + 60 * random.uniform()]
      const seeing = 0.5 + 0.03 * wind + 0.004 * hum + 0.05 * random.normal() + (bad.has(i) ? 1 : 0)
      return `${day} ${time} ${wind.toFixed(1)} ${hum.toFixed(0)} ${seeing.toFixed(2)}`
    })
    return {
      file: 'seeing.log',
      text: `${rows.join('\n')}\n`,
      argv: ['--target', 'column5'],
      bad: 0.05,
      truth: { column3: 0.03, column4: 0.004 },
    }
  },

  /** A ticketing system: labels of three kinds, text with quotes, commas and newlines, empty cells. */
  tickets(random) {
    const n = 420
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [minutes, replies, vip] = [Math.exp(3 + random.normal()), random.count(3), random.uniform() < 0.2]
      const scores = [0, 0.9 * (Math.log(minutes) - 3) * 3, 1.2 * (replies - 3) + (vip ? 3 : 0)]
      const best = scores.map((score) => score - Math.log(-Math.log(random.uniform() + 1e-12)))
      const truth = best.indexOf(Math.max(...best))
      const label = bad.has(i) ? (truth + 1 + Math.floor(2 * random.uniform())) % 3 : truth
      return `#${4000 + i},"It says ""no"", ${i}\nagain",${minutes.toFixed(1)},${replies},${vip ? 'yes' : 'no'},${['low', 'normal', 'urgent'][label]}`
    })
    return {
      file: 'tickets.csv',
      text: `Ticket,Subject,First response (min),Replies,VIP,Priority\n${rows.join('\n')}\n`,
      argv: ['--target', 'Priority'],
      bad: 25 / 420,
    }
  },

  /** A greenhouse's controller: duplicate names of columns, a column of states with a degree sign, an extra delimiter. */
  controller(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-05-20T00:00:00Z', 15 * i)
      const [inside, outside] = [18 + 6 * random.uniform(), 5 + 15 * random.uniform()]
      const gas = 10 + 1.2 * inside - 0.8 * outside + 0.6 * random.normal() + (bad.has(i) ? 9 : 0)
      return `${y}/${m}/${d} ${time};${inside.toFixed(1)};${outside.toFixed(1)};${random.among(['auto', 'hand'])};${gas.toFixed(2)};`
    })
    return {
      file: 'controller.csv',
      text: `Time;Temp;Temp;Mode;Gas;\n${rows.join('\n')}\n`,
      argv: ['--target', 'Gas'],
      bad: 0.05,
      truth: { Temp: 1.2, Temp_1: -0.8 },
    }
  },
}
