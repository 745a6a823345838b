import { RlviError } from 'rlvi'

/** Where a ClickHouse server is, and as whom to speak with it. */
export interface Address {
  /** Of its HTTP interface. */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** The table, where the address names one. */
  readonly table?: string
  /** What messages and reports call it: never with a password. */
  readonly name: string
}

const SCHEME = /^clickhouse(\+https?)?:\/\//i

/** Whether a file's name is the address of a ClickHouse server. */
export function isClickhouse(path: string): boolean {
  return SCHEME.test(path)
}

/** The address without a password in it, whatever else may be wrong with it. */
export function withoutPassword(address: string): string {
  if (!/^[a-z][a-z+]*:\/\//i.test(address)) return address
  const [, server = '', table = ''] = /^(.*?)(\?table=[^?]*)?$/s.exec(address)!
  // All before the last @: signs of a password may be written as they are.
  return server.replace(/^([^/]*:\/\/)([^:/?#]*?)(:.*)?@(?=[^@]*$)/s, '$1$2@') + table
}

const form = 'clickhouse://user@host:8123/database?table=name'
const variable = 'CLICKHOUSE_PASSWORD'

/**
 * Reads `clickhouse://user:password@host:8123/database?table=name`; `clickhouse+https://` where the server wants TLS. A password that
 * is not in it is that of the environment.
 */
export function parseAddress(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Address {
  const shown = withoutPassword(text)
  const secure = /^clickhouse\+https:/i.test(text)
  const url = parsed(text.replace(SCHEME, secure ? 'https://' : 'http://'))
  const rule = `an address like ${form} is needed`
  if (url === undefined || url.hostname === '') {
    const todo = `signs such as @ : / in a password are written as %40 %3A %2F, or give it by ${variable}`
    throw new RlviError('address', rule, shown, todo)
  }
  const more = [...url.searchParams.keys()]
  if (more.some((key) => key !== 'table') || more.length > 1 || url.hash !== '')
    throw new RlviError('address', rule, shown, 'leave out what follows the database, but for one ?table=')
  const path = decoded(url.pathname.slice(1), shown)
  if (path.includes('/')) throw new RlviError('address', rule, shown, 'the table comes as ?table=name')
  const username = decoded(url.username, shown) || 'default'
  const password = url.password === '' ? (environment[variable] ?? '') : decoded(url.password, shown)
  const port = url.port === '' ? (secure ? '8443' : '8123') : url.port
  const database = path === '' ? 'default' : path
  const scheme = secure ? 'clickhouse+https' : 'clickhouse'
  const table = url.searchParams.get('table') ?? undefined
  return {
    url: `${secure ? 'https' : 'http'}://${url.hostname}:${port}`,
    username,
    password,
    database,
    ...(table === undefined ? {} : { table }),
    name: `${scheme}://${encodeURIComponent(username)}@${url.hostname}:${port}/${encodeURIComponent(database)}`,
  }
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function decoded(part: string, shown: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new RlviError('address', 'a % begins two hexadecimal digits', shown, 'write a percent sign as %25')
  }
}
