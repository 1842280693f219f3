// Scheduled sends and a connection that is deleted: how many go by it, and which did not go out for that.
import { LIVE_SEND_STATES, type ResponseBody, truncateText } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'

/** As many as a bell has room for. */
const SHOWN = 30
const NAME = 80

/** What is due by it or goes on; also what goes by the default one, where it is that. Throws `ERR_NO_WAPP_FOUND`. */
export async function countConnectionSchedules(
  db: Db,
  whatsappId: number,
): Promise<ResponseBody<'GET /whatsapp/:id/schedules'>> {
  const sql = getSql(db)
  const [row] = await sql<{ count: number }[]>`
    select (select count(*)::int from schedule s
      where (s.whatsapp_id = w.id or s.whatsapp_id is null and w.is_default) and (s.next_run_at is not null or exists (
        select 1 from send r where r.schedule_id = s.id and r.state = any(${[...LIVE_SEND_STATES]}::text[])))) as count
    from whatsapp w where w.id = ${whatsappId} and w.deleted_at is null`
  if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}

/**
 * Those whose newest run ended without a connection and that have none still, newest first: each once, however many of its runs did,
 * until it goes by another one, is paused or cancelled, or deleted.
 */
export async function listOrphanedSchedules(db: Db): Promise<ResponseBody<'GET /notifications'>['alarms']> {
  const rows = await getSql(db)<{ id: number; title: string; message: string; at: string }[]>`
    select s.id, s.title, s.message, run.due_at as at
    from (
        select o.* from whatsapp w join schedule o on o.whatsapp_id = w.id where w.deleted_at is not null
        union all
        select o.* from schedule o where o.whatsapp_id is null
          and not exists (select 1 from whatsapp d where d.is_default and d.deleted_at is null)) s
      join lateral (select due_at, state_reason from send where schedule_id = s.id order by due_at desc limit 1) run on true
    where s.state is null and run.state_reason = 'connection_deleted'
    order by run.due_at desc, s.id desc limit ${SHOWN}`
  return rows.map(({ id, title, message, at }) => {
    const name = truncateText(title || message, NAME)
    return { code: 'schedule_lost', at, reason: null, schedule: { id, name } }
  })
}
