// The newest message of each ticket that a search found, with the line that holds the words.
import { excerptLine, type MessageHit, stripSignature } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { containsWordsSql } from './search-conditions.ts'

/** One hit for each of the tickets, newest first; tickets without a message that holds the words are left out. */
export function findMessageHits(db: Db, ids: readonly number[], words: readonly string[]): Promise<MessageHit[]> {
  const sql = getSql(db)
  return loadHits(
    db,
    ids,
    words,
    sql`select * from message m where m.ticket_id = w.id and ${containsWordsSql(sql, sql`(m.search_text || '')`, words)}
    order by m.at desc nulls last, m.seq desc nulls last limit 1`,
  )
}

/** These messages as hits, newest first. */
export function loadMessageHits(db: Db, ids: readonly number[], words: readonly string[]): Promise<MessageHit[]> {
  return loadHits(db, ids, words, getSql(db)`select * from message where id = w.id limit 1`)
}

async function loadHits(
  db: Db,
  ids: readonly number[],
  words: readonly string[],
  message: SqlFragment,
): Promise<MessageHit[]> {
  if (ids.length === 0) return []
  const sql = getSql(db)
  const rows = await sql<HitRow[]>`
    select m.id::float8 as "messageId", m.ticket_id as "ticketId", m.body, m.media_type as "mediaType", m.media->>'name' as file,
      m.transcription, m.from_me as "fromMe", m.at as "createdAt",
      case when m.from_me then coalesce(u.name, m.author_name) else coalesce(nullif(m.author_name, ''), c.name) end as name
    from unnest(${[...ids]}::bigint[]) as w(id)
      cross join lateral (${message}) m
      join contact c on c.id = m.contact_id
      left join "user" u on u.id = m.user_id
    order by m.at desc nulls last, m.id desc`
  return rows.map(({ body, file, transcription, ...row }) => ({
    ...row,
    text: excerptLine(searched({ body, file, transcription, ...row }), words),
  }))
}

interface HitRow extends Omit<MessageHit, 'text'> {
  readonly body: string
  readonly file: string | null
  readonly transcription: string | null
}

/** What was looked at, as `search_text` is made of it. */
function searched({ body, mediaType, file, transcription, fromMe }: HitRow): string {
  const contents = mediaType === 'location' ? (body.split('|')[2] ?? '') : fromMe ? stripSignature(body) : body
  return [contents, mediaType === 'application' ? file : null, transcription].filter(Boolean).join('\n')
}
