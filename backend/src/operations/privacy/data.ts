// A person's data as JSON, table by table, in pages by id: nothing is held whole in memory.
import { toSafeFileName } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
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

const PAGE = 500

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
    select x.id::float8 as id, to_jsonb(x) - '{raw,secret,search_text,version,client_id}'::text[] as row from (${selectMessages(sql, ids)}) x
    where x.id > ${after} order by x.id limit ${PAGE}`,
  mensagensEmGrupos: (sql, ids, after) => sql<HeldRow[]>`
    select x.id::float8 as id, to_jsonb(x) - '{raw,secret,search_text,version,client_id,reactions}'::text[] as row from (${selectGroupMessages(sql, ids)}) x
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
