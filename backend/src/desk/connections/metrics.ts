// The figures of connections for Prometheus: the same as the doctor's, read when they are asked for.
import type { Registry } from 'prom-client'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { addGauges } from '../../platform/http/metrics.ts'

const FIGURES = {
  connection_up: 'Whether a connection is connected',
  connection_waiting: 'Messages that wait to go out',
  connection_unsure: 'Messages of which nobody knows whether they went out',
  connection_lag_seconds: 'How long the oldest waiting message has waited',
} as const
type Row = { connection: number; kind: string } & Record<keyof typeof FIGURES, number>

/** Adds them to a register. */
export function addConnectionMetrics(registry: Registry, db: Db): void {
  addGauges(registry, FIGURES, ['connection', 'kind'], () => loadFigures(db))
}

async function loadFigures(db: Db): Promise<Row[]> {
  return getSql(db)<Row[]>`
    select w.id as connection, w.api as kind, (w.status = 'CONNECTED')::int as connection_up,
      (select count(*)::int from outbox o where o.whatsapp_id = w.id and o.state in ('queued', 'sending') and o.operation = 'message') as connection_waiting,
      (select count(*)::int from outbox o join message m on m.id = o.message_id
        where o.whatsapp_id = w.id and o.state = 'unknown' and m.state = 'unknown') as connection_unsure,
      (select coalesce(extract(epoch from now() - min(o.created_at)), 0)::int from outbox o
        where o.whatsapp_id = w.id and o.state in ('queued', 'sending') and o.operation = 'message') as connection_lag_seconds
    from whatsapp w where w.deleted_at is null order by w.id`
}
