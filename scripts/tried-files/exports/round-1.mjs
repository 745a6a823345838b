import { badRows, moment, right } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** HOBOware: a title, a header in quotes that begins with "#", commas in names, events at the end. */
  hobo(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-05-01T00:00:00Z', 60 * i)
      const hour = Number(time.slice(0, 2))
      const clock = `${String(hour % 12 || 12).padStart(2, '0')}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
      const temp = 18 + 6 * Math.sin(i / 4) + random.normal()
      const light = 40 + 25 * temp + 12 * random.normal() + (bad.has(i) ? 300 : 0)
      return `${i + 1},${m}/${d}/${y.slice(2)} ${clock},${temp.toFixed(3)},${light.toFixed(1)},,`
    })
    const head =
      '"Plot Title: Greenhouse 4"\r\n"#","Date Time, GMT+00:00","Temp, °C (LGR S/N: 20345678, SEN S/N: 20345678)","Intensity, Lux (LGR S/N: 20345678)","Host Connected (LGR S/N: 20345678)","End Of File (LGR S/N: 20345678)"'
    const end = `${n + 1},05/11/24 12:00:00 AM,,,Logged,\r\n${n + 2},05/11/24 12:00:10 AM,,,,Logged`
    const target = 'Intensity, Lux (LGR S/N: 20345678)'
    return {
      file: 'greenhouse.csv',
      text: `\ufeff${head}\r\n${rows.join('\r\n')}\r\n${end}\r\n`,
      argv: ['--target', target, '--date-order', 'mdy'],
      bad: 0.05,
      truth: { 'Temp, °C (LGR S/N: 20345678, SEN S/N: 20345678)': 25 },
    }
  },

  /** nvidia-smi --format=csv: units in the header and beside every number. */
  nvidia(random) {
    const n = 300
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d, time } = moment('2024-05-01T08:00:00Z', i)
      const use = Math.round(5 + 90 * random.uniform())
      const memory = Math.round(2000 + 30 * use + 400 * random.normal())
      const power = 60 + 2.4 * use + 6 * random.normal() + (bad.has(i) ? -90 : 0)
      return `${y}/${m}/${d} ${time}.${right(i % 997, 3).replaceAll(' ', '0')}, GPU-1, ${use} %, ${memory} MiB, ${power.toFixed(2)} W`
    })
    return {
      file: 'gpu.csv',
      text: `timestamp, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n${rows.join('\n')}\n`,
      argv: ['--target', 'power.draw [W]', '--units', '%,MiB,W'],
      bad: 0.06,
      truth: { 'utilization.gpu [%]': 2.4 },
    }
  },

  /** A racing timing service: laps as minutes, seconds and thousandths. */
  laps(random) {
    const n = 260
    const bad = badRows(random, n, 0.08)
    const rows = Array.from({ length: n }, (_, i) => {
      const fuel = 110 - 0.4 * (i % 52)
      const age = 1 + (i % 26)
      const seconds =
        82 + 0.03 * fuel + 0.06 * age + 0.15 * random.normal() + (bad.has(i) ? 4 + 15 * random.uniform() : 0)
      const time = `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, '0')}`
      return `${1 + (i % 52)},${random.among(['HAM', 'VER', 'LEC', 'NOR', 'ALO'])},${fuel.toFixed(1)},${age},${random.among(['SOFT', 'MEDIUM', 'HARD'])},${time}`
    })
    return {
      file: 'laps.csv',
      text: `LapNumber,Driver,Fuel,TyreLife,Compound,LapTime\n${rows.join('\n')}\n`,
      argv: ['--target', 'LapTime'],
      bad: 0.08,
      truth: { Fuel: 0.03 / 3600, TyreLife: 0.06 / 3600 },
    }
  },

  /** USDA's food tables: carets between values, tildes around texts. */
  usda(random) {
    const n = 300
    const bad = badRows(random, n, 0.07)
    const rows = Array.from({ length: n }, (_, i) => {
      const [water, protein, fat] = [20 + 60 * random.uniform(), 25 * random.uniform(), 20 * random.uniform()]
      const energy = 30 + 4 * protein + 9 * fat + 6 * random.normal() + (bad.has(i) ? 150 : 0)
      return `~${String(1001 + i).padStart(5, '0')}~^~FOOD,NO ${i}~^${water.toFixed(2)}^${energy.toFixed(0)}^${protein.toFixed(2)}^${fat.toFixed(2)}^~${random.among(['1 cup', '1 tbsp', '1 pat'])}~`
    })
    return {
      file: 'ABBREV.txt',
      text: `~NDB_No~^~Shrt_Desc~^~Water~^~Energ_Kcal~^~Protein~^~Lipid_Tot~^~GmWt_Desc1~\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Energ_Kcal'],
      bad: 0.07,
      truth: { Protein: 4, Lipid_Tot: 9 },
    }
  },

  /** Trips of an OBD logger, one behind the other in a file: the header comes again. */
  torque(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const head =
      'GPS Time, Device Time, Longitude, Engine RPM(rpm), Speed (OBD)(km/h), Fuel flow rate/hour(l/hr)'
    const rows = Array.from({ length: n }, (_, i) => {
      const { d, time } = moment('2024-05-01T08:00:00Z', i)
      const rpm = 900 + 2500 * random.uniform()
      const speed = 120 * random.uniform()
      const flow = 0.5 + 0.003 * rpm + 0.04 * speed + 0.3 * random.normal() + (bad.has(i) ? 8 : 0)
      const row = `Wed May ${d} ${time} GMT+02:00 2024,${d}-May-2024 ${time}.123,${(8.5 + i / 1e4).toFixed(6)},${rpm.toFixed(1)},${i % 40 === 7 ? '-' : speed.toFixed(1)},${flow.toFixed(3)}`
      return i % 70 === 0 ? `${head}\n${row}` : row
    })
    return {
      file: 'trips.csv',
      text: `${rows.join('\n')}\n`,
      argv: ['--target', 'Fuel flow rate/hour(l/hr)', '--exclude', 'GPS Time'],
      bad: 0.05,
      truth: { 'Engine RPM(rpm)': 0.003, 'Speed (OBD)(km/h)': 0.04 },
    }
  },
}
