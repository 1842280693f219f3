// A thousand addresses of other programs that never answer, while customers write: what the inbox has of it.
import { beginFollowing } from '@balcao/backend/messaging/webhooks-out/follow'
import { createSecret } from '@balcao/backend/messaging/webhooks-out/signature'
import { webhooks } from '@balcao/backend/messaging/webhooks-out/table'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { seal } from '@balcao/backend/platform/seal'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { measureGraph } from './latency.ts'
import { computePercentile } from './measure.ts'
import { DATA_KEY } from './people.ts'

export const webhooksOut: Benchmark = {
  name: 'webhooks-out',
  about: 'customers write while 1,000 addresses (--addresses) that are told of every message and ticket never answer',
  onlyByName: true,
  async run(options) {
    // Takes every call and never answers.
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const host = `127.0.0.1:${silent.port}`
    const addresses = readNumberOption(options, 'addresses', 1000)
    try {
      return await withDesk({ cloud: 4, baileys: 0, env: { ALLOW_PRIVATE_HOSTS: host } }, async desk => {
        // The first run warms up; two of each take turns, because the machine is not the same from one minute to the next.
        await measureGraph(desk, options)
        await addAddresses(desk, `http://${host}`, addresses)
        const [quiet, beside]: [number[], number[]] = [[], []]
        for (let round = 0; round < 2; round++) {
          quiet.push(...(await measureSwitched(desk, options, false)))
          beside.push(...(await measureSwitched(desk, options, true)))
        }
        return [...toFigures(beside, quiet), await countCalls(desk)]
      })
    } finally {
      silent.stop(true)
    }
  },
}

/** With all of them switched on, or off. */
async function measureSwitched(desk: BenchDesk, options: Parameters<Benchmark['run']>[0], isOn: boolean) {
  await desk.sql`update webhook_cursor set xid = pg_snapshot_xmin(pg_current_snapshot()), event_id = 0`
  await desk.sql`update webhook set active = ${isOn}, failing_since = null, since = now()`
  return measureGraph(desk, options)
}

function toFigures(beside: readonly number[], quiet: readonly number[]): Figure[] {
  return [
    { share: 0.5, name: 'p50' },
    { share: 0.99, name: 'p99', ratioAim: 1.1 },
  ].map(({ share, name, ...aims }) => ({
    label: `Graph webhook to socket beside dead addresses, ${name}`,
    value: computePercentile(beside, share),
    unit: 'ms',
    reference: { label: 'without an address', value: computePercentile(quiet, share) },
    ...aims,
  }))
}

async function addAddresses({ databaseUrl }: BenchDesk, address: string, count: number): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 2 })
  const secretSealed = seal(DATA_KEY, createSecret())
  await db.transaction(async tx => {
    await beginFollowing(tx)
    await tx.insert(webhooks).values(
      Array.from({ length: count }, (_, n) => ({
        name: `Programa ${n}`,
        address: `${address}/${n}`,
        secretSealed,
        events: ['message.received' as const, 'message.status' as const, 'ticket.opened' as const],
        fields: ['messageText'],
      })),
    )
  })
  await closeDatabase(db)
}

async function countCalls({ sql }: BenchDesk): Promise<Figure> {
  const [row] = await sql<{ n: number }[]>`select coalesce(sum(attempts), 0)::int as n from webhook_delivery`
  return { label: 'calls that were given up after ten seconds', value: row?.n ?? 0, unit: '' }
}
