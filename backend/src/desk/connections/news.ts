// What a provider tells of an account by itself: kept on the connection, told to administrators, and written down.
import {
  type ConnectionNews,
  LIMIT_NEWS,
  limitNews,
  type ResponseBody,
  filterUnseenNews as unseenIn,
} from '@balcao/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { writeLog } from '../../policy/log/write.ts'
import { publishConnectionEvents } from './present.ts'
import { connections } from './table.ts'

/** What is older stands in the log. */
const KEPT = 10

const NEXT = { updatedAt: sql`now()`, version: sql`${connections.version} + 1` }

/** What no administrator has seen, newest first. */
export async function listUnseenNews(db: Db, limit: number): Promise<ResponseBody<'GET /notifications'>['news']> {
  const rows = await db
    .select({ id: connections.id, name: connections.name, news: connections.news, seenAt: connections.newsSeenAt })
    .from(connections)
    .where(and(isNull(connections.deletedAt), sql`${connections.news} <> '[]'`))
  const all = rows.flatMap(({ id, name, news, seenAt }) =>
    unseenIn(news, seenAt).map(({ storedAt: _, ...one }) => ({ ...one, whatsappId: id, connection: name })),
  )
  return { count: all.length, items: all.sort((a, b) => b.at.localeCompare(a.at)).slice(0, limit) }
}

type News = Omit<ConnectionNews, 'at' | 'storedAt'> & { readonly at: number }

/** Keeps it among the newest, and in the log. Does nothing for a connection that was deleted. */
export async function recordNews(tx: Tx, id: number, news: News): Promise<void> {
  const notice = await storeNews(tx, id, news)
  if (notice) await writeLog(tx, { action: 'connection.news', params: notice, whatsappId: id })
}

/** Keeps it for the bells of administrators alone: the log says by another entry what happened. */
export async function storeNews(
  tx: Tx,
  id: number,
  { at, code, about, name }: News,
): Promise<Omit<News, 'at'> | undefined> {
  const here = and(eq(connections.id, id), isNull(connections.deletedAt))
  const [row] = await tx.select({ news: connections.news }).from(connections).where(here).for('no key update')
  if (!row) return undefined
  const meant = code === 'limit_now' ? limitNews(about, await knownLimit(tx, id, row.news)) : code
  const notice = { code: meant, ...(about && { about }), ...(name && { name }) }
  // Who holds the row was told now, whatever the transaction waited for: what somebody has seen before is older than this.
  const storedAt = new Date(await readClock(tx)).toISOString()
  // The newest are those told last, whenever they happened: what comes late is news too.
  const toldAt = (one: ConnectionNews) => Date.parse(one.storedAt ?? one.at)
  const news = [{ ...notice, at: new Date(at).toISOString(), storedAt }, ...row.news]
    .sort((a, b) => toldAt(b) - toldAt(a))
    .slice(0, KEPT)
    .sort((a, b) => b.at.localeCompare(a.at))
  await tx
    .update(connections)
    .set({ news, ...NEXT })
    .where(here)
  await publishConnectionEvents(tx, [id], 'update')
  return notice
}

/** The limit told last, on the card or long ago. */
async function knownLimit(tx: Tx, id: number, news: readonly ConnectionNews[]): Promise<string | undefined> {
  const shown = news.find(({ code, about }) => about && LIMIT_NEWS.includes(code))
  if (shown) return shown.about
  const [row] = await getSql(tx)<{ about: string | null }[]>`
    select params->>'about' as about from log_entry
    where action = 'connection.news' and whatsapp_id = ${id} and params->>'code' = any(${[...LIMIT_NEWS]}::text[])
      and params->>'about' <> ''
    order by created_at desc, log_entry.id desc limit 1`
  return row?.about ?? undefined
}

async function readClock(tx: Tx): Promise<string> {
  const [row] = await getSql(tx)<{ now: string }[]>`select clock_timestamp()::timestamptz(3) as now`
  return row?.now ?? new Date().toISOString()
}

/** An administrator has seen what there is; nothing of it waits in the bells any more. Throws `ERR_NO_WAPP_FOUND`. */
export async function markNewsSeen(tx: Tx, id: number): Promise<void> {
  const here = and(eq(connections.id, id), isNull(connections.deletedAt))
  const rows = await tx
    .update(connections)
    .set({ newsSeenAt: sql`now()`, ...NEXT })
    .where(here)
    .returning({ id: connections.id })
  if (rows.length === 0) throw new AppError('ERR_NO_WAPP_FOUND')
  await publishConnectionEvents(tx, [id], 'update')
}
