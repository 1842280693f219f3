// A person whom texts of groups name: they are called nobody there, and nothing is left by which they could be called again.
import { lockMessageSends } from '../../desk/messages/lock-sends.ts'
import { renderMemberNames } from '../../desk/messages/member-names.ts'
import type { MemberMentions, NamedMember } from '../../desk/messages/table.ts'
import { NAMELESS } from '../../platform/channel/addresses.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import type { PageRange, RunningErasure } from './running.ts'
import { NOTHING } from './traces.ts'

interface NamingMessage {
  readonly id: number
  readonly body: string
  readonly mentions: MemberMentions | null
}

/** Takes them out of the texts on these pages, of before too, and gives which messages that were. */
export async function forgetMember(
  tx: Tx,
  { traces, startedAt }: RunningErasure,
  { from, until }: PageRange,
): Promise<number[]> {
  const sql = getSql(tx)
  const addresses = traces.addresses.flatMap(value => [`pn:${value}`, `lid:${value}`, `bsuid:${value}`])
  const rows = await sql<NamingMessage[]>`
    select m.id::float8 as id, m.body, m.member_mentions as mentions from message m
    where m.ctid >= ${from}::tid and m.ctid < ${until}::tid and m.created_at < ${startedAt}
      and exists (select 1 from message_member x where x.message_id = m.id and x.address = any(${addresses}::text[])) order by m.id`
  const ids = toIds(rows)
  if (ids.length === 0) return ids
  const theirs = new Set(addresses)
  const names = buildNamePattern([...traces.names, ...rows.flatMap(row => listShownNames(row, theirs))])
  await lockMessageSends(tx, ids)
  await sql`
    delete from live_event where (audience->>'ticketId')::int in (select ticket_id from message where id = any(${ids}::bigint[]))
      and payload ~ ${names}`
  for (const row of rows) await rewriteWithout(tx, row, theirs, names)
  await sql`
    delete from message_member where message_id = any(${ids}::bigint[]) and address = any(${addresses}::text[])`
  return ids
}

function isMeant({ addresses }: NamedMember, theirs: ReadonlySet<string>): boolean {
  return addresses.some(address => theirs.has(address))
}

function listShownNames({ mentions }: NamingMessage, theirs: ReadonlySet<string>): string[] {
  return mentions?.members.flatMap(member => (isMeant(member, theirs) ? (member.shown ?? []) : [])) ?? []
}

/** The longer name first: of two that begin alike it is the one that stands there. */
function buildNamePattern(names: readonly string[]): string {
  const called = [...new Set(names)].filter(name => name !== NAMELESS).sort((a, b) => b.length - a.length)
  const escaped = called.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return escaped.length > 0 ? `@(?:${escaped.join('|')})` : NOTHING
}

async function rewriteWithout(
  tx: Tx,
  { id, body, mentions }: NamingMessage,
  theirs: ReadonlySet<string>,
  names: string,
): Promise<void> {
  const sql = getSql(tx)
  const others = mentions?.members.filter(member => !isMeant(member, theirs)) ?? []
  const meant = mentions?.members.filter(member => isMeant(member, theirs)) ?? []
  const nobody = meant.map(member => ({ ...member, shown: NAMELESS }))
  const text = renderMemberNames(mentions?.text ?? '', nobody)
  const left = mentions && toJsonbText({ text, members: others })
  const shown = mentions ? renderMemberNames(text, others) : body
  const called = `@${NAMELESS}`
  await sql`
    update message set body = regexp_replace(${shown}, ${names}, ${called}, 'g'), member_mentions = ${left}::text::jsonb,
      edited_msg = regexp_replace(edited_msg, ${names}, ${called}, 'g'), quote = case when quote->'content' is null then quote else
        jsonb_set(quote, '{content,body}', to_jsonb(regexp_replace(quote->'content'->>'body', ${names}, ${called}, 'g'))) end,
      version = version + 1
    where id = ${id}`
  await sql`update message_edit set body = regexp_replace(body, ${names}, ${called}, 'g') where message_id = ${id}`
}
