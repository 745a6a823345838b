import { describe, expect, test } from 'vitest'
import { failure, normals, run, runJson, testFolder } from '../../testing/run.js'

// JSON that new users brought in their first hour, from interfaces and maps.
const folder = testFolder()
const z = normals(5)

test('points of GeoJSON are columns, and a name inside of a structure is found', async () => {
  const features = Array.from({ length: 60 }, (_, i) => {
    const [lon, lat] = [z(), z()]
    const properties = { depth: 3 * lon - 2 * lat + z() / 10 + (i % 12 === 0 ? 9 : 0) }
    return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } }
  })
  const path = folder.file('points.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  expect(await failure('fit', path, '--target', 'depth')).toContain('did you mean "properties.depth"?')
  const { params } = await runJson('fit', path, '--target', 'properties.depth')
  expect(params.coefficients['geometry.longitude']).toBeCloseTo(3, 1)
  expect(params.coefficients['geometry.latitude']).toBeCloseTo(-2, 1)
  const same = await runJson('fit', path, '--target', 'properties.depth', '--memory', '1MB')
  expect(same.params).toEqual(params)
})

describe('JSON of an interface', () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [x, noise] = [z(), z()]
    return { id: `o${i}`, attributes: { x, y: 2 * x + noise / 10 + (i % 15 === 3 ? 20 : 0) } }
  })
  const slope = async (path: string, ...more: string[]): Promise<number> =>
    (await runJson('fit', path, '--target', 'attributes.y', ...more)).params.coefficients['attributes.x']

  test('with two lists in it: --table names one', async () => {
    const path = folder.file('lists.json', JSON.stringify({ data: rows, included: [{ id: 'a' }], page: 1 }))
    expect(await failure('fit', path, '--target', 'attributes.y')).toContain(
      'one list of rows is needed, got "data", "included"; choose one by --table, such as "data"',
    )
    expect(await slope(path, '--table', 'data')).toBeCloseTo(2, 1)
    expect(await failure('fit', path, '--target', 'y', '--table', 'dat')).toContain(
      'there are "data", "included"',
    )
    const plain = folder.file('rows.json', JSON.stringify(rows))
    expect(await failure('fit', plain, '--target', 'attributes.y', '--table', 'data')).toContain(
      'leave --table out',
    )
  })

  test('with its rows deep inside', async () => {
    const path = folder.file('deep.json', JSON.stringify({ response: { total: 60, results: rows } }))
    expect((await run('look', path)).remarks).toEqual([
      `${path}: the rows are those of the list "response.results"`,
    ])
    expect(await slope(path)).toBeCloseTo(2, 1)
  })
})

describe('a service of weather', () => {
  const hours = Array.from({ length: 60 }, (_, i) => ({
    time: `2024-05-0${1 + Math.floor(i / 24)}T${String(i % 24).padStart(2, '0')}:00`,
    t: 15 + z(),
  })).map(({ time, t }, i) => ({ time, t, rh: 90 - 2 * t + z() / 10 + (i % 15 === 3 ? 20 : 0) }))
  const slope = async (path: string, ...more: string[]): Promise<number> =>
    (await runJson('fit', path, '--target', 'rh', ...more)).params.coefficients.t
  const lists = {
    time: hours.map(({ time }) => time),
    t: hours.map(({ t }) => t),
    rh: hours.map(({ rh }) => rh),
  }

  test('answers by columns, a list for each', async () => {
    const path = folder.file(
      'by-columns.json',
      JSON.stringify({ latitude: 52.5, units: { t: 'C' }, hourly: lists }),
    )
    expect((await run('look', path)).remarks).toEqual([
      `${path}: the columns are the lists in "hourly", each with a value for every row`,
    ])
    expect(await slope(path)).toBeCloseTo(-2, 1)
    const daily = { day: ['2024-05-01', '2024-05-02'], most: [20, 21] }
    const both = folder.file('both.json', JSON.stringify({ hourly: lists, daily }))
    expect(await failure('fit', both, '--target', 'rh')).toContain(
      'one group of columns is needed, got "hourly", "daily"; choose one by --table, such as "hourly"',
    )
    expect(await slope(both, '--table', 'hourly')).toBeCloseTo(-2, 1)
  })

  test('writes what the place is above the table, with more values than a row has', async () => {
    const rows = hours.map(({ time, t, rh }) => `${time},${t},${rh}`).join('\n')
    const path = folder.file('place.csv', `lat,lon,height,zone\n52.5,13.4,38,GMT\n\ntime,t,rh\n${rows}\n`)
    expect((await run('look', path)).remarks[0]).toContain(
      'left out 3 lines ("lat,lon,height,zone", …) above',
    )
    expect(await slope(path)).toBeCloseTo(-2, 1)
  })
})
