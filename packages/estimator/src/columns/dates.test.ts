import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOrder, datePart, dateText, daysOf, hasShortYear } from './dates.js'

const DAY = 86_400_000
const days = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

const recent = fc.date({ min: new Date('1969-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })

describe('a time without a date', () => {
  test('is hours and minutes, unless parts of a second say that it is minutes and seconds', () => {
    expect(dateOrder(['1:25', '2:30'])).toBe('clock')
    expect(daysOf('1:30', 'clock')).toBe(1.5 / 24)
    // One with parts of a second says it of all.
    expect(dateOrder(['1:25.273', '2:30'])).toBe('minutes')
    expect(daysOf('2:30', 'minutes')).toBe(2.5 / 1440)
    expect(daysOf('1:02:03.5', 'minutes')).toBe(3723.5 / 86_400)
    expect(dateOrder(['1:25.273', 'x'])).toBeUndefined()
    // A weather station leaves the m out.
    expect(dateOrder(['12:30a', '2:00p'])).toBe('clock')
    expect([daysOf('12:30a', 'clock'), daysOf('6:00p', 'clock')]).toEqual([0.5 / 24, 0.75])
    // A cluster counts days in front.
    expect(dateOrder(['1-02:30:00', '05:47:36'])).toBe('clock')
    expect(daysOf('1-12:00:00', 'clock')).toBe(1.5)
  })
})

describe('a date', () => {
  test('may have its year behind the time, as C and Java print it', () => {
    for (const [text, moment] of [
      ['Wed May  1 08:30:00 2024', '2024-05-01 08:30:00'],
      ['Wed May 01 08:30:00 GMT+02:00 2024', '2024-05-01 06:30:00'],
      ['Thu Feb 29 23:00:00 UTC 2024', '2024-02-29 23:00:00'],
    ] as const) {
      expect(dateOrder([text])).toBe('mdy')
      expect(daysOf(text, 'mdy')).toBe(daysOf(moment, 'ymd'))
    }
  })

  test('may have a year of two digits, unless it could be of two centuries', () => {
    fc.assert(
      fc.property(recent, (date) => {
        const [year, month, day] = date.toISOString().slice(0, 10).split('-')
        const midnight = Math.floor(date.getTime() / DAY)
        expect(daysOf(`${day}.${month}.${year!.slice(2)}`, 'dmy')).toBe(midnight)
        expect(daysOf(`${month}/${day}/${year!.slice(2)} 00:00`, 'mdy')).toBe(midnight)
        expect(hasShortYear(`${day}.${month}.${year!.slice(2)} 10:30`, 'dmy')).toBe(true)
        expect(hasShortYear(`${day}.${month}.${year}`, 'dmy')).toBe(false)
      }),
    )
    for (const year of ['40', '55', '68', '5', '123']) expect(daysOf(`1.2.${year}`, 'dmy')).toBeNaN()
  })

  test('without a day is the first of its month or quarter', () => {
    const may = daysOf('2020-05-01', 'ymd')
    for (const text of ['2020-05', '2020/5', '2020 May']) expect(daysOf(text, 'ym')).toBe(may)
    for (const text of ['05/2020', 'May 2020', 'may, 2020', 'May-2020']) expect(daysOf(text, 'my')).toBe(may)
    // Weeks begin on Mondays, and the first has the 4th of January.
    for (const [week, monday] of [
      ['2020-W01', '2019-12-30'],
      ['2020W53', '2020-12-28'],
      ['2021-W01', '2021-01-04'],
    ] as const)
      expect(daysOf(week, 'ym')).toBe(daysOf(monday, 'ymd'))
    const april = daysOf('2020-04-01', 'ymd')
    for (const text of ['2020Q2', '2020-Q2']) expect(daysOf(text, 'ym')).toBe(april)
    expect(daysOf('Q2 2020', 'my')).toBe(april)
    // Numbers, ranges, and the numbers of parts.
    for (const text of ['2020.05', '2020-2021', '12-3456', '2020']) {
      expect(daysOf(text, 'ym')).toBeNaN()
      expect(daysOf(text, 'my')).toBeNaN()
    }
  })

  test('may be none, but a time: of a day, or how long something took', () => {
    fc.assert(
      fc.property(fc.nat(999 * 3600), (seconds) => {
        const two = (part: number): string => String(part).padStart(2, '0')
        const text = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
        expect(daysOf(text, 'clock') * 86_400).toBeCloseTo(seconds, 6)
      }),
    )
    expect(daysOf('12:30 am', 'clock')).toBe(0.5 / 24)
    for (const text of ['12:60', '5', '1:2', '13:00 PM', '2020-01-01 10:00', ''])
      expect(daysOf(text, 'clock')).toBeNaN()
    expect(dateOrder(['10:00', '23:59:59.5'])).toBe('clock')
  })

  test('as mail and web servers write it', () => {
    const noon = daysOf('2020-01-31 12:00', 'ymd')
    for (const text of ['Fri, 31 Jan 2020 12:00:00 GMT', '31/Jan/2020:14:00:00 +0200', '31.1.2020, 12:00'])
      expect(daysOf(text, 'dmy')).toBe(noon)
    expect(daysOf('1/31/2020 12:00:00 AM', 'mdy')).toBe(noon - 0.5)
    for (const text of [
      '2020/01/31 2:00:00 PM GMT+2',
      '2020/01/31 2:00:00 PM UTC+02:00',
      '2020-01-31 12:00 UTC',
    ])
      expect(daysOf(text, 'ymd')).toBe(noon)
    expect(daysOf('1/31/2020 13:00 PM', 'mdy')).toBeNaN()
  })

  test('is the same however it is written', () => {
    fc.assert(
      fc.property(days, (date) => {
        const iso = date.toISOString()
        const [year, month, day] = iso.slice(0, 10).split('-')
        const midnight = Math.floor(date.getTime() / DAY)
        expect(daysOf(iso, 'ymd')).toBeCloseTo(date.getTime() / DAY, 7)
        expect(daysOf(iso.slice(0, 10), 'ymd')).toBe(midnight)
        expect(daysOf(`${day}.${month}.${year}`, 'dmy')).toBe(midnight)
        expect(daysOf(`${Number(month)}/${Number(day)}/${year}`, 'mdy')).toBe(midnight)
        expect(daysOf(`${year}${month}${day}`, 'compact')).toBe(midnight)
        const seconds = Math.floor(date.getTime() / 1000) / 86_400
        const bare = iso.slice(0, 19).replaceAll(/[-:]/g, '')
        for (const text of [bare, `${bare}Z`, bare.replace('T', ' '), bare.replace('T', '')])
          expect(daysOf(text, 'compact')).toBeCloseTo(seconds, 7)
        expect(daysOf(bare.replace('T', '').slice(0, 12), 'compact')).toBeCloseTo(
          Math.floor(1440 * seconds + 1e-6) / 1440,
          7,
        )
        expect(daysOf(bare.replace('T', '').slice(0, 10), 'compact')).toBeCloseTo(
          Math.floor(24 * seconds + 1e-6) / 24,
          7,
        )
        expect(dateText(midnight)).toBe(iso.slice(0, 10))
        for (const length of ['short', 'long'] as const) {
          const name = new Intl.DateTimeFormat('en', { month: length, timeZone: 'UTC' }).format(date)
          expect(daysOf(`${day} ${name} ${year}`, 'dmy')).toBe(midnight)
          expect(daysOf(`${name}. ${Number(day)}th, ${year} 6:00 PM`, 'mdy')).toBe(midnight + 0.75)
          expect(daysOf(`${year}-${name.toUpperCase()}-${day}`, 'ymd')).toBe(midnight)
        }
      }),
    )
  })

  test('has a time as a part of a day, in the zone that it names', () => {
    const noon = daysOf('2020-02-29 12:00', 'ymd')
    expect(noon - daysOf('2020-02-29', 'ymd')).toBe(0.5)
    for (const text of ['2020-02-29T12:00:00Z', '2020-02-29 14:00:00+02:00', '2020-02-29 07:00:00.000-0500'])
      expect(daysOf(text, 'ymd')).toBe(noon)
  })

  test('is one that there is', () => {
    for (const text of [
      '2021-02-29',
      '2020-13-01',
      '2020-00-10',
      '2020-1-32',
      '12:30',
      '2020',
      'May 2020',
      '2020-01/02',
    ])
      expect(daysOf(text, 'ymd')).toBeNaN()
    expect(daysOf('31/4/2020', 'dmy')).toBeNaN()
  })

  test('has parts that calendars know', () => {
    const moon = daysOf('1969-07-20T20:17:40Z', 'ymd')
    const parts = (['year', 'month', 'weekday', 'hour'] as const).map((part) => datePart(moon, part))
    expect(parts).toEqual(['1969', '07', 'Sun', '20'])
  })
})

test('the order of day and month is known where all dates allow only one', () => {
  expect(dateOrder(['2020-01-31', '2020-02-01'])).toBe('ymd')
  expect(dateOrder(['1/2/2020', '31/1/2020'])).toBe('dmy')
  expect(dateOrder(['1/2/2020', '1/31/2020'])).toBe('mdy')
  expect(dateOrder(['1.2.2020', '2.2.2020'])).toBe('dmy')
  expect(dateOrder(['1/2/2020', '2/3/2020'])).toBe('ambiguous')
  expect(dateOrder(['13/14/2020'])).toBeUndefined()
  expect(dateOrder(['2020-01-31', 'soon'])).toBeUndefined()
  expect(dateOrder([])).toBeUndefined()
  expect(dateOrder(['1/2/20', '31/1/20'])).toBe('dmy')
  expect(dateOrder(['Jan 2, 2020', 'Feb 3, 2020'])).toBe('mdy')
  // The point of a second says nothing of the order.
  expect(dateOrder(['1/2/2020 10:00:00.5', '2/3/2020 10:00:00.5'])).toBe('ambiguous')
  // 2020-01-31 or the 20th of January 2031.
  expect(dateOrder(['20-01-31', '21-02-28'])).toBe('ambiguous')
  expect(dateOrder(['20-01-99', '21-02-98'])).toBe('dmy')
  expect(dateOrder(['20200131', '20200201', '20200202.0', '20191231'])).toBe('compact')
  expect(dateOrder(['2020013108', '2020013109', '2020013110', '2020020123'])).toBe('compact')
  expect(dateOrder(['202001310830', '202001310845', '202001310900', '202001310915'])).toBe('compact')
  expect(dateOrder(['20200131T083000Z', '20200131T083015Z', '20200131T083030Z', '20200131T24:00'])).toBe(
    'compact',
  )
  // Numbers of telephones in Washington, of invoices, and of different lengths.
  expect(dateOrder(['2024050108', '2024051123', '2025550143', '2028675309'])).toBeUndefined()
  expect(dateOrder(['202405000001', '202405000002', '202405000003', '202405000004'])).toBeUndefined()
  expect(dateOrder(['20200131', '2020013109', '2020013110', '2020020123'])).toBeUndefined()
  // 21 hundred, the 25th hour, the 60th minute.
  for (const odd of ['2120013108', '2020013125'])
    expect(dateOrder(['2020013108', '2020013109', '2020013110', odd])).toBeUndefined()
  expect(dateOrder(['202001310800', '202001310801', '202001310802', '202001310860'])).toBeUndefined()
  // As spreadsheets write months, SAS and Stata days, people and YouTube durations.
  expect(dateOrder(['Jan-10', 'Feb-10', 'Dec-99'])).toBe('my')
  expect(daysOf('Feb-10', 'my')).toBe(daysOf('2010-02-01', 'ymd'))
  expect(dateOrder(['01jan2020', '31DEC1999'])).toBe('dmy')
  expect(daysOf('31DEC1999:12:00:00', 'dmy')).toBe(daysOf('1999-12-31', 'ymd') + 0.5)
  expect(dateOrder(['6h 34m', '45m', '7 hours'])).toBe('clock')
  expect(daysOf('6h 30m', 'clock')).toBe(6.5 / 24)
  expect(daysOf('P1DT2H', 'clock')).toBe(26 / 24)
  expect(daysOf('1 min 30.5 s', 'clock')).toBe(90.5 / 86_400)
  // Metres, sizes, months and numbers of parts.
  expect(dateOrder(['5m', '7m', '12 m'])).toBeUndefined()
  expect(dateOrder(['10-20', '11-20'])).toBeUndefined()
  expect(dateOrder(['Jan 10', 'Feb 11'])).toBeUndefined()
  expect(daysOf('', 'clock')).toBeNaN()
  expect(daysOf('P', 'clock')).toBeNaN()
  // Ids, and too few to know.
  expect(dateOrder(['20200131', '20200201', '20200202', '20200232'])).toBeUndefined()
  expect(dateOrder(['20200131', '20200201'])).toBeUndefined()
})

test('a colon may stand between a date of digits and its time', () => {
  const texts = ['20160601:0010', '20160601:0110', '20160601:0210', '20160602:0010']
  expect(dateOrder(texts)).toBe('compact')
  expect(daysOf('20160601:0610', 'compact')).toBeCloseTo(daysOf('2016-06-01T06:10', 'ymd'), 9)
})

test('an @ may stand before the time, as Kibana writes it', () => {
  expect(dateOrder(['Mar 5, 2024 @ 08:15:22.123', 'Mar 15, 2024 @ 12:52:15.709'])).toBe('mdy')
  expect(daysOf('Mar 5, 2024 @ 06:00:00.000', 'mdy')).toBe(daysOf('2024-03-05T06:00', 'ymd'))
})
