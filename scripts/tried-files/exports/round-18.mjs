import { badRows, moment } from './draw.mjs'

/** Files of programs, as they write them. */
export const files = {
  /** A tracker of runs as JSON of an interface: nested maps, distances in metres, ids beyond 2^53, gear or null. */
  activities(random) {
    const n = 220
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [metres, climb] = [3000 + 15000 * random.uniform(), 300 * random.uniform()]
      const time = 0.3 * metres + 0.9 * climb + 120 * random.normal() + (bad.has(i) ? 2600 : 0)
      return {
        resource_state: 2,
        athlete: { id: 1234567, resource_state: 1 },
        name: `Run ${i}`,
        distance: Number(metres.toFixed(1)),
        moving_time: Math.round(time),
        total_elevation_gain: Number(climb.toFixed(1)),
        type: 'Run',
        id: 11_000_000_000 + 7919 * i,
        start_date: moment('2024-01-01T06:00:00Z', 2000 * i).at.replace('.000', ''),
        start_latlng: i % 9 ? [52.5, 13.4] : [],
        map: { id: `a${i}`, summary_polyline: 'abc', resource_state: 2 },
        trainer: i % 11 === 3,
        gear_id: i % 3 ? 'g123' : null,
      }
    })
    return {
      file: 'activities.json',
      text: JSON.stringify(rows),
      argv: ['--target', 'moving_time'],
      bad: 0.05,
      truth: { distance: 0.3, total_elevation_gain: 0.9 },
    }
  },

  /** Flats of a portal in Poland: windows-1250, prices as `450 000 zł`, areas as `45,5 m2`, `brak` for none. */
  flats(random) {
    const n = 260
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [area, year] = [25 + 70 * random.uniform(), 1960 + Math.floor(63 * random.uniform())]
      const price =
        60000 + 9000 * area + 900 * (year - 1960) + 20000 * random.normal() + (bad.has(i) ? 1500000 : 0)
      const grouped = Math.round(price)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, '\u00a0')
      return `${random.among(['Krakow', 'Lodz', 'Gdansk'])};${grouped} z\u00b3;${area.toFixed(1).replace('.', ',')} m2;${1 + (i % 5)};${i % 21 === 4 ? 'brak' : year};${random.among(['tak', 'nie'])}`
    })
    return {
      file: 'mieszkania.csv',
      text: Buffer.from(
        `Miasto;Cena;Powierzchnia;Pokoje;Rok budowy;Balkon\r\n${rows.join('\r\n')}\r\n`,
        'latin1',
      ),
      argv: [
        '--target',
        'Cena',
        '--encoding',
        'windows-1250',
        '--decimal',
        ',',
        '--thousands',
        'space',
        '--units',
        'zł,m2',
        '--missing',
        'brak',
      ],
      bad: 0.05,
      truth: { Powierzchnia: 9000, 'Rok budowy': 900 },
    }
  },

  /** Coefficients of a chamber of plants: two lines of channels and units by a logger, milliseconds, NAN in quotes, a row number. */
  chamber(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-06-01T08:00:00Z', i)
      const [light, water] = [1500 * random.uniform(), 10 + 20 * random.uniform()]
      const uptake = -2 + 0.012 * light + 0.1 * water + 0.6 * random.normal() + (bad.has(i) ? 12 : 0)
      return `"${day} ${time}.${i % 10}",${i},${light.toFixed(2)},${i % 41 === 7 ? '"NAN"' : water.toFixed(3)},${uptake.toFixed(4)}`
    })
    return {
      file: 'CR1000_Table1.dat',
      text: `"TIMESTAMP","RECORD","PAR_Avg","H2O_Avg","CO2_flux"\n"TS","RN","umol m-2 s-1","mmol mol-1","umol m-2 s-1"\n${rows.join('\n')}\n`,
      argv: ['--target', 'CO2_flux'],
      bad: 0.05,
      truth: { PAR_Avg: 0.012, H2O_Avg: 0.1 },
    }
  },

  /** Answers of an Arab form: digits 0 to 9, names and answers in Arabic, a mark at the start, numbers in quotes. */
  form(random) {
    const n = 240
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [age, hours] = [18 + Math.floor(40 * random.uniform()), 2 + 8 * random.uniform()]
      const score = 20 + 0.5 * age + 4 * hours + 2 * random.normal() + (bad.has(i) ? 45 : 0)
      return `"${moment('2024-04-01T09:00:00Z', 61 * i)
        .at.slice(0, 19)
        .replace(
          'T',
          ' ',
        )}","${random.among(['نعم', 'لا'])}","${age}","${hours.toFixed(1)}","${score.toFixed(1)}"`
    })
    return {
      file: 'استبيان.csv',
      text: `\ufeff"الوقت","موافق","العمر","ساعات","الدرجة"\r\n${rows.join('\r\n')}\r\n`,
      argv: ['--target', 'الدرجة'],
      bad: 0.05,
      truth: { العمر: 0.5, ساعات: 4 },
    }
  },

  /** Loans of a bank as labels Y and N, `3+` among numbers, empty cells, 6 % of labels turned. */
  approval(random) {
    const n = 500
    const bad = badRows(random, n, 0.06)
    const rows = Array.from({ length: n }, (_, i) => {
      const [income, loan, credit] = [
        1500 + 8000 * random.uniform(),
        50 + 350 * random.uniform(),
        random.uniform() < 0.8 ? 1 : 0,
      ]
      const yes = random.uniform() < 1 / (1 + Math.exp(-(0.0012 * income - 0.03 * loan + 3 * credit)))
      return `LP${1000 + i},${random.uniform() < 0.8 ? 'Male' : 'Female'},${random.among(['Yes', 'No'])},${random.among(['0', '1', '2', '3+'])},${random.among(['Graduate', 'Not Graduate'])},${income.toFixed(0)},${loan.toFixed(0)},${i % 28 === 9 ? '' : 360},${i % 20 === 6 ? '' : credit},${random.among(['Urban', 'Rural', 'Semiurban'])},${(bad.has(i) ? !yes : yes) ? 'Y' : 'N'}`
    })
    return {
      file: 'loan_train.csv',
      text: `Loan_ID,Gender,Married,Dependents,Education,ApplicantIncome,LoanAmount,Loan_Amount_Term,Credit_History,Property_Area,Loan_Status\n${rows.join('\n')}\n`,
      argv: ['--target', 'Loan_Status'],
      bad: 0.06,
    }
  },
}
