import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A blood bank's register: haemoglobin beyond limits as <4 and >20, initials, dates as 05-Mar-24. */
  donors(random) {
    const n = 280
    const bad = badRows(random, n, 0.05)
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2024-01-03T00:00:00Z', 1440 * i)
      const sex = random.among(['M', 'F'])
      const iron = Math.exp(3 + 0.8 * random.normal())
      const hb = 11 + 0.04 * iron + (sex === 'M' ? 1.6 : 0) + 0.5 * random.normal() + (bad.has(i) ? -6 : 0)
      const ferritin = iron > 90 ? '>90' : iron < 5 ? '<5' : iron.toFixed(1)
      return `${d}-${months[Number(m) - 1]}-${y.slice(2)},${sex},${random.among(['O+', 'A+', 'B+', 'AB-', 'O-'])},${ferritin},${hb.toFixed(1)}`
    })
    return {
      file: 'donors.csv',
      text: `Visit,Sex,Group,Ferritin (ng/mL),Hb (g/dL)\n${rows.join('\n')}\n`,
      argv: ['--target', 'Hb (g/dL)', '--numbers', 'Ferritin (ng/mL)'],
      bad: 0.05,
      truth: { 'Ferritin (ng/mL)': 0.04, 'Sex=M': 1.6 },
    }
  },

  /** A battery tester: more than twenty lines above the header, one of which says how many. */
  eclab(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [current, capacity] = [-1 + 2 * random.uniform(), 3 * random.uniform()]
      const volts = 3.2 + 0.25 * capacity + 0.1 * current + 0.01 * random.normal() + (bad.has(i) ? 0.4 : 0)
      return [2, i * 10, volts, current, capacity]
        .map((value) => value.toExponential(7).toUpperCase())
        .join('\t')
    })
    const lines = [
      'EC-Lab ASCII FILE',
      'Nb header lines : 26',
      '',
      'Galvanostatic Cycling with Potential Limitation',
      '',
      'Run on channel : 4 (SN 10296)',
      'User : ',
      'Electrode connection : standard',
      'Ewe ctrl range : min = 0.00 V, max = 5.00 V',
      'Acquisition started on : 05/01/2024 10:22:33.000',
      'Technique started on : 05/01/2024 10:22:40.000',
      'Saved on :',
      '  File : cell4.mpr',
      '  Directory : C:\\Data',
      '  Host : 10.0.0.5',
      'Device : VMP3 (SN 0446)',
      'Address : 10.0.0.6',
      'Battery capacity : 3.000 A.h',
      'Electrode surface area : 0.001 cm2',
      'Characteristic mass : 0.001 g',
      'Cycle Definition : Charge/Discharge alternance',
      'Ns                  0                   1',
      'Is                  1.000               -1.000',
      'EM (V)              4.200               2.800',
      '',
    ]
    return {
      file: 'cell4.mpt.txt',
      text: Buffer.from(
        `${[...lines, 'mode\ttime/s\tEwe/V\tI/A\t(Q-Qo)/A.h', ...rows].join('\r\n')}\r\n`,
        'latin1',
      ),
      argv: ['--target', 'Ewe/V'],
      bad: 0.05,
      truth: { 'I/A': 0.1, '(Q-Qo)/A.h': 0.25 },
    }
  },

  /** A parliament's open data: numbers of votes with thin spaces, shares with commas and per cent. */
  elections(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const grouped = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f')
    const rows = Array.from({ length: n }, (_, i) => {
      const listed = 2000 + 60000 * random.uniform()
      const old = 10 + 30 * random.uniform()
      const turnout = 40 + 0.6 * old + 2 * random.normal() + (bad.has(i) ? 22 : 0)
      return `${String(i + 1).padStart(3, '0')};Circonscription n°${i + 1};${grouped(listed)};${old.toFixed(1).replace('.', ',')} %;${turnout.toFixed(2).replace('.', ',')} %`
    })
    return {
      file: 'resultats.csv',
      text: `\ufeffCode;Libellé;Inscrits;Plus de 60 ans;Participation\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'Participation', '--decimal', ',', '--thousands', 'space', '--units', '%'],
      bad: 0.05,
      truth: { 'Plus de 60 ans': 0.6 },
    }
  },

  /** A gateway of sensors (LoRa): NDJSON with structures, a value that is a text here and a number there. */
  gateway(random) {
    const n = 300
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [level, temp] = [10 + 40 * random.uniform(), 5 + 20 * random.uniform()]
      const volts = 2.8 + 0.01 * level + 0.004 * temp + 0.02 * random.normal() + (bad.has(i) ? -0.7 : 0)
      return JSON.stringify({
        deviceInfo: {
          deviceName: random.among(['n1', 'n2', 'n3']),
          tags: { site: random.among(['north', 'south']) },
        },
        time: moment('2024-05-01T00:00:00Z', 15 * i).at,
        fCnt: 1000 + i,
        object: {
          level: Number(level.toFixed(2)),
          temp: i % 50 === 4 ? null : Number(temp.toFixed(2)),
          battery: Number(volts.toFixed(3)),
        },
        rxInfo: [{ rssi: -90 - (i % 20), snr: 5.5 }],
      })
    })
    return {
      file: 'uplinks.ndjson',
      text: `${rows.join('\n')}\n`,
      argv: ['--target', 'object.battery'],
      bad: 0.06,
      truth: { 'object.level': 0.01 },
    }
  },

  /** Counts of a bird ringing station: a row for each catch day, zeros, some tens too many. */
  ringing(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { y, m, d } = moment('2022-03-01T00:00:00Z', 1440 * i)
      const [nets, wind] = [4 + Math.floor(8 * random.uniform()), random.among(['calm', 'light', 'strong'])]
      const mean = Math.exp(0.6 + 0.18 * nets - { calm: 0, light: 0.3, strong: 0.9 }[wind])
      const caught = random.count(mean) + (bad.has(i) ? 40 + random.count(5) : 0)
      return `${y}-${m}-${d},${nets},${wind},${random.among(['AB', 'CD', 'EF'])},${caught}`
    })
    return {
      file: 'ringing.csv',
      text: `date,nets,wind,ringer,caught\n${rows.join('\n')}\n`,
      argv: ['--target', 'caught', '--model', 'poisson'],
      bad: 0.05,
      truth: { nets: 0.18, 'wind=strong': -0.9 },
    }
  },
}
