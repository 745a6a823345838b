import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A forest inventory by a hand-held: names in capitals, heights with a comma in quotes, trees by plot, DBH classes. */
  forest(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const comma = (value) => `"${value.toFixed(1).replace('.', ',')}"`
    const rows = Array.from({ length: n }, (_, i) => {
      const [dbh, age] = [10 + 40 * random.uniform(), 20 + Math.floor(80 * random.uniform())]
      const height = 4 + 0.4 * dbh + 0.06 * age + random.normal() + (bad.has(i) ? 15 : 0)
      return `P${1 + (i % 12)},${i + 1},${random.among(['PIAB', 'FASY', 'QURO'])},${comma(dbh)},${age},${comma(height)}`
    })
    return {
      file: 'inventory.csv',
      text: `PLOT,TREE,SPECIES,DBH_CM,AGE,HEIGHT_M\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'HEIGHT_M', '--decimal', ','],
      bad: 0.05,
      truth: { DBH_CM: 0.4, AGE: 0.06 },
    }
  },

  /** Server-side timings of a web service: durations as 12.3ms and 1.2s, sizes as 4.5KB, one unit a column. */
  timings(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [size, rows] = [1 + 60 * random.uniform(), Math.floor(400 * random.uniform())]
      const took = 5 + 0.8 * size + 0.05 * rows + 1.2 * random.normal() + (bad.has(i) ? 60 : 0)
      return `${moment('2024-05-01T00:00:00Z', i).at}|${random.among(['GET', 'POST'])}|${size.toFixed(1)}KB|${rows}|${took.toFixed(1)}ms`
    })
    return {
      file: 'timings.psv',
      text: `ts|method|size|rows|took\n${rows.join('\n')}\n`,
      argv: ['--target', 'took', '--units', 'KB,ms'],
      bad: 0.05,
      truth: { size: 0.8, rows: 0.05 },
    }
  },

  /** A dive log: times of the day with h, minutes and seconds as 45:30, depth in m beside the number in the header. */
  dives(random) {
    const n = 220
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day } = moment('2022-05-01T00:00:00Z', 4320 * i)
      const [depth, minutes] = [8 + 30 * random.uniform(), 20 + 40 * random.uniform()]
      const used = 10 + 2.2 * depth + 1.5 * minutes + 5 * random.normal() + (bad.has(i) ? 70 : 0)
      const whole = Math.round(60 * minutes)
      return `${i + 1},${day},09:${10 + (i % 50)}:00,${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')},${depth.toFixed(1)},${(6 + 20 * random.uniform()).toFixed(0)},${used.toFixed(0)}`
    })
    return {
      file: 'dives.csv',
      text: `dive number,date,time,duration [min],maxdepth [m],water temp [C],gas used [bar]\n${rows.join('\n')}\n`,
      argv: ['--target', 'gas used [bar]'],
      bad: 0.05,
      truth: { 'maxdepth [m]': 2.2 },
    }
  },

  /** A hospital's laboratory by HL7 to CSV: fields with carets in them, flags, a numeric result, units in a column. */
  hl7(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-05-01T06:00:00Z', 31 * i)
      const [age, egfr] = [20 + 60 * random.uniform(), 30 + 70 * random.uniform()]
      const creatinine = 160 - 1.0 * egfr + 0.3 * age + 4 * random.normal() + (bad.has(i) ? 80 : 0)
      return `${day.replaceAll('-', '')}${time.replaceAll(':', '')},${70000 + i}^^^MRN,2160-0^Creatinine^LN,${Math.round(age)},${egfr.toFixed(0)},${creatinine.toFixed(0)},umol/L,${creatinine > 110 ? 'H' : 'N'}`
    })
    return {
      file: 'obx.csv',
      text: `OBSERVED,PID,TEST,AGE,EGFR,RESULT,UNITS,FLAG\n${rows.join('\n')}\n`,
      argv: ['--target', 'RESULT', '--exclude', 'FLAG'],
      bad: 0.05,
      truth: { EGFR: -1, AGE: 0.3 },
    }
  },

  /** Counts of traffic by an API as JSON by columns, with a name for each series and the times beside them. */
  traffic(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const columns = { time: [], cars: [], trucks: [], noise_db: [] }
    for (let i = 0; i < n; i++) {
      const [cars, trucks] = [random.count(120), random.count(14)]
      columns.time.push(moment('2024-05-01T00:00:00Z', 60 * i).at.slice(0, 16))
      columns.cars.push(cars)
      columns.trucks.push(i % 50 === 3 ? null : trucks)
      columns.noise_db.push(
        Number((50 + 0.05 * cars + 0.3 * trucks + 0.8 * random.normal() + (bad.has(i) ? 15 : 0)).toFixed(1)),
      )
    }
    return {
      file: 'counters.json',
      text: JSON.stringify({ site: 12, unit: { noise_db: 'dB' }, hourly: columns }),
      argv: ['--target', 'noise_db'],
      bad: 0.05,
      truth: { cars: 0.05, trucks: 0.3 },
    }
  },
}
