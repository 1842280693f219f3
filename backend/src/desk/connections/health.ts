// How a connection is doing, and was in the last seven days: the doctor (decisions-2 §17).
import { type Connection, type ConnectionHealth, type ConnectionNews, LIMIT_NEWS } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { describeLibrary } from './library.ts'

/** A connection that goes up and down all the time fills no more than this. */
const MOST_ROWS = 2000

export async function loadConnectionHealth(
  db: Db,
  config: Pick<Config, 'graph'>,
  connection: Connection,
): Promise<ConnectionHealth> {
  const { id, status, trouble, battery, waiting, lastMessageAt } = connection
  const [rows, figures] = await Promise.all([loadTimeline(db, id), loadFigures(db, id)])
  const now = new Date().toISOString()
  return {
    status,
    since: findStatusSince(rows, connection) ?? connection.updatedAt,
    reason: status === 'CONNECTED' ? null : (trouble?.reason ?? null),
    code: status === 'CONNECTED' ? null : (trouble?.code ?? null),
    next: planNextStep(connection),
    lastIn: lastMessageAt,
    lastOut: figures.lastOut,
    waiting,
    unsure: figures.unsure,
    lagSeconds: figures.lagSeconds,
    restarts24h: figures.restarts,
    limits: connection.news.filter(ofLimits),
    battery,
    webhook: { lastAt: figures.webhookAt, refused24h: figures.refused },
    library: describeLibrary(connection.api, config),
    timeline: rows.map(({ at, status, reason, restart }) => ({ at, status, reason: restart ? 'restart' : reason })),
    liveTickets: figures.liveTickets,
    ignoredGroups24h: figures.ignoredGroups,
    checkedAt: now,
  }
}

interface Stood {
  at: string
  status: Connection['status']
  reason: string | null
  restart: boolean
}

/** Of the last seven days, and how it stood when they began; oldest first. */
async function loadTimeline(db: Db, id: number): Promise<Stood[]> {
  const rows = await getSql(db)<Stood[]>`
    select at, status, reason, restart from whatsapp_status
    where whatsapp_id = ${id} and at >= coalesce((select max(at) from whatsapp_status
      where whatsapp_id = ${id} and at < now() - interval '7 days'), '-infinity')
    order by whatsapp_status.at desc, id desc limit ${MOST_ROWS}`
  return rows.reverse()
}

/** Since when it is as it is, whatever else was told of it meanwhile. */
function findStatusSince(rows: readonly Stood[], { status }: Connection): string | undefined {
  const before = rows.findLastIndex(row => row.status !== status)
  return rows[before + 1]?.at
}

function planNextStep({ status, trouble }: Connection): ConnectionHealth['next'] {
  if (status === 'qrcode') return { action: 'read_qr', at: null, attempt: 0 }
  if (status === 'CONNECTED' || !trouble) return { action: 'none', at: null, attempt: 0 }
  return { action: trouble.next, at: trouble.nextTryAt, attempt: trouble.attempt }
}

function ofLimits({ code }: ConnectionNews): boolean {
  return code === 'limit_refused' || LIMIT_NEWS.includes(code)
}

interface Figures {
  lastOut: string | null
  unsure: number
  lagSeconds: number
  restarts: number
  webhookAt: string | null
  refused: number
  ignoredGroups: number
  liveTickets: number
}

async function loadFigures(db: Db, id: number): Promise<Figures> {
  const sql = getSql(db)
  const [row] = await sql<Figures[]>`
    select
      (select max(done_at) from outbox where whatsapp_id = ${id} and state = 'done' and operation = 'message') as "lastOut",
      (select count(*)::int from outbox o join message m on m.id = o.message_id
        where o.whatsapp_id = ${id} and o.state = 'unknown' and m.state = 'unknown') as unsure,
      (select coalesce(extract(epoch from now() - min(created_at)), 0)::int from outbox
        where whatsapp_id = ${id} and state in ('queued', 'sending') and operation = 'message') as "lagSeconds",
      (select count(*)::int from whatsapp_status
        where whatsapp_id = ${id} and restart and at > now() - interval '24 hours') as restarts,
      (select max(last_at) from whatsapp_count where whatsapp_id = ${id} and what = 'webhook') as "webhookAt",
      (select coalesce(sum(count), 0)::int from whatsapp_count
        where whatsapp_id = ${id} and what = 'refused' and hour > now() - interval '24 hours') as refused,
      (select coalesce(sum(count), 0)::int from whatsapp_count
        where whatsapp_id = ${id} and what = 'ignoredGroup' and hour > now() - interval '24 hours') as "ignoredGroups",
      (select count(*)::int from ticket
        where whatsapp_id = ${id} and status in ('pending', 'open', 'paused', 'bot', 'nps')) as "liveTickets"`
  if (!row) throw new Error('The figures of a connection are one row')
  return row
}
