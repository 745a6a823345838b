import {
  bare,
  calibrated,
  cdr,
  coteaching,
  jocor,
  type Method,
  rlvi,
  standard,
  usdnl,
} from '@rlvi/nn/methods'
import { RlviError } from 'rlvi'
import { type MethodName, methodsToldTheRate } from './methods.js'

/** The method of that name; `rate` is the share of wrong labels, for those that must be told. */
export function methodOf(name: MethodName, rate: number | undefined): Method {
  if (methodsToldTheRate.includes(name) && rate === undefined) {
    const todo = 'add --assume 0.2, say, or choose rlvi, calibrated or bare, which find out by themselves'
    throw new RlviError('--assume', `${name} must be told the share of wrong labels`, 'none', todo)
  }
  const told = { rate: rate ?? 0 }
  switch (name) {
    case 'standard':
      return standard()
    case 'coteaching':
      return coteaching(told)
    case 'jocor':
      return jocor(told)
    case 'cdr':
      return cdr(told)
    case 'usdnl':
      return usdnl(told)
    case 'bare':
      return bare()
    case 'rlvi':
      return rlvi()
    case 'rlvi-untruncated':
      return rlvi({ truncation: 'never' })
    case 'calibrated':
      return calibrated()
  }
}

/** What the paper tells the methods: the rate, and half of it under asymmetric noise, whatever the data set. */
export function toldRate(noise: string, rate: number): number {
  return noise === 'asymmetric' ? rate / 2 : rate
}
