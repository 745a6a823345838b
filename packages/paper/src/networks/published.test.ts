import { describe, expect, it } from 'vitest'
import { networkExperiments } from './experiments.js'
import { publishedAccuracy, publishedSeconds } from './published.js'
import { selectCells } from './selection.js'

describe("the paper's numbers", () => {
  // Entries of the paper's table 1, one from each corner of it.
  it.each([
    ['mnist', 'symmetric', 0.2, 'standard', 95.66, 0.28],
    ['mnist', 'pairflip', 0.45, 'rlvi', 98.52, 0.07],
    ['cifar10', 'instance', 0.45, 'coteaching', 66.39, 7.16],
    ['cifar100', 'asymmetric', 0.2, 'usdnl', 59.12, 0.1],
    ['cifar80no', 'pairflip', 0.45, 'bare', 30.09, 0.86],
  ])('%s, %s %s, %s', (dataset, noise, rate, method, mean, sd) => {
    expect(publishedAccuracy(dataset, noise, rate, method)).toEqual({ mean, sd })
  })

  it('has none where the paper has none', () => {
    expect(publishedAccuracy('cifar80no', 'instance', 0.2, 'rlvi')).toBeUndefined()
    expect(publishedAccuracy('mnist', 'symmetric', 0.3, 'rlvi')).toBeUndefined()
    expect(publishedAccuracy('mnist', 'symmetric', 0.2, 'posterior')).toBeUndefined()
    expect(publishedAccuracy('food101', 'none', 0.2, 'rlvi')).toBeUndefined()
  })

  it("has the paper's overhead of RLVI, 1.19", () => {
    expect(publishedSeconds.rlvi!.mean / publishedSeconds.standard!.mean).toBeCloseTo(1.19, 2)
  })
})

describe('the whole experiments', () => {
  // Methods x noises x rates x seeds, as the paper's table has them.
  it.each([
    ['mnist', 7 * 4 * 2 * 5],
    ['cifar10', 7 * 4 * 2 * 5],
    ['cifar100', 7 * 4 * 2 * 5],
    ['cifar80no', 7 * 3 * 2 * 5],
    // Four methods assume six levels in turn; three assume none.
    ['food101', 4 * 6 + 3],
    ['regularization', 3],
    ['time', 7],
  ])('%s has %i cells', (name, count) => {
    const cells = selectCells(networkExperiments.get(name)!, { full: true, only: [], seed: 0 })
    expect(cells).toHaveLength(count)
  })

  it('have every cell of the accuracy tables in the paper', () => {
    for (const name of ['mnist', 'cifar10', 'cifar100', 'cifar80no']) {
      const cells = selectCells(networkExperiments.get(name)!, { full: true, only: [], seed: 0 })
      for (const { dataset, noise, rate, method } of cells)
        expect(publishedAccuracy(dataset, noise, rate, method)?.mean).toBeGreaterThan(25)
    }
  })
})

describe('a selection', () => {
  const mnist = networkExperiments.get('mnist')!

  it('is small without a word, and what was asked for with one', () => {
    const quick = selectCells(mnist, { full: false, only: [], seed: 3 })
    expect(quick.map(({ method, seed, noise }) => `${noise} ${method} ${seed}`)).toEqual([
      'pairflip standard 3',
      'pairflip rlvi 3',
    ])
    const only = ['noise=instance,method=bare', 'method=cdr']
    const asked = selectCells(mnist, { full: false, only, runs: 2, epochs: 4, seed: 1 })
    expect(asked.map(({ noise, rate, method, seed, epochs }) => [noise, rate, method, seed, epochs])).toEqual(
      [
        ['instance', 0.45, 'bare', 1, 4],
        ['instance', 0.45, 'cdr', 1, 4],
        ['instance', 0.45, 'bare', 2, 4],
        ['instance', 0.45, 'cdr', 2, 4],
      ],
    )
  })

  it.each([
    [['method=rvli'], /^only: method must be one of standard, .*, got "rvli"/],
    [['noise=symmetric,rate=0.3'], /^only: rate must be one of 0.2, 0.45, got "0.3"/],
    [['pairflip'], /^only: method=NAME, noise=NAME or rate=NUMBER is needed, got "pairflip"/],
  ])('%j is refused', (only, message) => {
    expect(() => selectCells(mnist, { full: false, only, seed: 0 })).toThrow(message)
  })
})
