// What sends have handed over, an hour later: how it went, and the pace that lets the next follow.
import type postgres from 'postgres'

/** What is on its way comes to this, an hour ago. */
export async function settleMessages(sql: postgres.Sql, state: string, code = '500'): Promise<void> {
  await sql`
    with gone as (update outbox set state = 'done', done_at = now() - interval '1 hour' where state = 'queued' returning message_id)
    update message set state = ${state},
      error_log = case when ${state} = 'failed' then json_build_object('code', ${code}::text, 'message', 'no')::jsonb end
    where id in (select message_id from gone)`
}

/** As if the pace had passed since the last. */
export async function expirePace(sql: postgres.Sql): Promise<void> {
  await sql`update send_clock set next_at = next_at - interval '1 hour'`
}
