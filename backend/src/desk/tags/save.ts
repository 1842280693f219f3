// Adding and changing tags (spec 3 §2, §5): the team's own, whatever the profile (decisions §4).
import { MOST_TAGGED, type RequestBody, type TagRow, tagRules } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createFieldError, validateFields } from '../../platform/http/errors.ts'
import { parseIdList } from '../../platform/http/validate.ts'
import { rejectStale } from '../../policy/kit/kept-rows.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { publishContactEvents } from '../contacts/present.ts'
import { store } from './store.ts'
import { tags } from './table.ts'
import { touchTagged } from './tagged-contacts.ts'

/** Throws `ERR_VALIDATION`: a name of 2 to 50 characters, a colour as `#7a7a7a` (spec 3 §5). */
export async function addTag(parts: Parts, session: Session, body: RequestBody<'POST /tag'>): Promise<TagRow> {
  const values = validateFields(tagRules, { name: body.name, color: body.color ?? '#7a7a7a' })
  const contacts = parseContactIds(body)
  return store.add(parts, session, { clientId: body.clientId, content: body }, make, id =>
    editTag(parts, session, id, body),
  )

  async function make(tx: Tx) {
    const [row] = await tx.insert(tags).values(values).returning()
    if (row && contacts) await publishContactEvents(tx, await give(tx, row.id, { contacts }))
    return row
  }
}

/** What is not given stays as it is. Throws also `ERR_NO_TAG_FOUND`, `ERR_CHANGED_MEANWHILE` with the tag as it is now. */
export async function editTag(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /tag/:id'>,
): Promise<TagRow> {
  const values = validateFields(tagRules, { name: body.name, color: body.color })
  const contacts = parseContactIds(body)
  return store.save(parts, session, async tx => {
    await tx.select({ id: tags.id }).from(tags).where(eq(tags.id, id)).for('no key update')
    const before = await store.get(tx, id)
    rejectStale(before, body.version)
    const news = { ...values, version: sql`${tags.version} + 1` }
    const [row] = await tx.update(tags).set(news).where(eq(tags.id, id)).returning()
    const changed = await give(tx, id, { contacts, give: body.give, take: body.take })
    const isOther = row?.name !== before.name || row.color !== before.color
    await publishContactEvents(tx, [...changed, ...(isOther ? await touchTagged(tx, id, changed) : [])])
    return row
  })
}

function parseContactIds({ contacts }: RequestBody<'PUT /tag/:id'>): number[] | undefined {
  if (contacts === undefined) return undefined
  const ids = typeof contacts === 'string' ? parseIdList(contacts, 'contacts') : [...new Set(contacts)]
  if (ids.length > MOST_TAGGED) throw createFieldError('contacts', 'call.list')
  return ids
}

/** `contacts`: these and no others. Without them who is given it gets it and who it is taken from loses it, whoever else has it by now. */
interface Changes {
  readonly contacts: readonly number[] | undefined
  readonly give?: readonly number[] | undefined
  readonly take?: readonly number[] | undefined
}

/** Gives those whose tags are other ones now. Who is gone meanwhile is left out. */
async function give(tx: Tx, tagId: number, { contacts, give = [], take = [] }: Changes): Promise<number[]> {
  const getting = [...(contacts ?? give)]
  const rows = await getSql(tx)<{ id: number }[]>`
    with taken as (
      delete from contact_tag where tag_id = ${tagId} and contact_id <> all(${getting}::int[])
        and (${contacts !== undefined}::boolean or contact_id = any(${[...take]}::int[])) returning contact_id),
    given as (
      insert into contact_tag (contact_id, tag_id)
      select c.id, ${tagId} from contact c where c.id = any(${getting}::int[]) and c.merged_into is null
      on conflict do nothing returning contact_id)
    update contact set version = version + 1, updated_at = now()
    where id in (select contact_id from taken union all select contact_id from given) returning id`
  return toIds(rows)
}
