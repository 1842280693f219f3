// What is held of a person, place by place (decisions-2 §19).
import type { HeldData } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { findMergedContactIds } from './data.ts'
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

/** Throws `ERR_NO_CONTACT_FOUND`. */
export async function loadHeldData(db: Db, id: number): Promise<HeldData> {
  const person = await loadPerson(db, id)
  if (!person) throw new AppError('ERR_NO_CONTACT_FOUND')
  const ids = await findMergedContactIds(db, id)
  const live = and(eq(erasures.contactId, id), inArray(erasures.state, ['waiting', 'running']))
  const [contact, said, elsewhere, [erasure = null], { privacyGraceDays: graceDays }] = await Promise.all([
    countContact(db, id, ids),
    countConversations(db, ids),
    countElsewhere(db, id, ids),
    loadErasures(db, live, 1),
    readSettings(db),
  ])
  return { person, contact, ...said, ...elsewhere, erasure, graceDays }
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
