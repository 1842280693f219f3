// The figures of connections for Prometheus: the same as the doctor's, read when they are asked for.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

const FIGURES = {
  up: 'Whether a connection is connected',
  waiting: 'Messages that wait to go out',
  unsure: 'Messages of which nobody knows whether they went out',
  lag_seconds: 'How long the oldest waiting message has waited',
  restarts: 'How often the session began anew in the last 24 hours',
  refused_webhooks: 'Webhooks without a good signature in the last 24 hours',
} as const
type Figure = keyof typeof FIGURES
const NAMES: readonly Figure[] = ['up', 'waiting', 'unsure', 'lag_seconds', 'restarts', 'refused_webhooks']
type Row = { id: number; kind: string } & Record<Figure, number>

/** Adds them to a register. While the database is away there are none. */
export function addConnectionMetrics(registry: Registry, db: Db): void {
  let reading: Promise<Row[]> | undefined
  /** All figures are asked for at once: one statement answers them. */
  function rows(): Promise<Row[]> {
    reading ??= figuresOf(db)
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  for (const name of NAMES)
    new Gauge({
      name: `balcao_connection_${name}`,
      help: FIGURES[name],
      labelNames: ['connection', 'kind'],
      registers: [registry],
      async collect() {
        const found = await rows()
        this.reset()
        for (const row of found) this.labels(String(row.id), row.kind).set(row[name])
      },
    })
}

async function figuresOf(db: Db): Promise<Row[]> {
  return sqlOf(db)<Row[]>`
    select w.id, w.api as kind, (w.status = 'CONNECTED')::int as up,
      (select count(*)::int from outbox o where o.whatsapp_id = w.id and o.state in ('queued', 'sending') and o.operation = 'message') as waiting,
      (select count(*)::int from outbox o join message m on m.id = o.message_id
        where o.whatsapp_id = w.id and o.state = 'unknown' and m.state = 'unknown') as unsure,
      (select coalesce(extract(epoch from now() - min(o.created_at)), 0)::int from outbox o
        where o.whatsapp_id = w.id and o.state in ('queued', 'sending') and o.operation = 'message') as lag_seconds,
      (select count(*)::int from whatsapp_status s
        where s.whatsapp_id = w.id and s.restart and s.at > now() - interval '24 hours') as restarts,
      (select coalesce(sum(c.count), 0)::int from whatsapp_count c
        where c.whatsapp_id = w.id and c.what = 'refused' and c.hour > now() - interval '24 hours') as refused_webhooks
    from whatsapp w where w.deleted_at is null order by w.id`
}
