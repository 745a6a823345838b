import { bare, cdr, coteaching, jocor, type Method, posterior, rlvi, standard, usdnl } from '@rlvi/nn/methods'
import { RlviError } from 'rlvi'
import { type MethodName, methodsWithAssumedLevel } from './methods.js'

/** The method of that name; `assumed` is the share of wrong labels, for those that need one (`methodsWithAssumedLevel`). */
export function methodOf(name: MethodName, assumed?: number): Method {
  if (methodsWithAssumedLevel.includes(name) && assumed === undefined) {
    const todo = 'give `assumed`, such as 0.2, or choose posterior, rlvi or bare, which need none'
    throw new RlviError('assumed', `${name} needs the share of wrong labels`, 'none', todo)
  }
  const level = { assumed: assumed ?? 0 }
  switch (name) {
    case 'standard':
      return standard()
    case 'coteaching':
      return coteaching(level)
    case 'jocor':
      return jocor(level)
    case 'cdr':
      return cdr(level)
    case 'usdnl':
      return usdnl(level)
    case 'bare':
      return bare()
    case 'rlvi':
      return rlvi()
    case 'rlvi-untruncated':
      return rlvi({ truncation: 'never' })
    case 'posterior':
      return posterior()
  }
}

/** The level that the paper's methods assume: the rate, and half of it under asymmetric noise, whatever the data set. */
export function assumedLevel(noise: string, rate: number): number {
  return noise === 'asymmetric' ? rate / 2 : rate
}
