import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { ClickHouseClient } from '@clickhouse/client'
import { phrase, RlviError } from 'rlvi'
import type { Answer } from '../sql/aggregates.js'
import type { Address } from './address.js'
import { fromClickhouse } from './errors.js'

/** A scan of a very large table takes its time; a server that is gone is noticed without a clock. */
const PATIENCE = 24 * 3600 * 1000

/** A ClickHouse server that answers questions. */
export class Server {
  readonly address: Address
  private readonly client: ClickHouseClient

  constructor(address: Address) {
    this.address = address
    // By `require`, like DuckDB, and only where a ClickHouse address is given.
    const library: typeof import('@clickhouse/client') = createRequire(import.meta.url)('@clickhouse/client')
    const { url, username, password, database } = address
    this.client = library.createClient({
      url,
      username,
      password,
      database,
      request_timeout: PATIENCE,
      // What goes wrong is an error of ours, and no line between the command's own.
      log: { level: library.ClickHouseLogLevel.OFF },
      // Whether all went well is known before the first byte is sent: no answer ends in an error.
      clickhouse_settings: { wait_end_of_query: 1 },
    })
  }

  /** The rows of an answer; what is no finite number is null. */
  async ask(sql: string): Promise<readonly (readonly Answer[])[]> {
    try {
      const result = await this.client.query({ query: sql, format: 'JSONCompact' })
      return (await result.json<readonly Answer[]>()).data
    } catch (error) {
      throw fromClickhouse(this.address, error)
    }
  }

  /** Names and types of the columns of an answer. */
  async describe(sql: string): Promise<readonly { readonly name: string; readonly type: string }[]> {
    try {
      const result = await this.client.query({ query: sql, format: 'JSONCompact' })
      return (await result.json()).meta ?? []
    } catch (error) {
      throw fromClickhouse(this.address, error)
    }
  }

  /** Lets the server do something; where `stop` asks for an end before it is done, it ends there, too. */
  async command(sql: string, stop?: AbortSignal): Promise<void> {
    const query_id = randomUUID()
    try {
      await this.client.command({
        query: sql,
        query_id,
        ...(stop === undefined ? {} : { abort_signal: stop }),
      })
    } catch (error) {
      if (stop?.aborted) {
        await this.command(`KILL QUERY WHERE query_id = '${query_id}' SYNC`).catch(() => undefined)
        throw new RlviError(this.address.name, 'stopped', phrase('a signal'), 'nothing was written')
      }
      throw fromClickhouse(this.address, error)
    }
  }

  async close(): Promise<void> {
    await this.client.close()
  }
}
