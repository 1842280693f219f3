// A person's data as JSON, table by table, in pages by id: nothing is held whole in memory.
import { safeFileName } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { idsOf } from '../database/ids.ts'
import { sqlOf } from '../database/raw.ts'

const PAGE = 500

interface Held {
  readonly id: number
  readonly row: unknown
}

/** A page of rows behind one of them. */
type Rows = (db: Db, contactIds: readonly number[], after: number) => PromiseLike<readonly Held[]>

/** The contact and those that were merged into it. */
export async function contactIdsOf(db: Db, contactId: number): Promise<readonly number[]> {
  return idsOf(
    await sqlOf(db)<{ id: number }[]>`
    select id from contact where id = ${contactId} or merged_into = ${contactId} order by id`,
  )
}

/** One object with a list for each kind of thing. `told` counts the messages, `step` is asked with every page. */
export async function* dataOf(
  db: Db,
  contactIds: readonly number[],
  told: { messages: number },
  step: (done: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder()
  let isFirst = true
  for (const [name, rows] of Object.entries(KINDS)) {
    yield bytes.encode(`${isFirst ? '{' : '],'}\n${JSON.stringify(name)}: [`)
    isFirst = false
    for (let after = 0, comma = ''; ; ) {
      const page = await rows(db, contactIds, after)
      if (page.length > 0) yield bytes.encode(comma + page.map(({ row }) => `\n${JSON.stringify(row)}`).join(','))
      comma = ','
      after = page.at(-1)?.id ?? after
      if (name === 'mensagens') told.messages += page.length
      await step(told.messages)
      if (page.length < PAGE) break
    }
  }
  yield bytes.encode(']\n}\n')
}

/** Every file of its messages, once, under a name that says where it was. */
export async function* filesOf(
  db: Db,
  contactIds: readonly number[],
): AsyncGenerator<{ readonly id: string; readonly name: string }> {
  for (let after = 0; ; ) {
    const page = await sqlOf(db)<{ id: number; mediaId: string; ticketId: number; name: string }[]>`
      select m.id::float8 as id, o.id as "mediaId", m.ticket_id as "ticketId", o.name from message m join media o on o.id = m.media_id
      where m.id > ${after} and (m.contact_id = any(${[...contactIds]}::int[]) or m.author_id = any(${[...contactIds]}::int[]))
        and not m.is_deleted order by m.id limit ${PAGE}`
    for (const { id, mediaId, ticketId, name } of page)
      yield { id: mediaId, name: `${ticketId}/${id}-${safeFileName(name)}` }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

/** What is of the desk and not of the person, or of other members of a group (what a provider needs to send again, marks of the search, who reacted) is left out. */
const KINDS: Readonly<Record<string, Rows>> = {
  contato: (db, ids, after) => sqlOf(db)<Held[]>`
    select c.id, to_jsonb(c) - '{search_name,search_text,search_digits,version}'::text[] as row from contact c
    where c.id = any(${[...ids]}::int[]) and c.id > ${after} order by c.id limit ${PAGE}`,
  nomes: (db, ids, after) => sqlOf(db)<Held[]>`
    select n.place::float8 as id, n.row from (select row_number() over (order by i.created_at, i.kind, i.value) as place, to_jsonb(i) as row
      from contact_identity i where i.contact_id = any(${[...ids]}::int[])) n
    where n.place > ${after} order by n.place limit ${PAGE}`,
  tags: (db, ids, after) => sqlOf(db)<Held[]>`
    select g.id, jsonb_build_object('name', g.name) as row from tag g
    where g.id in (select t.tag_id from contact_tag t where t.contact_id = any(${[...ids]}::int[])) and g.id > ${after}
    order by g.id limit ${PAGE}`,
  atendimentos: (db, ids, after) => sqlOf(db)<Held[]>`
    select t.id, to_jsonb(t) || jsonb_build_object('queue', q.name, 'user', u.name, 'whatsapp', w.name) as row
    from ticket t join whatsapp w on w.id = t.whatsapp_id left join queue q on q.id = t.queue_id left join "user" u on u.id = t.user_id
    where t.contact_id = any(${[...ids]}::int[]) and t.id > ${after} order by t.id limit ${PAGE}`,
  mensagens: (db, ids, after) => sqlOf(db)<Held[]>`
    select m.id::float8 as id, to_jsonb(m) - '{raw,secret,search_text,version,client_id}'::text[] as row from message m
    where m.contact_id = any(${[...ids]}::int[]) and m.media_type <> 'comment' and m.id > ${after} order by m.id limit ${PAGE}`,
  mensagensEmGrupos: (db, ids, after) => sqlOf(db)<Held[]>`
    select m.id::float8 as id, to_jsonb(m) - '{raw,secret,search_text,version,client_id,reactions}'::text[] as row
    from ticket t join message m on m.ticket_id = t.id
    where t.is_group and m.author_id = any(${[...ids]}::int[]) and m.id > ${after} order by m.id limit ${PAGE}`,
  protocolos: (db, ids, after) => sqlOf(db)<Held[]>`
    select p.id, to_jsonb(p) as row from protocol p
    where p.contact_id = any(${[...ids]}::int[]) and p.id > ${after} order by p.id limit ${PAGE}`,
  notas: (db, ids, after) => sqlOf(db)<Held[]>`
    select r.id::float8 as id, to_jsonb(r) as row from rating r
    where r.contact_id = any(${[...ids]}::int[]) and r.id > ${after} order by r.id limit ${PAGE}`,
  envios: (db, ids, after) => sqlOf(db)<Held[]>`
    select r.id::float8 as id, to_jsonb(r) as row from send_recipient r
    where r.contact_id = any(${[...ids]}::int[]) and r.id > ${after} order by r.id limit ${PAGE}`,
  agendamentos: (db, ids, after) => sqlOf(db)<Held[]>`
    select s.id, jsonb_build_object('title', s.title, 'message', s.message, 'next_run_at', s.next_run_at) as row from schedule s
    where s.id in (select c.schedule_id from schedule_contact c where c.contact_id = any(${[...ids]}::int[])) and s.id > ${after}
    order by s.id limit ${PAGE}`,
  registro: (db, ids, after) => sqlOf(db)<Held[]>`
    select l.id::float8 as id, jsonb_build_object('at', l.created_at, 'action', l.action, 'params', l.params, 'said', l.descricao) as row
    from log_entry l where l.contact_id = any(${[...ids]}::int[]) and l.id > ${after} order by l.id limit ${PAGE}`,
}
