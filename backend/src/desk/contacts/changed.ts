// Contacts in the order of their last change, for programs that keep a copy of them.
import { LIMITS, type ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { parsePageBounds, toCursor } from '../../platform/http/paging.ts'
import { loadContacts } from './present.ts'

const PAGE = 100

/**
 * A page of those changed since an instant, the oldest change first. A change has the time at which its transaction began, and is seen when
 * that ends: so nothing is shown that is younger than the oldest one running, or what ends later would be passed over. One that has been
 * reading for a minute is not waited for: those that write are short.
 */
export async function listChangedContacts(
  db: Db,
  changedSince: string,
  cursor: string | undefined,
): Promise<ResponseBody<'GET /contacts'>> {
  const since = new Date(changedSince)
  if (!(since.getTime() >= 0 && since.getFullYear() <= 9999)) throw createFieldError('changedSince', 'call.date')
  const { after } = parsePageBounds({ cursor }, LIMITS.rowsPage, PAGE)
  const start = after ?? { text: since.toISOString(), id: 0 }
  if (Number.isNaN(Date.parse(start.text))) throw createFieldError('cursor', 'call.cursor')
  const rows = await getSql(db)<{ id: number; at: string }[]>`
    select c.id, c.updated_at as at from contact c
    where c.merged_into is null and (c.updated_at, c.id) > (${start.text}::timestamptz, ${start.id}::int)
      and c.updated_at < coalesce((select min(a.xact_start) from pg_stat_activity a
        where a.datname = current_database() and a.pid <> pg_backend_pid()
          and (a.backend_xid is not null or a.xact_start > now() - interval '1 minute')), now())
    order by c.updated_at, c.id limit ${PAGE + 1}`
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  return {
    contacts: await loadContacts(db, toIds(shown)),
    hasMore: rows.length > PAGE,
    nextCursor: last ? toCursor(last.at, last.id) : (cursor ?? toCursor(start.text, start.id)),
  }
}
