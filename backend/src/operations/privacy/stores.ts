// Tables in which more than a number is the person's, or which somebody reads while they change.
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { lockMessageSends } from '../../desk/messages/lock-sends.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { forgetMember } from './members.ts'
import { eraseMentions } from './mentions.ts'
import { emptyMessages, findForwards, forgetEvents } from './messages.ts'
import type { PageEraser, PageRange, RunningErasure } from './running.ts'

export const STORES: Readonly<Record<string, PageEraser>> = {
  api_request: apiRequests,
  contact: contactNotes,
  job_error: jobErrors,
  live_event: liveEvents,
  log_entry: logEntries,
  message: messages,
  number_check: numberChecks,
  phone_book: phoneBook,
  raw_event: rawEvents,
  webhook_event: webhookEvents,
  whatsapp_auth: deviceMemory,
  whatsapp_command: commands,
}

/** What the person said in groups goes; where others name, answer or quote it, the name of its number and what was quoted do. */
async function messages(tx: Tx, running: RunningErasure, range: PageRange): Promise<number> {
  const sql = getSql(tx)
  const { traces, startedAt } = running
  const { from, until } = range
  const naming = await forgetMember(tx, running, range)
  const { pattern } = traces
  const contactIds = [...traces.contactIds]
  const own = await sql<{ id: number }[]>`
    select id::float8 as id from message where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt}
      and (author_id = any(${contactIds}::int[]) or split_part(split_part(author_jid, '@', 1), ':', 1) = any(${[...traces.addresses]}::text[]))`
  const named = await sql<{ id: number }[]>`
    select id::float8 as id from message where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt}
      and (body ~ ${pattern} or edited_msg ~ ${pattern} or author_name ~ ${pattern} or transcription ~ ${pattern} or raw::text ~ ${pattern}
        or details::text ~ ${pattern} or template_data::text ~ ${pattern} or system::text ~ ${pattern} or media::text ~ ${pattern}
        or error_log::text ~ ${pattern} or reactions::text ~ ${pattern} or quote::text ~ ${pattern} or member_mentions::text ~ ${pattern})`
  const said = toIds(own)
  const theirs = [...said, ...(await findForwards(tx, said))]
  const others = toIds(named).filter(id => !theirs.includes(id))
  await lockMessageSends(tx, [...theirs, ...others])
  await emptyMessages(tx, theirs)
  const changed = [...new Set([...others, ...naming.filter(id => !theirs.includes(id))])]
  if (changed.length === 0) return theirs.length
  await forgetEvents(tx, others)
  await sql`
    update message set body = regexp_replace(body, ${pattern}, '…', 'g'), edited_msg = regexp_replace(edited_msg, ${pattern}, '…', 'g'),
      member_mentions = regexp_replace(member_mentions::text, ${pattern}, '…', 'g')::jsonb,
      author_name = regexp_replace(author_name, ${pattern}, '…', 'g'), transcription = regexp_replace(transcription, ${pattern}, '…', 'g'),
      details = regexp_replace(details::text, ${pattern}, '0', 'g')::jsonb, template_data = regexp_replace(template_data::text, ${pattern}, '0', 'g')::jsonb,
      system = regexp_replace(system::text, ${pattern}, '0', 'g')::jsonb, media = regexp_replace(media::text, ${pattern}, '0', 'g')::jsonb,
      error_log = regexp_replace(error_log::text, ${pattern}, '0', 'g')::jsonb, raw = case when raw::text ~ ${pattern} or body ~ ${pattern} then null else raw end,
      quote = case when quote::text !~ ${pattern} then quote end,
      reactions = (select coalesce(jsonb_agg(r.one order by r.place), '[]') from jsonb_array_elements(reactions) with ordinality as r(one, place)
        where r.one::text !~ ${pattern}),
      version = version + 1
    where id = any(${others}::bigint[])`
  await refreshLastMessage(tx, changed)
  await publishMessageEvents(tx, changed, 'update')
  return theirs.length + changed.length
}

/** What the team noted of others. */
async function contactNotes(
  tx: Tx,
  { traces, startedAt }: RunningErasure,
  { from, until }: PageRange,
): Promise<number> {
  const { pattern } = traces
  const rows = await getSql(tx)<{ id: number }[]>`
    update contact set name = regexp_replace(name, ${pattern}, '…', 'g'), email = regexp_replace(email, ${pattern}, '…', 'g'),
      extra_info = regexp_replace(extra_info::text, ${pattern}, '0', 'g')::jsonb, version = version + 1
    where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt} and merged_into is null
      and (name ~ ${pattern} or email ~ ${pattern} or extra_info::text ~ ${pattern})
    returning id`
  await publishContactEvents(tx, toIds(rows))
  return rows.length
}

/** What the provider told, as it came: a repeat is known by the keys that stay. */
async function rawEvents(tx: Tx, { traces, startedAt }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const sql = getSql(tx)
  const { pattern } = traces
  const gone = await sql`
    delete from raw_event where ctid >= ${from}::tid and ctid < ${until}::tid and received_at < ${startedAt}
      and (key ~ ${traces.exact} or waits_for ~ ${traces.exact} or payload ~ ${pattern} and (error is not null or waits_for is not null))`
  const emptied = await sql`
    update raw_event set payload = '' where ctid >= ${from}::tid and ctid < ${until}::tid and received_at < ${startedAt}
      and payload ~ ${pattern}`
  return gone.count + emptied.count
}

/** Events of before: screens that were away are told of what there is now by those of the erasure. */
async function liveEvents(tx: Tx, { traces, startedAt }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const ids = traces.contactIds.join('|')
  const named = `"(contactId|authorId)":(${ids})[,}]|"contact":[{]"id":(${ids})[,}]`
  const sql = getSql(tx)
  // An archive bears the person's name, spelt as a file's may be.
  const archives = await sql<{ id: number }[]>`
    select id from job where kind = 'privacy.export' and (params->>'contactId')::int = any(${[...traces.contactIds]}::int[])`
  const ofArchives = `"job":[{]"id":(${archives.map(({ id }) => id).join('|') || 'none'})[,}]`
  const gone = await sql`
    delete from live_event where ctid >= ${from}::tid and ctid < ${until}::tid and (created_at < ${startedAt} and payload ~ ${traces.pattern}
      or id <= ${traces.lastEvent} and (payload ~ ${named} or payload ~ ${ofArchives}
        or (audience->>'ticketId')::int in (select id from ticket where contact_id = any(${[...traces.contactIds]}::int[]))))`
  return gone.count
}

/** Entries stay with who did what and when; what they say of the person goes. */
async function logEntries(tx: Tx, { traces, startedAt }: RunningErasure, stretch: PageRange): Promise<number> {
  const { from, until } = stretch
  const emptied = await getSql(tx)`
    update log_entry set descricao = case when descricao is null then null else '' end, params = case action
        when 'contact.update' then jsonb_build_object('changes', (select coalesce(jsonb_agg(jsonb_build_object('field', c.one->'field') order by c.place), '[]')
          from jsonb_array_elements(params->'changes') with ordinality as c(one, place)))
        when 'contact.merge' then jsonb_build_object('from', params->'from', 'names', '[]'::jsonb)
        when 'contact.newNumber' then '{"from": [], "to": ""}'::jsonb
        when 'contact.lostNumber' then jsonb_build_object('numbers', '[]'::jsonb, 'contactId', params->'contactId')
        else params end
    where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt} and contact_id = any(${[...traces.contactIds]}::int[])
      and (action = 'contact.update' and jsonb_path_exists(params, '$.changes[*].from') or action = 'contact.update' and jsonb_path_exists(params, '$.changes[*].to')
        or action = 'contact.merge' and params->'names' <> '[]'::jsonb or action = 'contact.newNumber' and params->>'to' <> ''
        or action = 'contact.lostNumber' and params->'numbers' <> '[]'::jsonb or descricao <> '')`
  return emptied.count + (await eraseMentions(tx, 'log_entry', { traces, startedAt }, stretch))
}

/** Rows of sheets that were left out. */
async function jobErrors(tx: Tx, { traces, startedAt }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const gone = await getSql(tx)`
    delete from job_error where ctid >= ${from}::tid and ctid < ${until}::tid and faults <> ''
      and job_id in (select id from job where created_at < ${startedAt}) and (cells::text ~ ${traces.pattern} or cells ?| ${[...traces.names]}::text[])`
  return gone.count
}

async function phoneBook(tx: Tx, { traces, startedAt }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const gone = await getSql(tx)`
    delete from phone_book where ctid >= ${from}::tid and ctid < ${until}::tid and told_at < ${startedAt}
      and number = any(${[...traces.addresses]}::text[])`
  return gone.count
}

async function numberChecks(
  tx: Tx,
  { traces, startedAt }: RunningErasure,
  { from, until }: PageRange,
): Promise<number> {
  const gone = await getSql(tx)`
    delete from number_check where ctid >= ${from}::tid and ctid < ${until}::tid and asked_at < ${startedAt}
      and (number = any(${[...traces.addresses]}::text[]) or known_as = any(${[...traces.addresses]}::text[]))`
  return gone.count
}

/** What other programs were told, or are still to be told. */
async function webhookEvents(
  tx: Tx,
  { traces, startedAt }: RunningErasure,
  { from, until }: PageRange,
): Promise<number> {
  const gone = await getSql(tx)`
    delete from webhook_event where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt}
      and (contact_id = any(${[...traces.contactIds]}::int[]) or data::text ~ ${traces.pattern})`
  return gone.count
}

/** What other programs were answered. */
async function apiRequests(tx: Tx, { traces, startedAt }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const gone = await getSql(tx)`
    delete from api_request where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt}
      and (key ~ ${traces.pattern} or answer::text ~ ${traces.pattern} or (answer->>'contactId') = any(${traces.contactIds.map(String)}::text[])
        or (answer->>'ticketId')::int in (select id from ticket where contact_id = any(${[...traces.contactIds]}::int[])))`
  return gone.count
}

/** What owners of connections were asked and answered: names of groups' members among it. */
async function commands(tx: Tx, { traces, startedAt }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const gone = await getSql(tx)`
    delete from whatsapp_command where ctid >= ${from}::tid and ctid < ${until}::tid and created_at < ${startedAt} and state <> 'waiting'
      and (argument ~ ${traces.exact} or answer::text ~ ${traces.pattern})`
  return gone.count
}

/** What a paired device remembers of the person's phones: it is made anew should the person write again. */
async function deviceMemory(tx: Tx, { traces }: RunningErasure, { from, until }: PageRange): Promise<number> {
  const gone = await getSql(tx)`
    delete from whatsapp_auth where ctid >= ${from}::tid and ctid < ${until}::tid and type <> 'creds'
      and (key_id ~ ${traces.exact} or value::text ~ ${traces.exact})`
  return gone.count
}
