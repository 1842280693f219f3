// The newest message of each ticket that a search found, with the line that holds the words.
import { lineWith, type MediaType, type MessageHit, withoutSignature } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { isoOf, sqlOf } from '../database/raw.ts'
import { holds } from './search-conditions.ts'

/** One hit for each of the tickets, newest first; tickets without a message that holds the words are left out. */
export async function messageHits(db: Db, ids: readonly number[], words: readonly string[]): Promise<MessageHit[]> {
  if (ids.length === 0) return []
  const sql = sqlOf(db)
  const rows = await sql<HitRow[]>`
    select m.id, m.ticket_id, m.body, m.media_type, m.media->>'name' as file, m.transcription, m.from_me, m.at,
      case when m.from_me then coalesce(u.name, '') else coalesce(nullif(m.author_name, ''), c.name) end as name
    from unnest(${[...ids]}::int[]) as w(id)
      cross join lateral (select * from message m where m.ticket_id = w.id and ${holds(sql, sql`(m.search_text || '')`, words)}
        order by m.at desc nulls last, m.seq desc nulls last limit 1) m
      join contact c on c.id = m.contact_id
      left join "user" u on u.id = m.user_id
    order by m.at desc nulls last, m.ticket_id desc, m.seq desc`
  return rows.map(row => ({
    ticketId: row.ticket_id,
    messageId: Number(row.id),
    text: lineWith(searched(row), words),
    mediaType: row.media_type,
    fromMe: row.from_me,
    name: row.name,
    createdAt: isoOf(row.at),
  }))
}

interface HitRow {
  id: string
  ticket_id: number
  body: string
  media_type: MediaType
  file: string | null
  transcription: string | null
  from_me: boolean
  at: string
  name: string
}

/** What was looked at, as `search_text` is made of it. */
function searched({ body, media_type, file, transcription, from_me }: HitRow): string {
  const said = media_type === 'location' ? (body.split('|')[2] ?? '') : from_me ? withoutSignature(body) : body
  return [said, media_type === 'application' ? file : null, transcription].filter(Boolean).join('\n')
}
