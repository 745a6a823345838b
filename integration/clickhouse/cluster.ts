import { clickhousePath } from '../../bench/clickhouse-cluster.js'

export * from '../../bench/clickhouse-cluster.js'

// Where everything must be tested (.ci/run says so), a test that cannot run is a failure.
if (clickhousePath === undefined) {
  const rule =
    'ClickHouse tests: no clickhouse-server was found; install it, or set RLVI_CLICKHOUSE to its path'
  if (process.env.RLVI_REQUIRE_CLICKHOUSE === '1') throw new Error(rule)
  console.warn(`${rule}. They are skipped.`)
}
