// What is held of a person: counted place by place (decisions-2 §19), and read table by table in pages by id, nothing held whole in memory.
import { type HeldData, toSafeFileName } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { loadPerson } from './find.ts'
import { loadErasures } from './present.ts'
import {
  selectContacts,
  selectFileMessages,
  selectGroupMessages,
  selectIdentities,
  selectLogEntries,
  selectMessages,
  selectPhoneBook,
  selectProtocols,
  selectRatings,
  selectRecipients,
  selectSchedules,
  selectTags,
  selectTickets,
} from './rows.ts'
import { erasures } from './table.ts'

/** So many protocols are named. */
const NAMED = 3
/** So many rows are read at once. */
const PAGE = 500

/** Throws `ERR_NO_CONTACT_FOUND`. */
export async function loadHeldData(db: Db, id: number): Promise<HeldData> {
  const person = await loadPerson(db, id)
  if (!person) throw new AppError('ERR_NO_CONTACT_FOUND')
  const ids = await findMergedContactIds(db, id)
  const live = and(eq(erasures.contactId, id), inArray(erasures.state, ['waiting', 'running']))
  const [contact, messageCounts, elsewhere, [erasure = null], { privacyGraceDays: graceDays }] = await Promise.all([
    countContact(db, id, ids),
    countConversations(db, ids),
    countElsewhere(db, id, ids),
    loadErasures(db, live, 1),
    readSettings(db),
  ])
  return { person, contact, ...messageCounts, ...elsewhere, erasure, graceDays }
}

async function countContact(db: Db, id: number, ids: readonly number[]): Promise<HeldData['contact']> {
  const sql = getSql(db)
  const [row] = await sql<HeldData['contact'][]>`
    select (select count(*)::int from (${selectContacts(sql, ids)}) f where f.name <> '') as names,
      coalesce(array(select i.value from (${selectIdentities(sql, ids)}) i where i.kind in ('pn', 'former') order by i.created_at), '{}') as numbers,
      (select count(*)::int from (${selectIdentities(sql, ids)}) i where i.kind not in ('pn', 'former')) as others,
      (select count(*)::int from (${selectPhoneBook(sql, ids)}) b) as "phoneBooks",
      (select count(*)::int from (${selectTags(sql, ids)}) g) as tags,
      jsonb_array_length(c.extra_info) as information
    from contact c where c.id = ${id}`
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}

interface Conversations {
  readonly tickets: number
  readonly live: number
  readonly messages: number
  readonly firstAt: string | null
  readonly lastAt: string | null
  readonly pictures: number
  readonly recordings: number
  readonly files: number
  readonly bytes: number
}

async function countConversations(db: Db, ids: readonly number[]): Promise<Pick<HeldData, 'conversations' | 'files'>> {
  const sql = getSql(db)
  const [row] = await sql<Conversations[]>`
    select t.tickets, t.live, m.messages, m.first_at as "firstAt", m.last_at as "lastAt", f.pictures, f.recordings, f.files, f.bytes
    from (select count(*)::int as tickets, count(*) filter (where x.status <> 'closed')::int as live from (${selectTickets(sql, ids)}) x) t,
      (select count(*)::int as messages, min(x.at) as first_at, max(x.at) as last_at from (${selectMessages(sql, ids)}) x) m,
      (select count(*) filter (where o.mime like 'image/%')::int as pictures, count(*) filter (where o.mime like 'audio/%')::int as recordings,
        count(*)::int as files, coalesce(sum(o.size), 0)::float8 as bytes
        from media o where o.id in (select x.media_id from (${selectFileMessages(sql, ids)}) x)) f`
  if (!row) throw new Error('Nothing counted')
  const { tickets, live, messages, firstAt, lastAt, pictures, recordings, files, bytes } = row
  return {
    conversations: { tickets, live, messages, firstAt, lastAt },
    files: { pictures, recordings, documents: files - pictures - recordings, bytes },
  }
}

interface Elsewhere {
  readonly groups: number
  readonly protocols: number
  readonly numbers: string[]
  readonly ratings: number
  readonly average: number | null
  readonly received: number
  readonly listed: number
  readonly scheduled: number
  readonly entries: number
  readonly copies: number
  readonly oldestCopyAt: string | null
}

type ElsewhereHeld = Pick<HeldData, 'groups' | 'protocols' | 'ratings' | 'sends' | 'log' | 'backups'>

async function countElsewhere(db: Db, id: number, ids: readonly number[]): Promise<ElsewhereHeld> {
  const sql = getSql(db)
  const [row] = await sql<Elsewhere[]>`
    select (select count(*)::int from (${selectGroupMessages(sql, ids)}) m) as groups,
      (select count(*)::int from (${selectProtocols(sql, ids)}) p) as protocols,
      coalesce(array(select p.protocolo from (${selectProtocols(sql, ids)}) p order by p.id desc limit ${NAMED}), '{}') as numbers,
      (select count(*)::int from (${selectRatings(sql, ids)}) r) as ratings,
      (select avg(r.rate)::float8 from (${selectRatings(sql, ids)}) r) as average,
      (select count(*)::int from (${selectRecipients(sql, ids)}) r where r.state = 'handed') as received,
      (select count(*)::int from (${selectRecipients(sql, ids)}) r where r.state <> 'handed') as listed,
      (select count(*)::int from (${selectSchedules(sql, ids)}) s) as scheduled,
      (select count(*)::int from (${selectLogEntries(sql, ids)}) l) as entries,
      (select count(*)::int from backup b join contact c on c.id = ${id} and b.at >= c.created_at
        where b.state = 'done' and b.gone_at is null) as copies,
      (select min(b.at) from backup b join contact c on c.id = ${id} and b.at >= c.created_at
        where b.state = 'done' and b.gone_at is null) as "oldestCopyAt"`
  if (!row) throw new Error('Nothing counted')
  return {
    groups: { messages: row.groups },
    protocols: { count: row.protocols, numbers: row.numbers },
    ratings: { count: row.ratings, average: row.average },
    sends: { received: row.received, listed: row.listed, scheduled: row.scheduled },
    log: { entries: row.entries },
    backups: { count: row.copies, oldestAt: row.oldestCopyAt },
  }
}

interface HeldRow {
  readonly id: number
  readonly row: unknown
}

/** A page of rows behind one of them. */
type Rows = (sql: postgres.Sql, contactIds: readonly number[], after: number) => PromiseLike<readonly HeldRow[]>

/** The contact and those that were merged into it. */
export async function findMergedContactIds(db: Db, contactId: number): Promise<readonly number[]> {
  return toIds(
    await getSql(db)<{ id: number }[]>`
    select id from contact where id = ${contactId} or merged_into = ${contactId} order by id`,
  )
}

/** One object with a list for each kind of thing. `told` counts the messages, `step` is asked with every page. */
export async function* readPersonalData(
  db: Db,
  contactIds: readonly number[],
  count: { messages: number },
  step: (done: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder()
  let isFirst = true
  for (const [name, rows] of Object.entries(KINDS)) {
    yield bytes.encode(`${isFirst ? '{' : '],'}\n${JSON.stringify(name)}: [`)
    isFirst = false
    for (let after = 0, comma = ''; ; ) {
      const page = await rows(getSql(db), contactIds, after)
      if (page.length > 0) yield bytes.encode(comma + page.map(({ row }) => `\n${JSON.stringify(row)}`).join(','))
      comma = ','
      after = page.at(-1)?.id ?? after
      if (name === 'mensagens') count.messages += page.length
      await step(count.messages)
      if (page.length < PAGE) break
    }
  }
  yield bytes.encode(']\n}\n')
}

/** Every file of its messages, once, under a name that says where it was. */
export async function* readContactFiles(
  db: Db,
  contactIds: readonly number[],
): AsyncGenerator<{ readonly id: string; readonly name: string }> {
  const sql = getSql(db)
  for (let after = 0; ; ) {
    const page = await sql<{ id: number; mediaId: string; ticketId: number; name: string }[]>`
      select m.id::float8 as id, o.id as "mediaId", m.ticket_id as "ticketId", o.name
      from (${selectFileMessages(sql, contactIds)}) m join media o on o.id = m.media_id
      where m.id > ${after} order by m.id limit ${PAGE}`
    for (const { id, mediaId, ticketId, name } of page)
      yield { id: mediaId, name: `${ticketId}/${id}-${toSafeFileName(name)}` }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

/** What is of the desk and not of the person, or of other members of a group (what a provider needs to send again, marks of the search, who reacted) is left out. */
const KINDS: Readonly<Record<string, Rows>> = {
  contato: (sql, ids, after) => sql<HeldRow[]>`
    select x.id as id, to_jsonb(x) - '{search_name,search_text,search_digits,version}'::text[] as row from (${selectContacts(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  nomes: (sql, ids, after) => sql<HeldRow[]>`
    select n.place::float8 as id, n.row from (select row_number() over (order by x.created_at, x.kind, x.value) as place, to_jsonb(x) as row
      from (${selectIdentities(sql, ids)}) x) n
    where n.place > ${after} order by n.place limit ${PAGE}`,
  agendas: (sql, ids, after) => sql<HeldRow[]>`
    select n.place::float8 as id, n.row from (select row_number() over (order by x.whatsapp_id, x.number) as place, to_jsonb(x) as row
      from (${selectPhoneBook(sql, ids)}) x) n
    where n.place > ${after} order by n.place limit ${PAGE}`,
  tags: (sql, ids, after) => sql<HeldRow[]>`
    select x.id as id, jsonb_build_object('name', x.name) as row from (${selectTags(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  atendimentos: (sql, ids, after) => sql<HeldRow[]>`
    select x.id, to_jsonb(x) || jsonb_build_object('queue', q.name, 'user', u.name, 'whatsapp', w.name) as row
    from (${selectTickets(sql, ids)}) x join whatsapp w on w.id = x.whatsapp_id left join queue q on q.id = x.queue_id
      left join "user" u on u.id = x.user_id
    where x.id > ${after} order by x.id limit ${PAGE}`,
  mensagens: (sql, ids, after) => sql<HeldRow[]>`
    select x.id::float8 as id, to_jsonb(x) - '{raw,secret,member_mentions,search_text,version,client_id}'::text[] as row from (${selectMessages(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  mensagensEmGrupos: (sql, ids, after) => sql<HeldRow[]>`
    select x.id::float8 as id, to_jsonb(x) - '{raw,secret,member_mentions,search_text,version,client_id,reactions}'::text[] as row from (${selectGroupMessages(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  protocolos: (sql, ids, after) => sql<HeldRow[]>`
    select x.id as id, to_jsonb(x) as row from (${selectProtocols(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  notas: (sql, ids, after) => sql<HeldRow[]>`
    select x.id::float8 as id, to_jsonb(x) as row from (${selectRatings(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  envios: (sql, ids, after) => sql<HeldRow[]>`
    select x.id::float8 as id, to_jsonb(x) as row from (${selectRecipients(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  agendamentos: (sql, ids, after) => sql<HeldRow[]>`
    select x.id as id, jsonb_build_object('title', x.title, 'message', x.message, 'next_run_at', x.next_run_at) as row from (${selectSchedules(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  registro: (sql, ids, after) => sql<HeldRow[]>`
    select x.id::float8 as id, jsonb_build_object('at', x.created_at, 'action', x.action, 'params', x.params, 'said', x.descricao) as row from (${selectLogEntries(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
}
