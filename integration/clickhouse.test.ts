import { afterAll, beforeAll, describe } from 'vitest'
import { changes } from './clickhouse/changes.js'
import { type Cluster, clickhousePath, startCluster } from './clickhouse/cluster.js'
import { errors } from './clickhouse/errors.js'
import { failures } from './clickhouse/failures.js'
import { fits } from './clickhouse/fits.js'
import { gaps } from './clickhouse/gaps.js'
import { names } from './clickhouse/names.js'
import { sums } from './clickhouse/sums.js'

describe.skipIf(clickhousePath === undefined)('ClickHouse, one server and a cluster of three', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(3)
  })
  afterAll(() => cluster?.close())

  sums(() => cluster)
  fits(() => cluster)
  names(() => cluster)
  gaps(() => cluster)
  errors(() => cluster)
  changes(() => cluster)
  // Last: servers die in them.
  failures(() => cluster)
})
