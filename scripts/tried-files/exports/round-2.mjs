import { badRows, moment, right } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** LI-COR: settings, then groups, names and units in a line each, tabs between them. */
  licor(random) {
    const n = 160
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-06-03T09:00:00Z', 2 * i)
      const [light, vpd] = [100 + 1500 * random.uniform(), 0.8 + 1.5 * random.uniform()]
      const a = 3 + 0.012 * light - 2.5 * vpd + 0.6 * random.normal() + (bad.has(i) ? 15 : 0)
      return [
        i + 1,
        `${day.replaceAll('-', '')} ${time}`,
        a.toFixed(4),
        (0.2 - 0.05 * vpd + 0.01 * random.normal()).toFixed(5),
        vpd.toFixed(4),
        light.toFixed(1),
        random.among(['A', 'B', 'C']),
      ].join('\t')
    })
    const head = [
      '[Header]',
      'File opened\t2024-06-03 09:00:00',
      'Console s/n\t68C-831234',
      'Factory cal date\t3 Feb 2023',
      '[Data]',
      'SysObs\tSysObs\tGasEx\tGasEx\tGasEx\tLeafQ\tUserDefVar',
      'obs\tdate\tA\tgsw\tVPDleaf\tQin\tplot',
      '\t\tµmol m⁻² s⁻¹\tmol m⁻² s⁻¹\tkPa\tµmol m⁻² s⁻¹\t',
    ]
    return {
      file: 'licor.txt',
      text: `${[...head, ...rows].join('\n')}\n`,
      argv: ['--target', 'A'],
      bad: 0.05,
      truth: { Qin: 0.012, VPDleaf: -2.5 },
    }
  },

  /** A cluster's accounting (`sacct -P`): pipes, times with days, sizes with letters. */
  slurm(random) {
    const n = 280
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const cpus = random.among([1, 2, 4, 8, 16, 32])
      const hours = 0.5 + 30 * random.uniform()
      const whole = Math.round(3600 * hours)
      const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
        .map((part) => String(part).padStart(2, '0'))
        .join(':')
      const days = Math.floor(whole / 86400)
      const kwh = 0.1 + 0.02 * cpus + 0.05 * (whole / 3600) + 0.08 * random.normal() + (bad.has(i) ? 2.5 : 0)
      return `${900000 + 3 * i}|${random.among(['train', 'eval', 'prep'])}|${random.among(['gpu', 'cpu'])}|${cpus}|${days > 0 ? `${days}-` : ''}${clock}|${Math.round(1e5 + 9e6 * random.uniform())}K|${kwh.toFixed(3)}`
    })
    return {
      file: 'jobs.txt',
      text: `JobID|JobName|Partition|NCPUS|Elapsed|MaxRSS|ConsumedEnergyKWh\n${rows.join('\n')}\n`,
      argv: ['--target', 'ConsumedEnergyKWh', '--units', 'K'],
      bad: 0.06,
      truth: { NCPUS: 0.02, Elapsed: 0.05 },
    }
  },

  /** The statistical office of Germany (GENESIS): titles, a header over several lines, `-` and `.`, a line and notes below. */
  genesis(random) {
    const n = 200
    const bad = badRows(random, n, 0.06)
    const number = (value, digits) => value.toFixed(digits).replace('.', ',')
    const rows = Array.from({ length: n }, (_, i) => {
      const [people, area] = [5000 + 90000 * random.uniform(), 20 + 300 * random.uniform()]
      const tax = 200 + 0.9 * (people / 100) + 1.5 * area + 30 * random.normal() + (bad.has(i) ? 700 : 0)
      return `${String(1001 + i).padStart(5, '0')};Kreis ${i};${Math.round(people)};${number(area, 2)};${i % 50 === 3 ? '.' : number(tax, 1)}`
    })
    const head = [
      'Tabelle: 71231-01-03-4;;;;',
      'Realsteuervergleich - Jahressumme -;;;;',
      'regionale Tiefe: Kreise;;;;',
      'Realsteuervergleich;;;;',
      ';;Bevölkerung;Fläche;Steuern',
      ';;Anzahl;qkm;Tsd. EUR',
    ]
    const end = [
      '__________',
      'Gebietsstand: 31.12.2023',
      '(C)opyright Statistisches Bundesamt (Destatis), 2024',
      'Stand: 01.05.2024 / 10:22:33',
    ]
    return {
      file: '71231.csv',
      text: Buffer.from(`${[...head, ...rows, ...end].join('\r\n')}\r\n`, 'latin1'),
      argv: ['--target', 'Steuern Tsd. EUR', '--decimal', ','],
      bad: 12 / 196,
      truth: { 'Bevölkerung Anzahl': 0.009, 'Fläche qkm': 1.5 },
    }
  },

  /** NASA POWER: a header between two lines that say so, -999 where nothing was measured. */
  power(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2023-01-01T00:00:00Z', 1440 * i)
      const [sun, wind] = [2 + 6 * random.uniform(), 1 + 6 * random.uniform()]
      const t = 4 + 3 * sun - 0.8 * wind + 1.2 * random.normal() + (bad.has(i) ? -25 : 0)
      return `${y},${Number(m)},${Number(d)},${i % 60 === 5 ? -999 : sun.toFixed(2)},${wind.toFixed(2)},${t.toFixed(2)}`
    })
    const head = [
      '-BEGIN HEADER-',
      'NASA/POWER Source Native Resolution Daily Data ',
      'Dates (month/day/year): 01/01/2023 through 10/27/2023 in LST',
      'Location: latitude  47.3769   longitude 8.5417 ',
      'elevation from MERRA-2: Average for 0.5 x 0.625 degree lat/lon region = 611.35 meters',
      'The value for missing source data that cannot be computed or is outside of the sources availability range: -999 ',
      'parameter(s): ',
      'ALLSKY_SFC_SW_DWN     CERES SYN1deg All Sky Surface Shortwave Downward Irradiance (kW-hr/m^2/day) ',
      'WS2M                  MERRA-2 Wind Speed at 2 Meters (m/s) ',
      'T2M                   MERRA-2 Temperature at 2 Meters (C) ',
      '-END HEADER-',
      'YEAR,MO,DY,ALLSKY_SFC_SW_DWN,WS2M,T2M',
    ]
    return {
      file: 'POWER_Point_Daily.csv',
      text: `${[...head, ...rows].join('\n')}\n`,
      argv: ['--target', 'T2M', '--missing', '-999'],
      bad: 0.05,
      truth: { ALLSKY_SFC_SW_DWN: 3, WS2M: -0.8 },
    }
  },

  /** A Fortran program: columns of blanks, exponents with a D. */
  fortran(random) {
    const n = 220
    const bad = badRows(random, n, 0.08)
    const d = (value) =>
      right(
        value
          .toExponential(6)
          .toUpperCase()
          .replace('E', 'D')
          .replace(/D([+-])(\d)$/, 'D$10$2'),
        15,
      )
    const rows = Array.from({ length: n }, (_, i) => {
      const [p, t] = [1e5 + 5e4 * random.uniform(), 250 + 100 * random.uniform()]
      const k = 1e-4 * (2 + 3e-5 * p - 0.01 * t + 0.1 * random.normal() + (bad.has(i) ? 4 : 0))
      return `${right(i + 1, 6)}${d(p)}${d(t)}${d(k)}`
    })
    return {
      file: 'rates.dat',
      text: `  STEP       PRESSURE    TEMPERATURE           RATE\n${rows.join('\n')}\n`,
      argv: ['--target', 'RATE'],
      bad: 18 / 220,
      truth: { PRESSURE: 3e-9, TEMPERATURE: -1e-6 },
    }
  },
}
