import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { hearSignals } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import type { Answer } from '../sql/rows.js'
import type { Address } from './address.js'
import { fromClickhouse, mayPass } from './errors.js'

/** A scan of a very large table takes its time; a server that is gone is noticed without a clock. */
const PATIENCE = 24 * 3600 * 1000
/** Whoever does not answer the first question, a small one, within so many milliseconds may be no such server at all. */
export const patience: { first: number } = { first: 60_000 }
/** A scan changes nothing: where a connection breaks it is made again, after so many milliseconds. */
const PAUSES = [500, 2000, 5000]

/** With other values of these, a server answers with a part of the rows and says nothing. */
const wholeAnswers: Readonly<Record<string, string>> = {
  skip_unavailable_shards: '0',
  distributed_group_by_no_merge: '0',
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
}

/** An answer with the names and types of its columns; what is no finite number is null. */
interface Answered {
  readonly data: readonly (readonly Answer[])[]
  readonly meta?: readonly { readonly name: string; readonly type: string }[]
}

/** A ClickHouse server that answers questions. */
export class Server {
  readonly address: Address
  private readonly client: ClickHouseClient
  private settings: Record<string, string> = {}
  /** Whether it ever answered: who is not there at all is not asked twice. */
  private isKnown = false

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

  /** From here on no answer is from a part of the rows, whatever the user's profile says. */
  async askForAllRows(): Promise<void> {
    const names = Object.keys(wholeAnswers).map(clickhouse.text)
    const found = await this.ask(
      `SELECT name, value FROM system.settings WHERE name IN (${names.join(', ')})`,
    )
    const other = found.filter(([name, value]) => wholeAnswers[String(name)] !== value)
    // Who may only read must not set anything: nothing is set without need.
    this.settings = Object.fromEntries(other.map(([name]) => [String(name), wholeAnswers[String(name)]!]))
  }

  /** The rows of an answer. */
  async ask(sql: string): Promise<Answered['data']> {
    return (await this.answer(sql)).data
  }

  /** Names and types of the columns of an answer. */
  async describe(sql: string): Promise<NonNullable<Answered['meta']>> {
    return (await this.answer(sql)).meta ?? []
  }

  private async answer(sql: string): Promise<Answered> {
    for (const pause of PAUSES) {
      try {
        return await this.answerOnce(sql)
      } catch (error) {
        if (!(this.isKnown && mayPass(error))) throw fromClickhouse(this.address, error)
        await sleep(pause)
      }
    }
    try {
      return await this.answerOnce(sql)
    } catch (error) {
      throw fromClickhouse(this.address, error)
    }
  }

  private async answerOnce(sql: string): Promise<Answered> {
    // Heard only while the server works: nothing else needs more than an end of the process.
    const stop = hearSignals()
    try {
      const answer = this.untilStopped(stop.signal, async (how) => {
        const result = await this.client.query({ query: sql, format: 'JSONCompact', ...how })
        const found: Answered = await result.json<readonly Answer[]>()
        this.isKnown = true
        return found
      })
      return await (this.isKnown ? answer : this.first(answer))
    } finally {
      stop.release()
    }
  }

  /** The first answer, or an error: a port that takes a question and is silent would be waited for all day. */
  private async first<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      const rule = `a server must answer its first question within ${patience.first / 1000} seconds`
      const todo = 'is it a ClickHouse server, and do the port and http or https fit?'
      timer = setTimeout(
        () => reject(new RlviError(this.address.name, rule, phrase('nothing'), todo)),
        patience.first,
      )
    })
    try {
      return await Promise.race([answer, silence])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Lets the server do something; where `stop` asks for an end before it is done, it ends there, too. */
  async command(sql: string, stop?: AbortSignal): Promise<void> {
    try {
      await this.untilStopped(stop, (how) => this.client.command({ query: sql, ...how }))
    } catch (error) {
      throw fromClickhouse(this.address, error)
    }
  }

  private async untilStopped<T>(
    stop: AbortSignal | undefined,
    work: (how: {
      query_id: string
      clickhouse_settings: Record<string, string>
      abort_signal?: AbortSignal
    }) => Promise<T>,
  ): Promise<T> {
    const query_id = randomUUID()
    const how = { query_id, clickhouse_settings: this.settings }
    try {
      return await work(stop === undefined ? how : { ...how, abort_signal: stop })
    } catch (error) {
      if (!stop?.aborted) throw error
      // A server goes on with what nobody waits for.
      await this.client
        .command({ query: `KILL QUERY WHERE query_id = '${query_id}' SYNC` })
        .catch(() => undefined)
      throw new RlviError(this.address.name, 'stopped', phrase('a signal'), 'nothing was written')
    }
  }

  async close(): Promise<void> {
    await this.client.close()
  }
}
