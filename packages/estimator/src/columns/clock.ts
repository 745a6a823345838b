/** A time of a day, or how long something took: 1:30, 1:02:03.5, 2:05 PM, 2:05p, 1-02:03:04 with days in front. */
const withColons =
  /^(?:(\d{1,3})-(?=\d\d:\d\d:))?(\d{1,3}):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:\s*([ap])(?:\.?m\.?)?)?$/i
/** The same by its units: 6h 34m, 1 hr 5 min 30 s, PT6H34M, as ISO 8601 has it. */
const byUnits =
  /^(?:P(?:(\d+)D)?T)?(?:(\d+)\s*h(?:(?:ou)?rs?)?)?\s*(?:(\d+)\s*m(?:in(?:ute)?s?)?)?\s*(?:(\d+(?:[.,]\d+)?)\s*s(?:ec(?:ond)?s?)?)?$/i

/** The part of a day that a time without a date is; it may be more than one. NaN for other texts. */
export function partOfClock(text: string): number {
  const [, days, hours, minutes, seconds, half] = withColons.exec(text) ?? []
  if (hours === undefined) return partByUnits(text)
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return Number.NaN
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return partOf(24 * Number(days ?? 0) + hour, Number(minutes), seconds)
}

/** Minutes, seconds and parts of a second, as laps and races are timed: 1:25.273. With hours in front where there are some. */
const withParts = /^(\d{1,4}):([0-5]\d(?:[.,]\d+)?)$/

/** The part of a day that so many minutes and seconds are, 1:25 as well where others have parts of a second; NaN for other texts. */
export function partOfMinutes(text: string): number {
  const [, minutes, seconds] = withParts.exec(text) ?? []
  if (minutes !== undefined) return partOf(0, Number(minutes), seconds)
  return /:.*:/.test(text) ? partOfClock(text) : Number.NaN
}

function partByUnits(text: string): number {
  const [, days, hours, minutes, seconds] = byUnits.exec(text) ?? []
  const isOne = [days, hours, minutes, seconds].some((part) => part !== undefined)
  return isOne
    ? partOf(24 * Number(days ?? 0) + Number(hours ?? 0), Number(minutes ?? 0), seconds)
    : Number.NaN
}

function partOf(hours: number, minutes: number, seconds = '0'): number {
  return (3600 * hours + 60 * minutes + Number(seconds.replace(',', '.'))) / 86_400
}

/** Whether a text can be nothing but a time: 5 m alone may be metres, and 5 s a size. */
export function isSurelyClock(text: string): boolean {
  const bare = text.trim()
  if (withColons.test(bare)) return true
  const units = bare.match(/[a-z]+/gi) ?? []
  return byUnits.test(bare) && (/^P/i.test(bare) || units.length > 1)
}
