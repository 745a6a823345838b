import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** The Australian weather service: one column a part of the date, quality as Y, gaps. */
  bom(random) {
    const n = 360
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2023-01-01T00:00:00Z', 1440 * i)
      const t = 20 + 8 * Math.cos((2 * Math.PI * i) / 365) + 2 * random.normal()
      const evaporation = 1 + 0.25 * t + 0.5 * random.normal() + (bad.has(i) ? 6 : 0)
      return `IDCJAC0010,086282,${y},${m},${d},${i % 71 === 4 ? '' : t.toFixed(1)},${i % 71 === 4 ? '' : 1},${random.uniform() < 0.95 ? 'Y' : 'N'},${evaporation.toFixed(1)}`
    })
    return {
      file: 'IDCJAC0010_086282_2023_Data.csv',
      text: `Product code,Bureau of Meteorology station number,Year,Month,Day,Maximum temperature (Degree C),Days of accumulation of maximum temperature,Quality,Evaporation (mm)\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Evaporation (mm)'],
      bad: 0.05,
      truth: { 'Maximum temperature (Degree C)': 0.25 },
    }
  },

  /** A point-of-sale export: currency in the header, amounts in quotes, empty discounts, a payment in words. */
  square(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const money = (value) =>
      `"${value < 0 ? '-' : ''}$${Math.abs(value)
        .toFixed(2)
        .replace(/\B(?=(\d{3})+\.)/g, ',')}"`
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-05-14T08:00:00Z', 13 * i)
      const items = 1 + random.count(3)
      const gross = 8 * items + 4 * random.uniform()
      const tip = 0.5 + 0.15 * gross + 0.7 * random.normal() + (bad.has(i) ? 25 : 0)
      return `${m}/${d}/${y.slice(2)},${time},${money(gross)},${items},${random.among(['Card', 'Cash', 'Gift Card'])},${money(tip)},${i % 6 ? '' : 'Loyal'}`
    })
    return {
      file: 'transactions.csv',
      text: `Date,Time,Gross Sales,Items,Tender,Tip,Note\n${rows.join('\n')}\n`,
      argv: ['--target', 'Tip', '--units', '$'],
      bad: 0.05,
      truth: {},
    }
  },

  /** PHP or Excel in Brazil: semicolons, decimal commas, dates with the day first, Sim and Não, windows-1252. */
  brasil(random) {
    const n = 300
    const bad = badRows(random, n, 0.06)
    const number = (value, digits) =>
      value
        .toFixed(digits)
        .replace('.', ',')
        .replace(/\B(?=(\d{3})+,)/g, '.')
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2024-01-03T00:00:00Z', 1440 * i)
      const [area, garage] = [30 + 170 * random.uniform(), random.uniform() < 0.5]
      const rent = 300 + 22 * area + (garage ? 350 : 0) + 180 * random.normal() + (bad.has(i) ? 4000 : 0)
      return `${d}/${m}/${y};${random.among(['São Paulo', 'Brasília', 'Vitória'])};${number(area, 2)};${garage ? 'Sim' : 'Não'};${number(rent, 2)}`
    })
    return {
      file: 'alugueis.csv',
      text: Buffer.from(`Data;Cidade;Área (m²);Garagem;Aluguel\r\n${rows.join('\r\n')}\r\n`, 'latin1'),
      argv: ['--target', 'Aluguel', '--decimal', ',', '--thousands', '.'],
      bad: 0.06,
      truth: { 'Área (m²)': 22, 'Garagem=Sim': 350 },
    }
  },

  /** A chamber of a fermenter: text in quotes everywhere, blanks around names, Inf where a probe was out. */
  fermenter(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-02-20T00:00:00Z', 10 * i)
      const [stir, air] = [200 + 400 * random.uniform(), 1 + 3 * random.uniform()]
      const oxygen = 10 + 0.08 * stir + 6 * air + 2.5 * random.normal() + (bad.has(i) ? -35 : 0)
      return [
        `${d}.${m}.${y} ${time}`,
        stir.toFixed(1),
        i % 65 === 3 ? 'Inf' : air.toFixed(2),
        oxygen.toFixed(2),
        random.among(['batch', 'fed']),
        i % 2,
      ]
        .map((cell) => `"${cell}"`)
        .join(',')
    })
    return {
      file: 'fermenter.csv',
      text: `"Timestamp"," Stirrer (rpm) "," Air (l/min) "," pO2 (%) "," Phase "," Pump on "\n${rows.join('\n')}\n`,
      argv: ['--target', 'pO2 (%)', '--missing', 'Inf'],
      bad: 0.05,
      truth: { 'Stirrer (rpm)': 0.08, 'Air (l/min)': 6 },
    }
  },

  /** Labels of a help desk's classifier: yes and no in mixed capitals, scores in per cent, 6 % turned round. */
  fraud(random) {
    const n = 500
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [amount, age, night] = [
        Math.exp(3 + random.normal()),
        1 + random.count(20),
        random.uniform() < 0.3,
      ]
      const score = -3 + 0.05 * amount - 0.08 * age + (night ? 2 : 0)
      const truth = random.uniform() < 1 / (1 + Math.exp(-3 * score))
      const label = bad.has(i) ? !truth : truth
      return `TX-${100000 + 7 * i}\t${amount.toFixed(2)}\t${age}\t${night ? 'TRUE' : 'FALSE'}\t${random.among(['web', 'app', 'pos'])}\t${label ? 'fraud' : 'ok'}`
    })
    return {
      file: 'fraud.tsv',
      text: `tx_id\tamount\taccount_age\tis_night\tchannel\tlabel\n${rows.join('\n')}\n`,
      argv: ['--target', 'label'],
      bad: 0.06,
    }
  },
}
