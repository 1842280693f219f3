// Deleting a connection: its tickets and messages stay, its session and secrets go, and what waited says that it failed (decisions §3).
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
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

/** Ends what goes by a connection, with its tickets locked. */
export type ConnectionGone = (tx: Tx, whatsappId: number) => Promise<void>

/**
 * Whose own it was has none then. Throws `ERR_NO_WAPP_FOUND`, `ERR_NO_OTHER_WHATSAPP` for the default while there are others, `ERR_WAPP_HAS_LIVE_TICKETS` with their
 * number unless `force`, which closes them without a word.
 */
export async function deleteConnection(
  parts: Parts,
  session: Session,
  id: number,
  force: boolean,
  endSends: ConnectionGone,
): Promise<void> {
  const { isRestored } = await refuseWhileInUse(parts, id, force)
  await change(parts, tx => checkDefaultRemovable(tx, id))
  // The pairing ends at the provider too, while there is still an owner to end it; when nobody can, the row goes all the same. One that came
  // back from a backup is the pairing of another desk, which may live: it is forgotten here alone.
  if (!isRestored)
    await parts.supervisor.logout(id).catch(error => parts.log.warn({ err: error, whatsappId: id }, 'log-out failed'))
  await change(parts, async tx => {
    await lockDefaultConnection(tx)
    const sql = getSql(tx)
    const [row] = await sql<{ version: string }[]>`
      select version from whatsapp where id = ${id} and deleted_at is null for no key update`
    if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
    await checkDefaultRemovable(tx, id)
    const had = await sql<{ id: number }[]>`
      update "user" set whatsapp_id = null, version = version + 1 where whatsapp_id = ${id} returning id`
    await publishUserEvents(tx, parts.config, toIds(had), 'update')
    const live = await sql<{ id: number }[]>`
      select id from ticket where whatsapp_id = ${id} and status <> 'closed' order by id for update`
    if (live.length > 0 && !force) throw new AppError('ERR_WAPP_HAS_LIVE_TICKETS', { tickets: live.length })
    const ids = live.map(ticket => ticket.id)
    const before = await loadFacts(tx, ids)
    await endSends(tx, id)
    await deletePhoneBook(tx, id)
    if (isRestored) await sql`delete from whatsapp_auth where whatsapp_id = ${id}`
    await sql`delete from whatsapp_queue where whatsapp_id = ${id}`
    await sql`update ticket set status = 'closed', closed_at = now(), updated_at = now(), version = version + 1
      where id = any(${ids}::int[])`
    await sql`update whatsapp set deleted_at = now(), wanted = false, is_default = false, config = '{}', qrcode = null,
      pair_code = null, status = 'DISCONNECTED', version = version + 1 where id = ${id}`
    await writeLog(tx, { action: 'connection.delete', userId: session.viewer.id, whatsappId: id })
    await publishTicketEvents(
      tx,
      ids.map(ticketId => ({ ticketId, action: 'update', before: before.get(ticketId) })),
    )
    const version = Number(row.version) + 1
    const gone = { event: 'whatsapp', action: 'delete', version, whatsappId: id } as const
    await appendEvent(tx, { to: 'everyone' }, gone)
  })
  await parts.supervisor.stop(id)
  while (await giveUpFiles(parts, id));
}

/** Looked at before the session is ended; the transaction looks again. */
async function refuseWhileInUse({ db }: Parts, id: number, force: boolean): Promise<{ isRestored: boolean }> {
  const [row] = await getSql(db)<{ live: number; isRestored: boolean }[]>`
    select (select count(*)::int from ticket t where t.whatsapp_id = w.id and t.status <> 'closed') as live,
      coalesce(w.trouble->>'reason' = 'restored', false) as "isRestored"
    from whatsapp w where w.id = ${id} and w.deleted_at is null`
  if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
  if (row.live > 0 && !force) throw new AppError('ERR_WAPP_HAS_LIVE_TICKETS', { tickets: row.live })
  return row
}

/** What was still coming comes no more: nobody has a session to fetch it with. Some of it at once; whether there was any. */
function giveUpFiles(parts: Parts, whatsappId: number): Promise<boolean> {
  return change(parts, async tx => {
    const failed = await getSql(tx)<{ id: number }[]>`
      update message set media = media || '{"state":"failed","error":"ERR_WAPP_DOWNLOAD_MEDIA"}', version = version + 1
      where id in (
        select id from message where whatsapp_id = ${whatsappId} and media->>'state' = 'pending' order by message.id limit ${FILES} for update)
      returning id::float8 as id`
    await publishMessageEvents(tx, toIds(failed), 'update')
    return failed.length > 0
  })
}

const FILES = 200
