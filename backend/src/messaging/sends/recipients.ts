// Whom a send is for, one by one, with the ticks of their messages; and its numbers.
import type { MassSendDetail, QueryParams, RecipientState, ResponseBody, SendRecipient } from '@balcao/contract'
import type postgres from 'postgres'
import { toSendError } from '../../platform/channel/send-errors.ts'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { type PageBounds, parsePageBounds } from '../../platform/http/paging.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>
type Query = QueryParams<'GET /envioMassa/:id/recipients'>

const PAGE = 40
const WAITING = 'waiting'

/** What a recipient `r` of the send `s` came to, with the message `m`, which may be gone. */
export function recipientStateSql(sql: postgres.Sql): Fragment {
  return sql`coalesce(case when r.state = 'waiting' and s.state = 'cancelled' then 'cancelled' when r.state <> 'handed' then r.state when m.state in ('queued', 'sending') then 'sending'
    when m.state in ('delivered', 'read', 'failed', 'unknown') then m.state end, 'sent')`
}

/** Who got it or was left out, newest first, and behind them who waits, or waited when it was cancelled, in their order; of one state if asked. */
export async function listRecipients(
  db: Db,
  sendId: number,
  query: Query,
): Promise<ResponseBody<'GET /envioMassa/:id/recipients'>> {
  const bounds = parsePageBounds(query, query.limit ?? PAGE, PAGE)
  const { state } = query
  const isWaiting = bounds.after?.text === WAITING
  const isBehind = state === WAITING || state === 'cancelled'
  const seen = isBehind || isWaiting ? [] : await seenPage(db, sendId, state, bounds)
  const more = bounds.limit + 1 - seen.length
  const wantsWaiting = more > 0 && (state === undefined || isBehind)
  const waiting = wantsWaiting
    ? await waitingPage(db, sendId, state, isWaiting ? (bounds.after?.id ?? 0) : 0, more)
    : []
  const rows = [...seen, ...waiting]
  const recipients = rows.slice(0, bounds.limit)
  const last = recipients.at(-1)
  const hasMore = rows.length > bounds.limit
  const place =
    last && (last.state === WAITING || last.state === 'cancelled' ? [WAITING, last.contact.id] : [last.at, last.id])
  return {
    recipients,
    count: await countRecipients(db, sendId, state),
    hasMore,
    nextCursor: hasMore && place ? Buffer.from(JSON.stringify(place)).toString('base64url') : null,
  }
}

/** All of them, in the order of the list, a page at a time: for a sheet. */
export async function* readAllRecipients(db: Db, sendId: number): AsyncGenerator<readonly SendRecipient[]> {
  for (let after: PageBounds['after'] = null; ; ) {
    const page = await seenPage(db, sendId, undefined, { after, skip: 0, limit: SHEET_PAGE })
    yield page
    const last = page.at(-1)
    if (!last || page.length <= SHEET_PAGE) break
    after = { text: last.at, id: last.id }
  }
  for (let after = 0; ; ) {
    const page = await waitingPage(db, sendId, undefined, after, SHEET_PAGE)
    yield page
    const last = page.at(-1)
    if (!last || page.length < SHEET_PAGE) return
    after = last.contact.id
  }
}

const SHEET_PAGE = 1000

type Row = Omit<SendRecipient, 'reason'> & { readonly reason: string | null; readonly code: string | null }

async function seenPage(
  db: Db,
  sendId: number,
  state: RecipientState | undefined,
  { after, limit }: PageBounds,
): Promise<SendRecipient[]> {
  const sql = getSql(getPageDatabase(db))
  const rows = await sql<Row[]>`
    select r.id::float8 as id, json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'profilePicUrl', c.profile_pic_url) as contact,
      ${recipientStateSql(sql)} as state, r.reason, case when m.state = 'failed' then m.error_log->>'code' end as code,
      r.message_id::float8 as "messageId", r.ticket_id as "ticketId", r.at
    from (
        select r.* from send_recipient r join send s on s.id = r.send_id left join message m on m.id = r.message_id
        where r.send_id = ${sendId} and r.state <> 'waiting'
          ${state === undefined ? sql`` : sql`and ${recipientStateSql(sql)} = ${state}`}
          ${after ? sql`and (r.at, r.id) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}
        order by r.at desc nulls last, r.id desc nulls last limit ${limit + 1}) r
      join send s on s.id = r.send_id join contact c on c.id = r.contact_id left join message m on m.id = r.message_id
    order by r.at desc, r.id desc`
  return rows.map(({ code, reason, ...row }) => ({ ...row, reason: code === null ? reason : toSendError(code) }))
}

async function waitingPage(
  db: Db,
  sendId: number,
  state: RecipientState | undefined,
  after: number,
  limit: number,
): Promise<SendRecipient[]> {
  const sql = getSql(getPageDatabase(db))
  const isCancelled = sql`s.state = 'cancelled'`
  const rows = await sql<
    (Omit<SendRecipient, 'state' | 'reason' | 'messageId' | 'ticketId'> & { cancelled: boolean })[]
  >`
    select r.id::float8 as id, json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'profilePicUrl', c.profile_pic_url) as contact,
      ${isCancelled} as cancelled, case when ${isCancelled} then coalesce(s.ended_at, r.at) else r.at end as at
    from send_recipient r join send s on s.id = r.send_id join contact c on c.id = r.contact_id
    where r.send_id = ${sendId} and r.state = 'waiting' ${state === undefined ? sql`` : sql`and (${isCancelled}) = ${state === 'cancelled'}`} and r.contact_id > ${after} order by r.contact_id limit ${limit}`
  return rows.map(({ cancelled, ...row }) => {
    const state = cancelled ? ('cancelled' as const) : WAITING
    return { ...row, state, reason: null, messageId: null, ticketId: null }
  })
}

async function countRecipients(db: Db, sendId: number, state: RecipientState | undefined): Promise<number> {
  const counts = await countRecipientStates(db, sendId)
  return state === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[state]
}

/** How many recipients stand where. */
export async function countRecipientStates(db: Db, sendId: number): Promise<Record<RecipientState, number>> {
  const sql = getSql(db)
  const rows = await sql<{ state: RecipientState; count: number }[]>`
    select ${recipientStateSql(sql)} as state, count(*)::int as count
    from send_recipient r join send s on s.id = r.send_id left join message m on m.id = r.message_id
    where r.send_id = ${sendId} group by 1`
  const counts = {
    waiting: 0,
    sending: 0,
    sent: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    unknown: 0,
    excluded: 0,
    cancelled: 0,
  }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/** What one send shows besides itself. */
export async function loadSendNumbers(
  db: Db,
  sendId: number,
): Promise<Pick<MassSendDetail, 'counts' | 'excluded' | 'last' | 'contacts' | 'tags'>> {
  const sql = getSql(db)
  const [row] = await sql<{ optedOut: number; contacts: MassSendDetail['contacts']; tags: MassSendDetail['tags'] }[]>`
    select (select count(*)::int from send_recipient r join contact c on c.id = r.contact_id
        where r.send_id = s.id and r.state = 'handed' and c.opted_out_at >= r.at) as "optedOut",
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'number', c.number) order by c.name, c.id) from (
        select c.id, c.name, c.number from jsonb_array_elements_text(s.recipients->'contactsIds') i join contact c on c.id = i.value::int
        order by c.name, c.id limit ${MOST_NAMED}) c), '[]'::json) as contacts,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by g.name, g.id)
        from jsonb_array_elements_text(s.recipients->'tagsIds') i join tag g on g.id = i.value::int), '[]'::json) as tags
    from send s where s.id = ${sendId}`
  const excluded = await sql<{ reason: string; count: number }[]>`
    select coalesce(r.reason, '') as reason, count(*)::int as count from send_recipient r
    where r.send_id = ${sendId} and r.state = 'excluded' group by 1 order by 2 desc, 1`
  const { optedOut = 0, contacts = [], tags = [] } = row ?? {}
  const last = await listLastOutcomes(db, sendId, null)
  return {
    counts: { ...(await countRecipientStates(db, sendId)), optedOut },
    excluded: [...excluded],
    last,
    contacts,
    tags,
  }
}

const MOST_NAMED = 200
const LAST = 50

/** How its last fifty messages went, oldest first; `since`: of those handed over from this instant on alone. What is on its way, or in doubt, is neither. */
export async function listLastOutcomes(
  db: Parameters<typeof getSql>[0],
  sendId: number,
  since: string | null,
): Promise<('ok' | 'failed')[]> {
  const rows = await getSql(db)<{ failed: boolean }[]>`
    select m.state = 'failed' as failed from send_recipient r join message m on m.id = r.message_id
    where r.send_id = ${sendId} and r.state = 'handed' and m.state not in ('queued', 'sending', 'unknown')
      and r.at >= coalesce(${since}::timestamptz, '-infinity')
    order by r.at desc nulls last, r.id desc nulls last limit ${LAST}`
  return rows.map(({ failed }) => (failed ? ('failed' as const) : ('ok' as const))).toReversed()
}
