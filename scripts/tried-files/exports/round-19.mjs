import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A spreadsheet of a greenhouse by R's write.csv2: row names in quotes, decimal commas, NA, factors in quotes, German letters. */
  greenhouse(random) {
    const n = 250
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const [dose, warm] = [10 * random.uniform(), 15 + 15 * random.uniform()]
      const grown = 4 + 1.2 * dose + 0.3 * warm + 0.7 * random.normal() + (bad.has(i) ? 15 : 0)
      return `"${i + 1}";"Beet ${1 + (i % 6)}";${comma(dose, 3)};${i % 27 === 5 ? 'NA' : comma(warm, 2)};${comma(grown, 2)};${i % 2 ? 'TRUE' : 'FALSE'}`
    })
    return {
      file: 'gewächshaus.csv',
      text: `"";"beet";"düngung";"wärme";"wuchs";"licht"\n${rows.join('\n')}\n`,
      argv: ['--target', 'wuchs', '--decimal', ','],
      bad: 0.05,
      truth: { düngung: 1.2, wärme: 0.3 },
    }
  },

  /** A blood bank's counter: counts by weekday, Danish words, dates with points, a row of sums, `Ukendt`. */
  donors(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    let sum = 0
    const rows = Array.from({ length: n }, (_, i) => {
      const { d, m, y } = moment('2023-03-01T00:00:00Z', 1440 * i)
      const staff = 2 + Math.floor(6 * random.uniform())
      const count = random.count(Math.exp(1.6 + 0.2 * staff)) + (bad.has(i) ? 90 : 0)
      sum += count
      return `${d}.${m}.${y};${staff};${random.among(['Regn', 'Sol', 'Ukendt'])};${count}`
    })
    return {
      file: 'tappedag.csv',
      text: `Dato;Personale;Vejr;Antal\r\n${rows.join('\r\n')}\r\nI alt;;;${sum}\r\n`,
      argv: ['--target', 'Antal', '--model', 'poisson', '--numbers', 'Dato'],
      bad: 0.05,
      truth: { Personale: 0.2 },
    }
  },

  /** Blocks of a chain by a public query (BigQuery): times with UTC, hashes, large whole numbers, null. */
  blocks(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const hex = (length) => Array.from({ length }, () => random.among([...'0123456789abcdef'])).join('')
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-02-01T00:00:00Z', 10 * i)
      const [count, weight] = [500 + Math.floor(3000 * random.uniform()), 1e6 + 3e6 * random.uniform()]
      const fee = 2e6 + 4000 * count + 1.5 * weight + 4e5 * random.normal() + (bad.has(i) ? 3e7 : 0)
      return `0000${hex(40)},${828000 + i},${day} ${time} UTC,${count},${Math.round(weight)},${Math.round(fee)},${i % 13 ? hex(8) : ''},${i % 2 ? 'true' : 'false'}`
    })
    return {
      file: 'bquxjob_5f3a.csv',
      text: `hash,number,timestamp,transaction_count,weight,fees,bits,segwit\n${rows.join('\n')}\n`,
      argv: ['--target', 'fees'],
      bad: 0.05,
      truth: { transaction_count: 4000, weight: 1.5 },
    }
  },

  /** Questions on a scale in words with a number in front, as a form of a city exports them; satisfaction 1 to 5 as labels, 5 % misheard. */
  satisfaction(random) {
    const n = 420
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [wait, visits] = [60 * random.uniform(), Math.floor(8 * random.uniform())]
      const happy = random.uniform() < 1 / (1 + Math.exp(-(4 - 0.14 * wait + 0.1 * visits)))
      const label = bad.has(i) ? !happy : happy
      return `${1 + i},"${Math.round(wait)} min",${visits},"${random.among(['1 - never', '2 - seldom', '3 - often'])}",${random.among(['<18', '18-64', '65+'])},${label ? 'satisfied' : 'not satisfied'}`
    })
    return {
      file: 'survey 311.csv',
      text: `Case,Wait,Visits,How often?,Age group,Result\n${rows.join('\n')}\n`,
      argv: ['--target', 'Result', '--units', 'min'],
      bad: 0.05,
    }
  },

  /** A pump's recorder: semicolons and blanks around values, German state words, moments with commas before parts of a second. */
  pump(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const { d, m, y, time } = moment('2024-07-01T06:00:00Z', 2 * i)
      const [speed, head] = [900 + 600 * random.uniform(), 5 + 20 * random.uniform()]
      const power = -3 + 0.012 * speed + 0.4 * head + 0.5 * random.normal() + (bad.has(i) ? 18 : 0)
      return `${d}.${m}.${y} ${time},${String(100 + (i % 900)).slice(0, 3)} ; ${comma(speed, 1)} ; ${comma(head, 2)} ; ${i % 44 === 9 ? '---' : comma(power, 2)} ; ${i % 15 ? 'Ein' : 'Handbetrieb'}`
    })
    return {
      file: 'Pumpe_P101.csv',
      text: `Zeitstempel ; Drehzahl [1/min] ; Förderhöhe [m] ; Leistung [kW] ; Zustand\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Leistung [kW]', '--decimal', ','],
      bad: 0.05,
      truth: { 'Drehzahl [1/min]': 0.012, 'Förderhöhe [m]': 0.4 },
    }
  },
}
