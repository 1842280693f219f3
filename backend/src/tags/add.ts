// Adding a tag, and giving it to contacts (spec 3 §2 "Tags").
import { type BodyOf, type Tag, tagRules } from '@balcao/contract'
import { contactEvents } from '../contacts/present.ts'
import { idsOf } from '../database/ids.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, accepted } from '../http/errors.ts'
import { appendEvent } from '../live/append.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { tags } from './table.ts'

/** Throws `ERR_VALIDATION`: a name of 2 to 50 characters, a colour as `#7a7a7a` (spec 3 §5). */
export async function addTag(parts: Parts, { viewer }: Session, form: BodyOf<'POST /tag'>): Promise<Tag> {
  const values = accepted(tagRules, form)
  return change(parts, async tx => {
    const [tag] = await tx.insert(tags).values(values).returning({ id: tags.id, name: tags.name, color: tags.color })
    if (!tag) throw new AppError('ERR_INTERNAL')
    const given = await sqlOf(tx)<{ id: number }[]>`
      with given as (
        insert into contact_tag (contact_id, tag_id)
        select c.id, ${tag.id} from contact c where c.id = any(${form.contacts ?? []}::int[]) and c.merged_into is null
        returning contact_id)
      update contact set version = version + 1 where id in (select contact_id from given) returning id`
    await writeLog(tx, { action: 'tag.create', userId: viewer.id, entityId: tag.id })
    await appendEvent(tx, { to: 'everyone' }, { event: 'tag', action: 'create', version: 1, tag })
    await contactEvents(tx, idsOf(given))
    return tag
  })
}
