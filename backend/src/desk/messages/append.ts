// Puts messages of ours at the end of their tickets: their numbers, their place in time, and the tickets' last lines.
import type { MediaType } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { formatMessagePreview } from './preview.ts'
import type { messages } from './table.ts'

type Columns =
  | 'ticketId'
  | 'state'
  | 'userId'
  | 'authorName'
  | 'memberMentions'
  | 'mediaId'
  | 'media'
  | 'quotedId'
  | 'clientId'
  | 'providerId'
  | 'templateData'
  | 'forward'
  | 'automatic'
  | 'system'

/** `automatic`: the desk writes it by itself; `byProgram`: a program does, whoever's name it has. */
export type NewRow = Pick<typeof messages.$inferInsert, Columns> & {
  readonly body: string
  readonly mediaType: MediaType
  readonly byProgram?: boolean
}

/**
 * Inserts messages and gives their ids, in one statement however many. Their time, in whole seconds as the provider's, is never before
 * their ticket's last message, whatever the provider's clock says. Lines about the ticket do not become its last message, nor does what
 * the desk says by itself after somebody's words. The tickets' versions grow; their events are the caller's. What is to reach the
 * customer goes by `write.ts`.
 */
export async function appendMessages(tx: Tx, rows: readonly NewRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const own = new Map<number, NewRow[]>()
  const made = rows.map((row, place) => {
    const before = own.get(row.ticketId) ?? []
    own.set(row.ticketId, [...before, row])
    return { ...row, place, nth: before.length + 1 }
  })
  const touched = [...own].map(([id, of]) => ({ id, n: of.length, answers: of.some(isAnswer), ...toLastLine(of) }))
  const sql = getSql(tx)
  const stored = await sql<{ id: number }[]>`
    with x as (
      select * from jsonb_to_recordset(${toJsonbText(made)}::jsonb) as x(place int, nth int, "ticketId" int, state text, "userId" int, "authorName" text, "mediaId" text, media jsonb,
        "quotedId" bigint, "clientId" text, "providerId" text, "templateData" jsonb, forward text, automatic boolean, system jsonb, body text, "memberMentions" jsonb, "mediaType" text)),
    held as (
      select t.id, t.contact_id, t.whatsapp_id, t.message_seq, t.last_message_id, greatest(date_trunc('second', clock_timestamp()),
        date_trunc('second', t.last_message_at), (select max(m.at) from message m where m.ticket_id = t.id)) as at
      from ticket t where t.id = any(${[...own.keys()]}::int[]) order by t.id for update),
    stored as (
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, read, state, user_id, author_name, media_id, media, quoted_id, client_id, provider_id,
        template_data, forward, automatic, system, body, member_mentions, media_type)
      select h.id, h.contact_id, h.whatsapp_id, h.message_seq + x.nth, h.at, true, true, x.state, x."userId", coalesce(x."authorName", ''), x."mediaId", x.media, x."quotedId", x."clientId", x."providerId",
        x."templateData", x.forward, coalesce(x.automatic, false), x.system, x.body, x."memberMentions", x."mediaType"
      from x join held h on h.id = x."ticketId" order by x.place
      returning id, ticket_id, seq, at),
    counted as (
      update ticket t set message_seq = t.message_seq + s.n, version = t.version + s.n, updated_at = now(),
        last_message = case when m.id is null then t.last_message else s.preview end,
        last_message_id = coalesce(m.id, t.last_message_id),
        last_message_type = case when m.id is null then t.last_message_type else s.kind end,
        last_message_from_me = m.id is not null or t.last_message_from_me,
        last_message_state = case when m.id is null then t.last_message_state else s.state end,
        last_message_at = greatest(m.at, t.last_message_at),
        pause_until = case when m.id is null or t.paused_by is not null then t.pause_until end,
        answer_since = case when not s.answers then t.answer_since end, answered_at = case when s.answers then clock_timestamp() else t.answered_at end
      from jsonb_to_recordset(${toJsonbText(touched)}::jsonb) as s(id int, n int, nth int, preview text, kind text, state text, automatic boolean, answers boolean)
        join held h on h.id = s.id
        left join stored m on m.ticket_id = s.id and m.seq = h.message_seq + s.nth and (not s.automatic or h.last_message_id is null)
      where t.id = s.id and t.id = h.id
    )
    select id::float8 as id from stored order by stored.id`
  if (stored.length < rows.length) throw new Error('The ticket is gone')
  return toIds(stored)
}

/** What a person says to the customer. */
function isAnswer(row: NewRow): boolean {
  return isByPerson(row) && row.mediaType !== 'system' && row.mediaType !== 'comment'
}

/** Neither the desk by itself, nor a program that has a person's name. */
export function isByPerson({
  userId,
  automatic,
  byProgram,
}: Pick<NewRow, 'userId' | 'automatic' | 'byProgram'>): boolean {
  return userId != null && automatic !== true && byProgram !== true
}

/** What a ticket shows of them: the last of somebody's words, or where there are none and never were the first of the desk's own. */
function toLastLine(rows: readonly NewRow[]): object {
  const isWords = (row: NewRow) => row.mediaType !== 'system'
  const byPerson = rows.findLastIndex(row => isWords(row) && row.automatic !== true)
  const nth = byPerson >= 0 ? byPerson : rows.findIndex(isWords)
  const row = rows[nth]
  if (!row) return { nth: null }
  const state = row.mediaType === 'comment' ? null : row.state
  return {
    nth: nth + 1,
    preview: formatMessagePreview(row),
    kind: row.mediaType,
    state,
    automatic: row.automatic === true,
  }
}
