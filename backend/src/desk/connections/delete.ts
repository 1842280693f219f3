// Deleting a connection: its tickets and messages stay, its session and secrets go, and what waited says that it failed (decisions §3).
import { getCapabilities, isLinkedDevice, type Kind } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { runInPieces } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { publishUserEvents } from '../../policy/users/present.ts'
import { publishMessageEvents } from '../messages/present.ts'
import { deletePhoneBook } from '../phone-book/book.ts'
import { publishTicketEvents } from '../tickets/present.ts'
import { checkDefaultRemovable, lockDefaultConnection } from './default.ts'

/** Ends what goes by a connection. */
export type ConnectionGone = (tx: Tx, whatsappId: number) => Promise<void>

/**
 * Whose own it was has none then. Throws `ERR_NO_WAPP_FOUND`, `ERR_NO_OTHER_WHATSAPP` for the default while there are others, `ERR_WAPP_HAS_LIVE_TICKETS` with their
 * number unless `force`, which closes them without a word, in short transactions: live events of everybody wait for the oldest one that
 * writes. Whoever is killed meanwhile leaves the rest to the process that runs connections next (`messaging/owner/supervisor.ts`).
 */
export async function deleteConnection(
  parts: Parts,
  session: Session,
  id: number,
  force: boolean,
  endSends: ConnectionGone,
): Promise<void> {
  await change(parts, async tx => {
    await lockDefaultConnection(tx)
    const sql = getSql(tx)
    const [row] = await sql<{ version: string; kind: Kind; isElsewhere: boolean }[]>`
      select version, api as kind, coalesce(trouble->>'reason' = 'restored'
        or trouble->>'reason' = 'replaced' and status = 'DISCONNECTED', false) as "isElsewhere"
      from whatsapp where id = ${id} and deleted_at is null for no key update`
    if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
    await checkDefaultRemovable(tx, id)
    const had = await sql<{ id: number }[]>`
      update "user" set whatsapp_id = null, version = version + 1 where whatsapp_id = ${id} returning id`
    await publishUserEvents(tx, parts.config, toIds(had), 'update')
    const [live] = await sql<{ tickets: number }[]>`
      select count(*)::int as tickets from ticket where whatsapp_id = ${id} and status <> 'closed'`
    if (live?.tickets && !force) throw new AppError('ERR_WAPP_HAS_LIVE_TICKETS', live)
    await endSends(tx, id)
    await deletePhoneBook(tx, id)
    // Deleted and still wanted, it is being ended: whoever is killed before that is over leaves it to the next one. One that came back from
    // a backup, or that another program took over, is the pairing of another desk, which may live: it is forgotten here alone.
    const isPaired = isLinkedDevice(getCapabilities(row.kind)) && !row.isElsewhere
    await sql`delete from whatsapp_queue where whatsapp_id = ${id}`
    await sql`update whatsapp set deleted_at = now(), wanted = true, is_default = false,
      config = case when ${isPaired} then config else '{}' end, trouble = case when ${row.isElsewhere} then trouble end,
      qrcode = null, pair_code = null, status = 'DISCONNECTED', version = version + 1 where id = ${id}`
    await writeLog(tx, { action: 'connection.delete', userId: session.viewer.id, whatsappId: id })
    const version = Number(row.version) + 1
    const gone = { event: 'whatsapp', action: 'delete', version, whatsappId: id } as const
    await appendEvent(tx, { to: 'everyone' }, gone)
  })
  await parts.supervisor.logout(id)
  await endUnfinished(id, work => change(parts, work))
}

/**
 * Ends what was under way on a deleted connection: files that were still coming, tickets that were just beginning. In transactions of its own.
 * Whoever ends its session does it as well: what comes until then is taken in. `signal`: the rest is left to whoever comes next.
 */
export async function endUnfinished(
  id: number,
  runInTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  signal?: AbortSignal,
): Promise<void> {
  const closeAll = () => runInPieces(signal, most => runInTransaction(tx => closeTickets(tx, id, most)), TICKETS)
  while (!signal?.aborted && (await runInTransaction(tx => giveUpFiles(tx, id))));
  await closeAll()
  if (signal?.aborted) return
  // Who was beginning a ticket on it meanwhile keeps the row until that is there; from here on nobody begins one.
  await runInTransaction(async tx => getSql(tx)`select 1 from whatsapp where id = ${id} for update`)
  await closeAll()
}

/** So many of those that are live; whether there were none. */
async function closeTickets(tx: Tx, whatsappId: number, most: number): Promise<boolean> {
  const sql = getSql(tx)
  const ids = toIds(
    await sql<{ id: number }[]>`
      select id from ticket where whatsapp_id = ${whatsappId} and status <> 'closed' order by id limit ${most} for update`,
  )
  // Those that were waited for have been closed by another process, which has not come to the others yet.
  if (ids.length === 0)
    return (
      (await sql`select 1 from ticket where whatsapp_id = ${whatsappId} and status <> 'closed' limit 1`).length === 0
    )
  const before = await loadFacts(tx, ids)
  await sql`
    update ticket set status = 'closed', closed_at = now(), updated_at = now(), version = version + 1
    where id = any(${ids}::int[])`
  await publishTicketEvents(
    tx,
    ids.map(ticketId => ({ ticketId, action: 'update', before: before.get(ticketId) })),
  )
  return false
}

/** What was still coming comes no more: nobody has a session to fetch it with. Some of it at once; whether there was any. */
async function giveUpFiles(tx: Tx, whatsappId: number): Promise<boolean> {
  const failed = await getSql(tx)<{ id: number }[]>`
    update message set media = media || '{"state":"failed","error":"ERR_WAPP_DOWNLOAD_MEDIA"}', version = version + 1
    where id in (
      select id from message where whatsapp_id = ${whatsappId} and media->>'state' = 'pending' order by message.id limit ${FILES} for update)
    returning id::float8 as id`
  await publishMessageEvents(tx, toIds(failed), 'update')
  return failed.length > 0
}

const [FILES, TICKETS] = [200, 20]
