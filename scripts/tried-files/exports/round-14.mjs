import { badRows, moment } from './draw.mjs'

const thousands = (value) =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')

/** Files of programs, as they write them. */
export const files = {
  /** America's census (data.census.gov): a line of codes, a line of what they mean, `-`, `(X)`, `250,000+`, margins with `***`. */
  acs(random) {
    const n = 300
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [degree, age] = [10 + 60 * random.uniform(), 28 + 20 * random.uniform()]
      const income = 9000 + 900 * degree + 500 * age + 3000 * random.normal() + (bad.has(i) ? 70000 : 0)
      const few = i % 41 === 6
      return `"1400000US${48201000000 + i}","Census Tract ${1000 + i}; Harris County; Texas","${few ? '-' : Math.round(income)}","${few ? '**' : thousands(2000 + 9000 * random.uniform())}","${degree.toFixed(1)}","${age.toFixed(1)}",`
    })
    return {
      file: 'ACSST5Y2022.S1901-Data.csv',
      text: `"GEO_ID","NAME","B19013_001E","B19013_001M","S1501_C02_015E","S0101_C01_032E",\n"Geography","Geographic Area Name","Estimate!!Median household income in the past 12 months (in 2022 inflation-adjusted dollars)","Margin of Error!!Median household income in the past 12 months (in 2022 inflation-adjusted dollars)","Percent!!Bachelor's degree or higher","Median age (years)",\n${rows.join('\n')}\n`,
      argv: ['--target', 'B19013_001E', '--exclude', 'B19013_001M'],
      bad: 0.05,
      truth: { S1501_C02_015E: 900, S0101_C01_032E: 500 },
    }
  },

  /** A sports watch's session: names and values of a summary first, below them a table of its own by the second. */
  session(random) {
    const n = 300
    const bad = badRows(random, n, 0.04)
    const rows = Array.from({ length: n }, (_, i) => {
      const [speed, slope] = [8 + 6 * random.uniform(), 10 * random.uniform()]
      const heart = 90 + 4 * speed + 2 * slope + 2 * random.normal() + (bad.has(i) ? 60 : 0)
      const clock = new Date(1000 * i).toISOString().slice(11, 19)
      return `${i === 0 ? '1' : ''},${clock},${Math.round(heart)},${speed.toFixed(1)},${String(Math.floor(60 / speed)).padStart(2, '0')}:${String(Math.floor((3600 / speed) % 60)).padStart(2, '0')},,${(100 + slope).toFixed(0)},,${slope.toFixed(2)},`
    })
    return {
      file: 'Jane_Doe_2024-05-04_18-01-00.CSV',
      text: `Name,Sport,Date,Start time,Duration,Total distance (km),Average heart rate (bpm),Average speed (km/h),Max speed (km/h),Calories,\nJane Doe,RUNNING,04-05-2024,18:01:00,00:05:00,1.02,141,11.0,14.0,74,\nSample rate,Time,HR (bpm),Speed (km/h),Pace (min/km),Cadence,Altitude (m),Stride length (m),Incline (%),Power (W)\n${rows.join('\n')}\n`,
      argv: ['--target', 'HR (bpm)', '--skip', '2', '--exclude', 'Pace (min/km)'],
      bad: 0.04,
      truth: { 'Speed (km/h)': 4, 'Incline (%)': 2 },
    }
  },

  /** A table of an encyclopedia pasted from the browser: tabs, footnotes behind numbers, thousands, a sign for none, minus signs. */
  wiki(random) {
    const n = 120
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const [area, change] = [50 + 950 * random.uniform(), 6 * random.uniform() - 3]
      const people = 20000 + 300 * area + 4000 * change + 6000 * random.normal() + (bad.has(i) ? 250000 : 0)
      const note = i % 17 === 5 ? `[${String.fromCharCode(97 + (i % 5))}]` : i % 29 === 3 ? '[12]' : ''
      return `${i + 1}\tTown ${i}${note}\t${random.among(['North', 'South', 'East'])}\t${thousands(people)}${note}\t${area.toFixed(1)}\t${i % 37 === 9 ? '—' : `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}%`}`
    })
    return {
      file: 'towns.txt',
      text: `Rank\tTown\tRegion\tPopulation (2021)\tArea (km2)\tChange\n${rows.join('\n')}\n`,
      argv: ['--target', 'Population (2021)', '--thousands', ',', '--units', '%,[a],[b],[c],[d],[e],[12]'],
      bad: 0.05,
      truth: { 'Area (km2)': 300, Change: 4000 },
    }
  },

  /** Hourly weather of the world (NOAA): temperature, wind and pressure as values in quotes with marks of quality, `+9999,9` for none. */
  isd(random) {
    const n = 320
    const bad = badRows(random, n, 0.05)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-01-01T00:51:00Z', 60 * i)
      const [dew, pressure] = [-5 + 20 * random.uniform(), 1000 + 30 * random.uniform()]
      const warm = 4 + dew - 0.1 * (pressure - 1015) + 0.6 * random.normal() + (bad.has(i) ? 12 : 0)
      const coded = (value, width) =>
        `${value < 0 ? '-' : '+'}${String(Math.round(Math.abs(10 * value))).padStart(width, '0')}`
      return `"72503014732","${day}T${time}","7","40.7792","-73.88","3.4","LA GUARDIA AIRPORT, NY US","FM-15","KLGA ","V020","${i % 30 === 4 ? '999,9,C,0000,5' : `${String(10 * Math.floor(1 + 35 * random.uniform())).padStart(3, '0')},5,N,0046,5`}","${i % 44 === 8 ? '+9999,9' : `${coded(warm, 4)},5`}","${i % 50 === 8 ? '+9999,9' : `${coded(dew, 4)},5`}","${String(Math.round(10 * pressure)).padStart(5, '0')},5"`
    })
    return {
      file: '72503014732.csv',
      text: `"STATION","DATE","SOURCE","LATITUDE","LONGITUDE","ELEVATION","NAME","REPORT_TYPE","CALL_SIGN","QUALITY_CONTROL","WND","TMP","DEW","SLP"\n${rows.join('\n')}\n`,
      argv: ['--target', 'TMP', '--decimal', ',', '--exclude', 'LATITUDE,LONGITUDE,ELEVATION'],
      bad: 0.05,
    }
  },

  /** A glucose sensor's portal: ten lines of who and with what among the rows, `Low` and `High` for what lies beyond. */
  clarity(random) {
    const n = 340
    const bad = badRows(random, n, 0.05)
    const about = [
      'FirstName,,Jane,,,,,,,',
      'LastName,,Doe,,,,,,,',
      'DateOfBirth,,1980-02-03,,,,,,,',
      'Device,,,Dexcom G6,G6 Mobile App,,,,,',
      'Alert,Fall,,,,,,,3.0,',
      'Alert,High,,,,,,,12.0,',
      'Alert,Low,,,,,,,4.4,',
      'Alert,Out of Range,,,,,,,,00:20:00',
    ].map((line, i) => `${i + 1},,${line}`)
    const rows = Array.from({ length: n }, (_, i) => {
      const { day, time } = moment('2024-02-01T00:02:00Z', 5 * i)
      const [carbs, insulin] = [100 * random.uniform(), 10 * random.uniform()]
      const glucose = 5 + 0.06 * carbs - 0.2 * insulin + 0.4 * random.normal() + (bad.has(i) ? 6 : 0)
      return `${i + 11},${day}T${time},EGV,,,,Android G6,${i % 90 === 50 ? 'Low' : glucose.toFixed(1)},${insulin.toFixed(1)},${carbs.toFixed(0)},${900 + 300 * i},`
    })
    return {
      file: 'CLARITY_Export_Doe_Jane_2024-03-01.csv',
      text: `\ufeffIndex,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,Glucose Value (mmol/L),Insulin Value (u),Carb Value (grams),Transmitter Time (Long Integer),Transmitter ID\n${about.join('\n')}\n${rows.join('\n')}\n`,
      argv: ['--target', 'Glucose Value (mmol/L)', '--missing', 'Low'],
      bad: 0.05,
      truth: { 'Carb Value (grams)': 0.06, 'Insulin Value (u)': -0.2 },
    }
  },
}
