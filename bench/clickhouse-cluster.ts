/** A ClickHouse cluster on this machine: some servers with folders, configuration and ports of their own, gone when it is closed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpOnExit } from '@rlvi/io'

const usual = [
  '/usr/sbin/clickhouse-server',
  '/usr/bin/clickhouse-server',
  '/usr/local/bin/clickhouse-server',
]

/** A ClickHouse server that the system has: RLVI_CLICKHOUSE, or where systems put it. */
export const clickhousePath: string | undefined = [process.env.RLVI_CLICKHOUSE, ...usual].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
)

/** Users that may only read, and whose profile leaves out servers that do not answer; with the same password. */
export const reader = 'looker'
export const careless = 'careless'
/** The user of a cluster, with a password that a careless URL, XML file or SQL text would break on. */
export const user = 'reader'
export const password = `p@ss:w/rd'"<&>\\%`
/** What `remote_servers` calls the cluster. */
export const cluster = 'three'

export interface Node {
  readonly httpPort: number
  /** The address for `rlvi fit`. */
  readonly url: string
  /** Sends SQL, with a body of data where it is an INSERT; the answer as text. */
  ask(sql: string, body?: Uint8Array): Promise<string>
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again, where it was. */
  restart(): Promise<void>
}

export interface Cluster {
  readonly nodes: readonly Node[]
  close(): Promise<void>
}

interface Ports {
  readonly http: number
  readonly tcp: number
  readonly interserver: number
}

/** Starts the servers and waits until all of them answer. */
export async function startCluster(servers = 3): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-clickhouse-'))
  const numbers = await freePorts(3 * servers)
  const ports = Array.from({ length: servers }, (_, k) => {
    const [http = 0, tcp = 0, interserver = 0] = numbers.slice(3 * k)
    return { http, tcp, interserver }
  })
  ports.forEach((_, k) => {
    configure(join(folder, String(k)), ports, k)
  })
  const processes = ports.map((_, k) => start(join(folder, String(k))))
  const killAll = (): void => {
    for (const child of processes) child.kill('SIGKILL')
  }
  // A program that fails, or is told to end, leaves no servers behind either.
  const release = cleanUpOnExit(killAll)
  const close = async (): Promise<void> => {
    killAll()
    await Promise.all(processes.map(ended))
    release()
    rmSync(folder, { recursive: true, force: true })
  }
  const answers = (k: number): Promise<void> => ready(ports[k]!.http, processes[k]!, join(folder, String(k)))
  const restart = async (k: number): Promise<void> => {
    // One that still runs would be lost sight of.
    processes[k]!.kill('SIGKILL')
    await ended(processes[k]!)
    processes[k] = start(join(folder, String(k)))
    await answers(k)
  }
  try {
    await Promise.all(ports.map((_, k) => answers(k)))
  } catch (error) {
    await close()
    throw error
  }
  const nodes = ports.map(({ http }, k) =>
    nodeAt(
      http,
      () => processes[k]!,
      () => restart(k),
    ),
  )
  return { nodes, close }
}

function nodeAt(httpPort: number, child: () => ChildProcess, restart: () => Promise<void>): Node {
  return {
    httpPort,
    url: `clickhouse://${user}:${encodeURIComponent(password)}@127.0.0.1:${httpPort}/default`,
    ask: (sql, body) => ask(httpPort, sql, body),
    kill: async () => {
      child().kill('SIGKILL')
      await ended(child())
    },
    restart,
  }
}

async function ask(port: number, sql: string, body?: Uint8Array): Promise<string> {
  const query = body === undefined ? '' : `?query=${encodeURIComponent(sql)}`
  const answer = await fetch(`http://127.0.0.1:${port}/${query}`, {
    method: 'POST',
    // On a connection of its own: one that is kept may be closed by the server just when the next question is sent.
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password, connection: 'close' },
    body: (body ?? sql) as NonNullable<RequestInit['body']>,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${sql.slice(0, 200)}: ${text}`)
  return text
}

/** A table of doubles in ClickHouse's own binary form: text would be read to nearly the last digit only. */
export function rowBinary(columns: readonly Float64Array[]): Uint8Array {
  const rows = columns[0]?.length ?? 0
  const bytes = new DataView(new ArrayBuffer(8 * rows * columns.length))
  for (let i = 0, at = 0; i < rows; i++)
    for (const column of columns) {
      bytes.setFloat64(at, column[i]!, true)
      at += 8
    }
  return new Uint8Array(bytes.buffer)
}

function configure(folder: string, ports: readonly Ports[], k: number): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'config.xml'), configuration(folder, ports, k))
  writeFileSync(join(folder, 'users.xml'), users)
}

function start(folder: string): ChildProcess {
  const argv = [`--config-file=${join(folder, 'config.xml')}`]
  return spawn(clickhousePath!, argv, { stdio: 'ignore', cwd: folder })
}

function configuration(folder: string, ports: readonly Ports[], k: number): string {
  const { http, tcp, interserver } = ports[k]!
  const shards = ports.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port.tcp}</port>
      <user>${user}</user><password>${xml(password)}</password></replica></shard>`,
  )
  return `<yandex>
  <logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><interserver_http_port>${interserver}</interserver_http_port>
  <listen_host>127.0.0.1</listen_host>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
  <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers><${cluster}>${shards.join('')}</${cluster}></remote_servers>
</yandex>`
}

const users = `<yandex>
  <profiles><default></default><reading><readonly>1</readonly></reading>
    <careless><skip_unavailable_shards>1</skip_unavailable_shards></careless></profiles>
  <quotas><default></default></quotas>
  <users>${[
    [user, 'default'],
    ['default', 'default'],
    [reader, 'reading'],
    [careless, 'careless'],
  ]
    .map(
      ([name, profile]) => `
    <${name}><password>${xml(password)}</password><networks><ip>127.0.0.1</ip></networks>
      <profile>${profile}</profile><quota>default</quota></${name}>`,
    )
    .join('')}
  </users>
</yandex>`

function xml(text: string): string {
  return text.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Milliseconds; on a busy machine three servers take a while to start. */
const PATIENCE = 120_000

async function ready(port: number, child: ChildProcess, folder: string): Promise<void> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const answer = await fetch(`http://127.0.0.1:${port}/ping`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const errors = existsSync(`${folder}/errors`) ? readFileSync(`${folder}/errors`, 'utf8') : ''
  throw new Error(`clickhouse-server on port ${port} does not answer: ${errors.slice(-500)}`)
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/** Ports that are free now, all held at once so that none comes twice. */
async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = held.map((server) => (server.address() as { port: number }).port)
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
