// Adding, changing and deleting tags (spec 3 §2, §5): the team's own, whatever the profile (decisions §4).
import { type BodyOf, LIVE_STATUSES, MOST_TAGGED, type TagRow, tagRules } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { idsOf } from '../../platform/database/ids.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { accepted, wrongField } from '../../platform/http/errors.ts'
import { idListOf } from '../../platform/http/validate.ts'
import { keptRows, refuseStale } from '../../policy/kit/kept-rows.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { contactEvents } from '../contacts/present.ts'
import { loadTags } from './list.ts'
import { tags } from './table.ts'

const kept = keptRows({ name: 'tag', missing: 'ERR_NO_TAG_FOUND', load: loadTags })

/** Throws `ERR_VALIDATION`: a name of 2 to 50 characters, a colour as `#7a7a7a` (spec 3 §5). */
export async function addTag(parts: Parts, session: Session, body: BodyOf<'POST /tag'>): Promise<TagRow> {
  const values = accepted(tagRules, { name: body.name, color: body.color ?? '#7a7a7a' })
  const contacts = contactsIn(body)
  return kept.add(parts, session, { clientId: body.clientId, content: body }, make, id =>
    editTag(parts, session, id, body),
  )

  async function make(tx: Tx) {
    const [row] = await tx.insert(tags).values(values).returning()
    if (row && contacts) await contactEvents(tx, await give(tx, row.id, { contacts }))
    return row
  }
}

/** What is not given stays as it is. Throws also `ERR_NO_TAG_FOUND`, `ERR_CHANGED_MEANWHILE` with the tag as it is now. */
export async function editTag(
  parts: Parts,
  session: Session,
  id: number,
  body: BodyOf<'PUT /tag/:id'>,
): Promise<TagRow> {
  const values = accepted(tagRules, { name: body.name, color: body.color })
  const contacts = contactsIn(body)
  return kept.save(parts, session, async tx => {
    await tx.select({ id: tags.id }).from(tags).where(eq(tags.id, id)).for('no key update')
    refuseStale(await kept.get(tx, id), body.version)
    const news = { ...values, version: sql`${tags.version} + 1` }
    const [row] = await tx.update(tags).set(news).where(eq(tags.id, id)).returning()
    const given = await give(tx, id, { contacts, give: body.give, take: body.take })
    await contactEvents(tx, [...given, ...(await touchShown(tx, id, given))])
    return row
  })
}

/** Throws `ERR_NO_TAG_FOUND`. */
export function deleteTag(parts: Parts, session: Session, id: number): Promise<void> {
  return kept.remove(parts, session, async tx => {
    // Contacts before their tag, as whoever changes a contact locks them.
    const shown = await touchShown(tx, id, [])
    const [row] = await tx.delete(tags).where(eq(tags.id, id)).returning()
    await contactEvents(tx, shown)
    return row
  })
}

function contactsIn({ contacts }: BodyOf<'PUT /tag/:id'>): number[] | undefined {
  if (contacts === undefined) return undefined
  const ids = typeof contacts === 'string' ? idListOf(contacts, 'contacts') : [...new Set(contacts)]
  if (ids.length > MOST_TAGGED) throw wrongField('contacts', 'Lista inválida')
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
  const rows = await sqlOf(tx)<{ id: number }[]>`
    with taken as (
      delete from contact_tag where tag_id = ${tagId} and contact_id <> all(${getting}::int[])
        and (${contacts !== undefined}::boolean or contact_id = any(${[...take]}::int[])) returning contact_id),
    given as (
      insert into contact_tag (contact_id, tag_id)
      select c.id, ${tagId} from contact c where c.id = any(${getting}::int[]) and c.merged_into is null
      on conflict do nothing returning contact_id)
    update contact set version = version + 1
    where id in (select contact_id from taken union all select contact_id from given) returning id`
  return idsOf(rows)
}

/** The tag stands beside everybody in the lists of tickets: they are to be told anew. Of all others who shows them hears of the tag itself. */
async function touchShown(tx: Tx, tagId: number, except: readonly number[]): Promise<number[]> {
  const rows = await sqlOf(tx)<{ id: number }[]>`
    with shown as (
      select c.id from contact c
      where c.id <> all(${[...except]}::int[]) and c.id in (select t.contact_id from ticket t
        join contact_tag x on x.contact_id = t.contact_id and x.tag_id = ${tagId}
        where t.status = any(${[...LIVE_STATUSES]}::text[]))
      order by c.id for no key update)
    update contact set version = version + 1 where id in (select id from shown) returning id`
  return idsOf(rows)
}
