/** The methods of the paper's tables, in their order. */
export const paperMethods = ['standard', 'coteaching', 'jocor', 'cdr', 'usdnl', 'bare', 'rlvi'] as const

/** All that can be run: also RLVI without truncation, and what learns the true labels. */
export const methodNames = [
  'standard',
  'coteaching',
  'jocor',
  'cdr',
  'usdnl',
  'bare',
  'rlvi',
  'rlvi-untruncated',
  'posterior',
] as const
/** The name of a method. */
export type MethodName = (typeof methodNames)[number]

/** The names that people know them by. */
export const methodTitles: Readonly<Record<MethodName, string>> = {
  standard: 'Standard',
  coteaching: 'Co-teaching',
  jocor: 'JoCoR',
  cdr: 'CDR',
  usdnl: 'USDNL',
  bare: 'BARE',
  rlvi: 'RLVI',
  'rlvi-untruncated': 'RLVI, no truncation',
  posterior: 'posterior',
}

/** Those that need an assumed level: the share of wrong labels. */
export const methodsWithAssumedLevel: readonly MethodName[] = ['coteaching', 'jocor', 'cdr', 'usdnl']
