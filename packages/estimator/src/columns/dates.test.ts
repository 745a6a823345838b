import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOrder, datePart, dateText, daysOf } from './dates.js'

const DAY = 86_400_000
const days = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

describe('a date', () => {
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
        expect(dateText(midnight)).toBe(iso.slice(0, 10))
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
})
