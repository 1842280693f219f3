// Tags with how many contacts have them, by name: as Portuguese sorts it.
import { MOST_TAGGED, type TagRow, type TagWithContacts } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'

/** All tags. */
export function listTags(db: Db): Promise<TagRow[]> {
  return readTags(db, null)
}

/** Tags by id, in the order of the ids given. */
export async function loadTags(db: Db | Tx, ids: readonly number[]): Promise<TagRow[]> {
  return sortByIds(ids, await readTags(db, [...ids]))
}

/** One tag with its contacts. Throws `ERR_NO_TAG_FOUND`. */
export async function getTagWithContacts(db: Db, id: number): Promise<TagWithContacts> {
  const [tag] = await readTags(db, [id])
  if (!tag) throw new AppError('ERR_NO_TAG_FOUND')
  const contacts = await getSql(db)<{ id: number; name: string }[]>`
    select c.id, c.name from contact_tag x join contact c on c.id = x.contact_id
    where x.tag_id = ${id} order by c.name collate "pt-BR-x-icu", c.id limit ${MOST_TAGGED}`
  return { ...tag, contacts: [...contacts] }
}

/** Null: all of them. */
async function readTags(db: Db | Tx, ids: number[] | null): Promise<TagRow[]> {
  return getSql(db)<TagRow[]>`
    select g.id, g.name, g.color, g.version::int as version,
      (select count(*)::int from contact_tag x where x.tag_id = g.id) as "contactsCount"
    from tag g where ${ids}::int[] is null or g.id = any(${ids}::int[]) order by g.name collate "pt-BR-x-icu", g.id`
}
