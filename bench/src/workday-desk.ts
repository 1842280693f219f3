// The desk of that day: conversations long and short, made by SQL, and customers who write all the time.
import { createInboxBatcher } from '@balcao/backend/messaging/inbox/batcher'
import type { Db } from '@balcao/backend/platform/database/client'
import { openNotices } from '@balcao/backend/platform/database/notices'
import { makeTextMessage } from './messages.ts'
import { getLastText } from './workday-browser.ts'

export interface WorkdayDesk {
  /** Of the newest so many conversations every second one is long, from the first on. */
  readonly steps: number
  readonly long: number
  readonly short: number
  /** Short conversations behind these. */
  readonly more: number
}

const FIRST_NUMBER = 5531_900_000_000

/** Makes the conversations, all in service by the administrator. Returns their tickets, the newest first. */
export async function fillDay(db: Db, { steps, long, short, more }: WorkdayDesk): Promise<number[]> {
  const sql = db.$client
  await sql.begin(async tx => {
    await tx.unsafe(`set local session_replication_role = replica`)
    await tx.unsafe(`
      insert into whatsapp (name, api, status, wanted) values ('Loja do dia', 'baileys', 'CONNECTED', false);
      create temp table day on commit drop as
        select n, (${FIRST_NUMBER} + n)::text as number, case when n < ${steps} and n % 2 = 0 then ${long} else ${short} end as messages,
          now() + interval '1 minute' - n * interval '1 second' as at, (select max(id) from whatsapp) as w
        from generate_series(0, ${steps + more - 1}) n;
      insert into contact (name, name_source, number, is_group) select 'Cliente ' || n, 'push', number, false from day;
      insert into contact_identity (kind, value, contact_id) select 'pn', c.number, c.id from contact c join day using (number);
      insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
        select c.id, w, number || '@s.whatsapp.net', now() from contact c join day using (number);
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, unread_messages, last_message, last_message_at, message_seq, accepted_at)
        select 'open', c.id, w, (select min(id) from queue), (select min(id) from "user" where profile = 'admin'), false, 0, 'fim', at, messages, now()
        from contact c join day using (number) order by n;
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, chat, from_me, author_id, body, state, read)
        select t.id, t.contact_id, t.whatsapp_id, k, d.at - (t.message_seq - k) * interval '30 seconds', 'D' || t.id || '-' || k, d.number || '@s.whatsapp.net',
          k % 3 = 2, t.contact_id, case when k = t.message_seq then 'fim ' || t.id || '.' else 'O pedido ' || k || ' chegou bem, obrigada! ' || md5(k::text) end,
          case when k % 3 = 2 then 'read' else 'received' end, true
        from ticket t join day d on d.w = t.whatsapp_id join contact c on c.id = t.contact_id and c.number = d.number, lateral generate_series(1, t.message_seq) k;
      update ticket t set last_message_id = m.id from message m where m.ticket_id = t.id and m.seq = t.message_seq and t.last_message = 'fim';
      insert into ticket_tally (status, queue_id, user_id, is_group, unread, n)
        select status, queue_id, user_id, is_group, unread_messages > 0, count(*) from ticket where last_message = 'fim' group by 1, 2, 3, 4, 5;`)
  })
  await sql.unsafe('vacuum (analyze)')
  // What was written for this is on the disk before anything is measured.
  await sql.unsafe('checkpoint')
  const rows = await sql<{ id: number }[]>`
    select id from ticket where last_message = 'fim' order by last_message_at desc`
  return rows.map(row => row.id)
}

export interface Customers {
  /** When all have been taken in; never without a total. */
  readonly done: Promise<void>
  stop(): Promise<{ readonly written: number; readonly perSecond: number }>
}

/** Customers of the short conversations write so many messages a second, each ending as a filled conversation does. */
export function startWritingCustomers(db: Db, perSecond: number, total = Number.POSITIVE_INFINITY): Customers {
  const notices = openNotices(db)
  const begun = performance.now()
  const run = crypto.randomUUID().slice(0, 8)
  let written = 0
  let failed: unknown
  let finish = () => {}
  const done = new Promise<void>(resolve => {
    finish = resolve
  })
  const writing = fillConnection(db).then(({ id, numbers, tickets }) => {
    const taker = createInboxBatcher(
      db,
      { id },
      { taken: () => notices.ring('live'), failed: error => (failed ??= error) },
    )
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * perSecond))
      const batch: Promise<unknown>[] = []
      for (; written < due; written++) {
        const at = written % numbers.length
        batch.push(
          taker.take([
            makeTextMessage(numbers[at] ?? '', `DAY${run}${written}`, `Oi de novo, ${getLastText(tickets[at] ?? 0)}`),
          ]),
        )
      }
      if (due >= total) {
        clearInterval(timer)
        void Promise.all(batch).then(finish)
      }
    }, 25)
    return { taker, timer }
  })
  return {
    done,
    async stop() {
      const { taker, timer } = await writing
      clearInterval(timer)
      await taker.stop()
      await notices.close()
      if (failed) throw failed
      return { written, perSecond: written / ((performance.now() - begun) / 1000) }
    },
  }
}

async function fillConnection(db: Db): Promise<{ id: number; numbers: string[]; tickets: number[] }> {
  const rows = await db.$client<{ id: number; number: string; ticket: number }[]>`
    select w.id, c.number, t.id as ticket from whatsapp w join ticket t on t.whatsapp_id = w.id join contact c on c.id = t.contact_id
    where w.name = 'Loja do dia' and t.message_seq < 1000 order by t.id`
  return { id: rows[0]?.id ?? 0, numbers: rows.map(row => row.number), tickets: rows.map(row => row.ticket) }
}
