// A process of the desk that runs connections on the test network, or behind a gateway where it is told of one; tests start it, kill it and start it again.
import pino from 'pino'
import { createMeowDriver } from '../src/messaging/channels/meow/driver.ts'
import { startSupervisor } from '../src/messaging/owner/supervisor.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDatabase } from '../src/platform/database/client.ts'
import { openNotices } from '../src/platform/database/notices.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { createNetworkDriver } from './network-driver.ts'

const url = process.env.DATABASE_URL ?? ''
const db = openDatabase(url, { max: 4 })
const notices = openNotices(db)
const dataDir = process.env.DATA_DIR ?? ''
const network = {
  url: process.env.NETWORK_URL ?? '',
  ownIds: process.env.OWN_IDS !== 'no',
  ...(process.env.TRACE_MS ? { traceMs: Number(process.env.TRACE_MS) } : {}),
}

await startSupervisor({
  db,
  url,
  notices,
  config: readConfig({
    DATA_DIR: dataDir,
    SEND_PACE_SECONDS: process.env.SEND_PACE_SECONDS,
    DATA_KEY: process.env.DATA_KEY,
    GOWA_URL: process.env.GOWA_URL,
    GOWA_USER: process.env.GOWA_USER,
    GOWA_PASSWORD: process.env.GOWA_PASSWORD,
  }),
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }, pino.destination(2)),
  metrics: createMetrics(),
  media: { db, dataDir },
  createDriver: (_kind, connection, host) =>
    process.env.GOWA_URL
      ? createMeowDriver(connection, host, {
          pollMs: 200,
          backoffMs: [50],
          traceMs: 3000,
          againMs: 300,
          settledMs: 200,
        })
      : createNetworkDriver(host, network),
  ring: () => notices.ring('live'),
  tellVolatile: () => {},
})
console.log('ready')
