// What stays inside a conversation: lines about the ticket, and comments. The ticket's event is the caller's.
import type { Tx } from '../database/client.ts'
import { idsOf } from '../database/ids.ts'
import { sqlOf } from '../database/raw.ts'
import { appendMessage } from './append.ts'
import { messageEvents } from './present.ts'

/** A line about the ticket in its conversation: a code for our screens, and the words of it for everybody else. */
export interface Line {
  readonly code: string
  readonly text: string
  readonly params: Readonly<Record<string, string>>
}

/** A line about what somebody did. */
export function lineOf({ name }: { name: string }, code: string, did: string, more: Line['params'] = {}): Line {
  return { code, text: `${name} ${did}`, params: { user: name, ...more } }
}

export async function writeLine(tx: Tx, ticketId: number, userId: number | null, line: Line): Promise<void> {
  const row = {
    ticketId,
    userId,
    body: line.text,
    mediaType: 'system',
    state: 'sent',
    system: lineParts(line),
  } as const
  await messageEvents(tx, [await appendMessage(tx, row)], 'create')
}

/** A line in each of several locked tickets, in the same few statements however many they are. */
export async function writeLines(
  tx: Tx,
  userId: number,
  lines: readonly { readonly ticketId: number; readonly line: Line }[],
): Promise<void> {
  const rows = lines.map(({ ticketId, line }) => ({
    ticketId,
    body: line.text,
    system: JSON.stringify(lineParts(line)),
  }))
  const made = await sqlOf(tx)<{ id: number }[]>`
    with line as (
      select * from unnest(${rows.map(row => row.ticketId)}::int[], ${rows.map(row => row.body)}::text[],
        ${rows.map(row => row.system)}::text[]) as l(ticket_id, body, system)
    ), numbered as (
      update ticket t set message_seq = t.message_seq + 1, version = t.version + 1, updated_at = now()
      from line where t.id = line.ticket_id
      returning t.id, t.contact_id, t.whatsapp_id, t.message_seq, line.body, line.system
    )
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, read, user_id, body, media_type, state, system)
    select n.id, n.contact_id, n.whatsapp_id, n.message_seq, greatest(date_trunc('second', clock_timestamp()),
      (select max(m.at) from message m where m.ticket_id = n.id)), true, true, ${userId}, n.body, 'system', 'sent', n.system::jsonb
    from numbered n returning id::float8 as id`
  await messageEvents(tx, idsOf(made), 'create')
}

function lineParts({ code, params }: Line) {
  return { code, params }
}

export async function writeComment(tx: Tx, ticketId: number, userId: number, body: string): Promise<void> {
  const row = { ticketId, userId, body, mediaType: 'comment', state: 'sent' } as const
  await messageEvents(tx, [await appendMessage(tx, row)], 'create')
}
