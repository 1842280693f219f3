// What is held of a person, place by place (decisions-2 §19).
import type { HeldData } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { readSettings } from '../settings/read.ts'
import { loadPerson } from './find.ts'
import { loadErasures } from './present.ts'
import { erasures } from './table.ts'

/** So many protocols are named. */
const NAMED = 3

/** Throws `ERR_NO_CONTACT_FOUND`. */
export async function heldOf(db: Db, id: number): Promise<HeldData> {
  const person = await loadPerson(db, id)
  if (!person) throw new AppError('ERR_NO_CONTACT_FOUND')
  const live = and(eq(erasures.contactId, id), inArray(erasures.state, ['waiting', 'running']))
  const [contact, said, elsewhere, [erasure = null], { privacyGraceDays: graceDays }] = await Promise.all([
    contactOf(db, id),
    saidOf(db, id),
    elsewhereOf(db, id),
    loadErasures(db, live, 1),
    readSettings(db),
  ])
  return { person, contact, ...said, ...elsewhere, erasure, graceDays }
}

async function contactOf(db: Db, id: number): Promise<HeldData['contact']> {
  const [row] = await sqlOf(db)<HeldData['contact'][]>`
    select (select count(*)::int from contact f where f.name <> '' and (f.id = c.id or f.merged_into = c.id)) as names,
      coalesce((select array_agg(i.value order by i.created_at) from contact_identity i
        where i.contact_id = c.id and i.kind in ('pn', 'former')), '{}') as numbers,
      (select count(*)::int from contact_identity i where i.contact_id = c.id and i.kind not in ('pn', 'former')) as others,
      (select count(*)::int from contact_tag g where g.contact_id = c.id) as tags,
      jsonb_array_length(c.extra_info) as information
    from contact c where c.id = ${id}`
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}

interface Said {
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

async function saidOf(db: Db, id: number): Promise<Pick<HeldData, 'conversations' | 'files'>> {
  const sql = sqlOf(db)
  const [row] = await sql<Said[]>`
    select t.tickets, t.live, m.messages, m.first_at as "firstAt", m.last_at as "lastAt", f.pictures, f.recordings, f.files, f.bytes
    from (select count(*)::int as tickets, count(*) filter (where status <> 'closed')::int as live from ticket where contact_id = ${id}) t,
      (select count(*)::int as messages, min(at) as first_at, max(at) as last_at from message where contact_id = ${id}) m,
      (select count(*) filter (where o.mime like 'image/%')::int as pictures, count(*) filter (where o.mime like 'audio/%')::int as recordings,
        count(*)::int as files, coalesce(sum(o.size), 0)::float8 as bytes
        from media o where o.id in (select media_id from message where contact_id = ${id} and media_id is not null)) f`
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
  readonly scheduled: number
  readonly entries: number
  readonly copies: number
  readonly oldestCopyAt: string | null
}

type ElsewhereHeld = Pick<HeldData, 'groups' | 'protocols' | 'ratings' | 'sends' | 'log' | 'backups'>

async function elsewhereOf(db: Db, id: number): Promise<ElsewhereHeld> {
  const sql = sqlOf(db)
  const [row] = await sql<Elsewhere[]>`
    select (select count(*)::int from ticket t join message m on m.ticket_id = t.id where t.is_group and m.author_id = ${id}) as groups,
      (select count(*)::int from protocol where contact_id = ${id}) as protocols,
      coalesce(array(select protocolo from protocol where contact_id = ${id} order by id desc limit ${NAMED}), '{}') as numbers,
      (select count(*)::int from rating where contact_id = ${id}) as ratings,
      (select avg(rate)::float8 from rating where contact_id = ${id}) as average,
      (select count(*)::int from send_recipient where contact_id = ${id} and state = 'handed') as received,
      (select count(*)::int from schedule_contact where contact_id = ${id}) as scheduled,
      (select count(*)::int from log_entry where contact_id = ${id}) as entries,
      (select count(*)::int from backup b join contact c on c.id = ${id} and b.at >= c.created_at
        where b.state = 'done' and b.gone_at is null) as copies,
      (select min(b.at) from backup b join contact c on c.id = ${id} and b.at >= c.created_at
        where b.state = 'done' and b.gone_at is null) as "oldestCopyAt"`
  if (!row) throw new Error('Nothing counted')
  return {
    groups: { messages: row.groups },
    protocols: { count: row.protocols, numbers: row.numbers },
    ratings: { count: row.ratings, average: row.average },
    sends: { received: row.received, scheduled: row.scheduled },
    log: { entries: row.entries },
    backups: { count: row.copies, oldestAt: row.oldestCopyAt },
  }
}
