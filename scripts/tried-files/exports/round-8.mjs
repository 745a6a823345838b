import { badRows, moment, right } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** Sea-Bird or any CTD turned to CSV by a lab: names with units in brackets, depth negative, -9.990e-29 for nothing. */
  ctd(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [depth, temp] = [-i / 2, 18 - 0.04 * i + 0.3 * random.normal()]
      const salt = 34 + 0.004 * (i / 2) - 0.02 * temp + 0.01 * random.normal() + (bad.has(i) ? 0.3 : 0)
      const oxygen = i % 70 === 5 ? -9.99e-29 : 240 - 0.3 * i + 5 * random.normal()
      return `${right(depth.toFixed(3), 11)}, ${right(temp.toFixed(4), 10)}, ${right(oxygen === -9.99e-29 ? '-9.990e-29' : oxygen.toFixed(3), 10)}, ${right(salt.toFixed(4), 10)}`
    })
    return {
      file: 'cast012.csv',
      text: `Depth [salt water, m], Temperature [ITS-90, deg C], Oxygen [umol/kg], Salinity [PSU]\n${rows.join('\n')}\n`,
      argv: ['--target', 'Salinity [PSU]', '--missing', '-9.990e-29'],
      bad: 0.05,
      truth: {},
    }
  },

  /** A city's parking meters by an open data portal: points as WKT, money with a dollar sign, true and false in words. */
  parking(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [minutes, rate] = [15 + 150 * random.uniform(), random.among([1.5, 2, 3])]
      const paid = 0.1 + 0.04 * minutes + 0.3 * rate + 0.2 * random.normal() + (bad.has(i) ? 7 : 0)
      const { at } = moment('2024-05-01T08:00:00Z', 17 * i)
      return `M${1000 + (i % 40)},${at.replace('Z', '')},POINT (-122.${400 + (i % 90)} 47.${600 + (i % 80)}),${minutes.toFixed(0)},$${rate.toFixed(2)},$${paid.toFixed(2)},${random.uniform() < 0.4 ? 'true' : 'false'}`
    })
    return {
      file: 'Paid_Parking.csv',
      text: `Meter,Start,Location,PaidMinutes,Rate,AmountPaid,IsMobile\n${rows.join('\n')}\n`,
      argv: ['--target', 'AmountPaid', '--units', '$'],
      bad: 0.05,
      truth: { PaidMinutes: 0.04, Rate: 0.3 },
    }
  },

  /** An Excel sheet of a clinic saved as text in Poland: tabs, decimal commas, dates as 2024-05-01, `b.d.` for nothing, windows-1250. */
  clinic(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const [weight, height] = [50 + 50 * random.uniform(), 1.5 + 0.4 * random.uniform()]
      const pressure = 80 + 0.5 * weight - 5 * height + 5 * random.normal() + (bad.has(i) ? 60 : 0)
      return `${moment('2024-01-01T00:00:00Z', 1440 * i).day}\t${random.among(['K', 'M'])}\t${comma(weight, 1)}\t${i % 60 === 2 ? 'b.d.' : comma(height, 2)}\t${comma(pressure, 1)}`
    })
    const text = `Data\tPłeć\tMasa\tWzrost\tCiśnienie\r\n${rows.join('\r\n')}\r\n`
    const letters = { ł: 0xb3, ć: 0xe6, ś: 0x9c }
    return {
      file: 'poradnia.txt',
      text: Buffer.from(Array.from(text, (sign) => letters[sign] ?? sign.charCodeAt(0))),
      argv: ['--target', 'Ciśnienie', '--decimal', ',', '--encoding', 'windows-1250', '--missing', 'b.d.'],
      bad: 0.05,
      truth: { Masa: 0.5 },
    }
  },

  /** Runs of experiments by a tracker: columns that are mostly empty, scientific notation, a group of failed runs. */
  runs(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [rate, layers] = [10 ** (-4 + 3 * random.uniform()), 2 + Math.floor(7 * random.uniform())]
      const loss =
        2 + 0.25 * Math.log10(rate) - 0.08 * layers + 0.04 * random.normal() + (bad.has(i) ? 1.2 : 0)
      return `"run-${i}","${i % 37 === 5 ? 'crashed' : 'finished'}","${moment('2024-05-01T00:00:00Z', 91 * i).at}","${rate.toExponential(3)}","${Math.log10(rate).toFixed(4)}","${layers}","${i % 37 === 5 ? '' : loss.toFixed(5)}","${i % 30 === 1 ? 'tuned' : ''}"`
    })
    return {
      file: 'wandb_export.csv',
      text: `"Name","State","Created","lr","log_lr","layers","val_loss","Notes"\n${rows.join('\n')}\n`,
      argv: ['--target', 'val_loss'],
      bad: 0.05,
      truth: { log_lr: 0.25, layers: -0.08 },
    }
  },

  /** A rain gauge network's daily file: a line of stations above each other, dates 2024.05.01, trace as T. */
  gauges(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2023-03-01T00:00:00Z', 1440 * i)
      const north = random.uniform() < 0.5 ? 0 : 12 * random.uniform()
      const river = 3 + 0.4 * north + 0.5 * random.normal() + (bad.has(i) ? 7 : 0)
      return `${y}.${m}.${d}|${north > 0 && north < 0.3 ? 'T' : north.toFixed(1)}|${(2 + 15 * random.uniform()).toFixed(1)}|${river.toFixed(2)}`
    })
    return {
      file: 'gauges.psv',
      text: `Date|Rain North|Temp|River\n${rows.join('\n')}\n`,
      argv: ['--target', 'River', '--missing', 'T'],
      bad: 0.05,
      truth: { 'Rain North': 0.4 },
    }
  },
}
