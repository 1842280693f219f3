// Whom a send is for: the contacts somebody chose, and who of them is left out for which reason (decisions §15).
import { filterKinds } from '@balcao/contract'
import type postgres from 'postgres'
import { windowOpenSql } from '../../desk/connections/window.ts'
import { listProviderCodes } from '../../platform/channel/send-errors.ts'
import type { Recipients } from './table.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** What decides about somebody besides the contact. */
export interface ExclusionRules {
  readonly whatsappId: number | null
  readonly onlyWhoWrote: boolean
  /** It goes to those outside the official API's window. */
  readonly hasTemplate: boolean
  /** Of one conversation: to a group, and to whom there is an address without a number, goes what was scheduled there. */
  readonly isConversation: boolean
  /** For some contacts of many, each is looked up by itself; without it Postgres may go through all tickets and channels at once. */
  readonly some?: boolean
}

const WINDOWED = filterKinds(can => can.window24h)
const BLOCKED = listProviderCodes('ERR_SEND_OPTED_OUT')
const NOT_THERE = listProviderCodes('ERR_WAPP_INVALID_CONTACT')
/** Meta's limit of marketing for one person, and its experiments: they pass by themselves. */
const PASSING = ['130472', '131049']
const PASSING_DAYS = 7

/** The contacts `c` somebody chose, each once; of one that was merged also whoever it turned out to be. Groups are never among all. */
export function chosenContactsSql(sql: postgres.Sql, { allContacts, contactsIds, tagsIds }: Recipients): Fragment {
  if (allContacts) return sql`c.merged_into is null and not c.is_group`
  // A tag that is being deleted is on some of its contacts still: it means nobody.
  const tagged = sql`union select contact_id from contact_tag
    where tag_id = any(array(select id from tag where id = any(${[...tagsIds]}::int[]) and not is_being_deleted))`
  return sql`c.id in (select unnest(${[...contactsIds]}::int[])
    union select merged_into from contact where id = any(${[...contactsIds]}::int[])
    ${tagsIds.length === 0 ? sql`` : tagged})`
}

/** Why the contact `c` is left out, or null; of several reasons the one nobody can do anything about. */
export function exclusionSql(
  sql: postgres.Sql,
  { whatsappId, onlyWhoWrote, hasTemplate, isConversation, some = false }: ExclusionRules,
): Fragment {
  return sql`case
    when c.merged_into is not null then 'merged'
    when c.is_group and not ${isConversation}::boolean then 'group'
    when c.opted_out_at is not null then 'opted_out'
    when c.number is null and not c.is_group and not (${isConversation}::boolean and exists (select 1 from contact_channel h
      where h.contact_id = c.id and h.whatsapp_id = coalesce(${whatsappId}::int, h.whatsapp_id))) then 'no_number'
    when ${lastFailed(sql, whatsappId, BLOCKED, some)} then 'blocked'
    when ${lastFailed(sql, whatsappId, NOT_THERE, some)} then 'no_whatsapp'
    when ${onlyWhoWrote}::boolean and not ${everWroteSql(sql, some)} then 'never_wrote'
    when not ${hasTemplate}::boolean and exists (select 1 from whatsapp w
      left join contact_channel h on h.whatsapp_id = w.id and h.contact_id = c.id
      where w.id = ${whatsappId}::int and w.api = any(${WINDOWED}::text[]) and not ${windowOpenSql(sql)}) then 'window_closed' end`
}

/** Whether the contact `c` ever wrote, on whatever connection. */
export function everWroteSql(sql: postgres.Sql, some = false): Fragment {
  const wrote = sql`select 1 from contact_channel h where h.contact_id = c.id and h.last_inbound_at is not null`
  return some ? sql`(${wrote} limit 1) is not null` : sql`exists (${wrote})`
}

/** Whether what was said last to the contact `c` on a connection, in whichever ticket, failed with one of these codes. */
function lastFailed(sql: postgres.Sql, whatsappId: number | null, codes: readonly string[], some: boolean): Fragment {
  const failed = sql`select 1 from ticket t join message m on m.id = t.last_message_id
    where t.contact_id = c.id and t.whatsapp_id = ${whatsappId}::int and t.last_message_state = 'failed'
      and m.error_log->>'code' = any(${[...codes]}::text[])
      and (m.error_log->>'code' <> all(${PASSING}::text[]) or m.at > now() - ${PASSING_DAYS} * interval '1 day')
      and not exists (select 1 from ticket n where n.contact_id = t.contact_id and n.whatsapp_id = t.whatsapp_id
        and (n.last_message_at, n.id) > (t.last_message_at, t.id))`
  return some ? sql`(${failed} limit 1) is not null` : sql`exists (${failed})`
}
