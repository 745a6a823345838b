import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A seismic catalogue (FDSN): `#` in front of the names, pipes, blanks around names, empty cells. */
  fdsn(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [depth, magnitude] = [1 + 60 * random.uniform(), 2 + 3 * random.uniform()]
      const local = 0.2 + 0.9 * magnitude + 0.004 * depth + 0.08 * random.normal() + (bad.has(i) ? 1.2 : 0)
      return `eq${1000 + i}|${moment('2024-05-01T00:00:00Z', 97 * i).at.slice(0, -1)}|${(35 + 8 * random.uniform()).toFixed(4)}|${depth.toFixed(1)}|${i % 60 === 3 ? '' : magnitude.toFixed(2)}|mw|${local.toFixed(2)}|${random.among(['SICILY', 'AEGEAN SEA', 'CRETE'])}`
    })
    return {
      file: 'events.txt',
      text: `#EventID | Time | Latitude | Depth/km | Magnitude | MagType | Local | EventLocationName\n${rows.join('\n')}\n`,
      argv: ['--target', 'Local'],
      bad: 0.05,
      truth: { Magnitude: 0.9, 'Depth/km': 0.004 },
    }
  },

  /** A dairy farm's robot: Dutch names, decimal commas, tabs, times with seconds, `ja` and `nee`. */
  milking(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const comma = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-05-17T00:00:00Z', 41 * i)
      const [days, feed] = [10 + 280 * random.uniform(), 2 + 6 * random.uniform()]
      const milk = 12 - 0.015 * days + 0.7 * feed + 0.5 * random.normal() + (bad.has(i) ? 9 : 0)
      return `${d}-${m}-${y}\t${time}\t${100 + (i % 45)}\t${days.toFixed(0)}\t${comma(feed, 2)}\t${random.uniform() < 0.1 ? 'ja' : 'nee'}\t${comma(milk, 1)}`
    })
    return {
      file: 'melkingen.txt',
      text: `Datum\tTijd\tDiernummer\tLactatiedagen\tKrachtvoer\tMislukt\tMelkgift\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Melkgift', '--decimal', ','],
      bad: 0.05,
      truth: { Lactatiedagen: -0.015, Krachtvoer: 0.7 },
    }
  },

  /** A benchmark by hyperfine or the like as JSON: results in a list, structures and lists in each. */
  benchmark(random) {
    const n = 200
    const bad = badRows(random, n, 0.05)
    const results = Array.from({ length: n }, (_, i) => {
      const [threads, size] = [1 + Math.floor(16 * random.uniform()), 10 + 90 * random.uniform()]
      const mean = 0.4 + 0.05 * size - 0.03 * threads + 0.06 * random.normal() + (bad.has(i) ? 2 : 0)
      return {
        command: `run --n ${i}`,
        mean,
        stddev: 0.02,
        times: [mean, mean + 0.01],
        parameters: { threads: String(threads), size: Number(size.toFixed(2)) },
        exit_codes: [0, 0],
      }
    })
    return {
      file: 'bench.json',
      text: JSON.stringify({ results }, null, 1),
      argv: ['--target', 'mean'],
      bad: 0.05,
      truth: { 'parameters.size': 0.05, 'parameters.threads': -0.03 },
    }
  },

  /** A union's wage survey by Excel in Canada (French): `1 234,56 $`, `Oui` and `Non`, a note at the end. */
  wages(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const money = (value) =>
      `${value
        .toFixed(2)
        .replace('.', ',')
        .replace(/\B(?=(\d{3})+,)/g, '\u00a0')} $`
    const rows = Array.from({ length: n }, (_, i) => {
      const [years, member] = [Math.floor(30 * random.uniform()), random.uniform() < 0.6]
      const pay = 2600 + 70 * years + (member ? 400 : 0) + 150 * random.normal() + (bad.has(i) ? 5000 : 0)
      return `${random.among(['Québec', 'Laval', 'Gatineau'])};${years};${member ? 'Oui' : 'Non'};${money(pay)}`
    })
    return {
      file: 'salaires.csv',
      text: Buffer.from(
        `Région;Ancienneté;Syndiqué;Salaire mensuel\r\n${rows.join('\r\n')}\r\n\r\nSource : enquête 2024\r\n`,
        'latin1',
      ),
      argv: ['--target', 'Salaire mensuel', '--decimal', ',', '--thousands', 'space', '--units', '$'],
      bad: 0.05,
      truth: { Ancienneté: 70, 'Syndiqué=Oui': 400 },
    }
  },

  /** Wheat trials: treatments as N0, N60, N120, replicates, yields in t/ha, weather in words, 6 % of labels of quality turned. */
  quality(random) {
    const n = 450
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [nitrogen, rain] = [random.among([0, 60, 120]), 200 + 200 * random.uniform()]
      const protein = 9 + 0.02 * nitrogen - 0.005 * (rain - 300) + 0.5 * random.normal()
      const isGood = random.uniform() < 1 / (1 + Math.exp(-4 * (protein - 10.3)))
      const label = bad.has(i) ? !isGood : isGood
      return `${1 + (i % 4)},N${nitrogen},${rain.toFixed(0)},${protein.toFixed(2)},${label ? 1 : 0}`
    })
    return {
      file: 'trial.csv',
      text: `rep,treatment,rain_mm,protein,baking\n${rows.join('\n')}\n`,
      argv: ['--target', 'baking'],
      bad: 0.06,
    }
  },
}
