import { phrase, RlviError } from 'rlvi'
import type { Address } from './address.js'

/** ClickHouse's numbers of errors of servers that could not ask another one. */
const unanswered: readonly number[] = [3, 32, 101, 198, 209, 210, 279]

const tooLarge = {
  rule: 'the server must take queries of this size',
  todo: 'raise its max_query_size and max_expanded_ast_elements, or use fewer columns',
}
/** A query that ends where the server stops to read is a mistake in its words, with a word more. */
const TOO_LONG = 62.5

/** ClickHouse's numbers of errors that a person can do something about. */
const causes: readonly { readonly codes: readonly number[]; readonly rule: string; readonly todo: string }[] =
  [
    {
      codes: [192, 193, 194, 516],
      rule: 'a user and a password that the server knows are needed',
      todo: 'give them in the address, or the password by CLICKHOUSE_PASSWORD',
    },
    { codes: [81], rule: 'a database of the server is needed', todo: 'correct the address' },
    { codes: [60], rule: 'a table of the database is needed', todo: 'correct `table`' },
    {
      codes: [...unanswered],
      rule: 'all servers that hold a part of the table must answer',
      todo: 'nothing was written; when they are up again, run it again',
    },
    {
      codes: [10, 16, 47],
      rule: 'columns that the table has, on every server of a cluster, are needed',
      todo: 'correct `table`, or, where the table changed meanwhile, try again',
    },
    { codes: [TOO_LONG, 167, 168], ...tooLarge },
    { codes: [62], rule: 'a query that the server understands is needed', todo: 'correct `table`' },
    {
      codes: [241],
      rule: 'the server must have memory enough',
      todo: 'raise its max_memory_usage, or use fewer columns',
    },
    { codes: [159, 160], rule: 'the server must give it time enough', todo: 'raise its max_execution_time' },
    {
      codes: [164, 291, 497],
      rule: 'the user must be allowed to do this',
      todo: 'ask for the right, or use another user',
    },
    {
      codes: [243],
      rule: 'the server must have disk space enough',
      todo: 'free some; nothing was left half-written',
    },
  ]

const refused = 'is it running, and is this its HTTP port (8123 by default, 8443 for clickhouse+https)?'
const gone = 'the server must answer to the end'
const system: Readonly<Record<string, readonly [rule: string, todo: string]>> = {
  ECONNREFUSED: ['a server must listen there', refused],
  ENOTFOUND: ['a host of that name is needed', 'correct the address'],
  EAI_AGAIN: ['a host of that name is needed', 'correct the address, or check the network'],
  EHOSTUNREACH: ['the host must be within reach', 'check the network'],
  ENETUNREACH: ['the host must be within reach', 'check the network'],
  ETIMEDOUT: ['the host must answer', 'correct the address, or check the network'],
  ECONNRESET: [gone, 'when it is up again, run it again'],
  EPIPE: [gone, 'when it is up again, run it again'],
  EPROTO: [
    'a server that speaks TLS is needed there',
    'correct the port, or use clickhouse:// for one without',
  ],
}

/** Whether the same question may have an answer in a moment: a connection broke, or a server of a cluster is away. */
export function mayPass(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (unanswered.includes(codeOf(code, message))) return true
  return (
    ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'].includes(code ?? '') ||
    /socket hang up/i.test(message)
  )
}

function codeOf(code: string | undefined, message: string): number {
  const number = Number(/^Code: (\d+)/.exec(message)?.[1] ?? code)
  return number === 62 && /max query size exceeded/i.test(message) ? TOO_LONG : number
}

/** What ClickHouse, or the way to it, reports, in our words: no query of ours in it, and no password. */
export function fromClickhouse({ name, password }: Address, error: unknown): Error {
  if (error instanceof RlviError) return error
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  const safe = (text: string): string => (password === '' ? text : text.replaceAll(password, '…'))
  const number = codeOf(code, message ?? '')
  const words = safe(serverWords(message ?? String(error)))
  if (Number.isFinite(number)) {
    const cause = causes.find(({ codes }) => codes.includes(number))
    const rule = cause?.rule ?? 'the server could not do it'
    return new RlviError(name, rule, phrase(words), cause?.todo)
  }
  const known = code === undefined ? undefined : system[code]
  if (known !== undefined) return new RlviError(name, known[0], phrase(safe(message ?? '')), known[1])
  if (/socket hang up|aborted|timeout/i.test(message ?? ''))
    return new RlviError(name, gone, phrase(words), 'when it is up again, run it again')
  if (code?.startsWith('HPE_') || /port 9000|clickhouse-client/i.test(message ?? ''))
    return new RlviError(name, 'a server that speaks HTTP is needed there', phrase(words), refused)
  return new RlviError(name, 'the server could not be asked', phrase(words))
}

/** The sentence of an error, without its number, its class and what comes behind. */
function serverWords(message: string): string {
  return message
    .replace(/^Code: \d+[,.] */, '')
    .replace(/^(e\.displayText\(\) = )?DB::\w*Exception: /, '')
    .replace(/, e\.what\(\) = .*$/s, '')
    .replace(/ *\(version .*$/s, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/: While (executing|processing) .*$/s, '')
    .trim()
    .slice(0, 300)
}
