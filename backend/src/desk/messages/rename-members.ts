// Texts that name members of a group say what these are called by now: a name that comes later, is changed or goes.
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { refreshLastMessage } from './last-message.ts'
import { lockMessageSends } from './lock-sends.ts'
import { nameMembers, renderMemberNames } from './member-names.ts'
import { publishMessageEvents } from './present.ts'
import type { MemberMentions } from './table.ts'

const BATCH = 100

/** Writes the texts anew that name somebody by one of these addresses (`message_member`), a batch in each transaction. */
export async function renameMembers(db: Db, addresses: readonly string[]): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await getSql(db)<{ id: number }[]>`
      select message_id::float8 as id from message_member
      where address = any(${[...addresses]}::text[]) and message_id > ${after} group by message_id order by message_id limit ${BATCH}`
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    await db.transaction(tx => renameIn(tx, ids))
    after = last
  }
}

async function renameIn(tx: Tx, ids: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  await lockMessageSends(tx, ids)
  const rows = await sql<{ id: number; body: string; mentions: MemberMentions }[]>`
    select id::float8 as id, body, member_mentions as mentions from message
    where id = any(${[...ids]}::bigint[]) and member_mentions is not null and not is_deleted order by message.id for update`
  const named = await nameMembers(
    tx,
    rows.map(({ mentions }) => mentions.members),
  )
  const changed = rows.flatMap(({ id, body, mentions: { text } }, at) => {
    const members = named[at] ?? []
    const now = renderMemberNames(text, members)
    return now === body ? [] : { id, body: now, mentions: { text, members } }
  })
  if (changed.length === 0) return
  await sql`
    update message m set body = x.body, member_mentions = x.mentions, version = m.version + 1
    from jsonb_to_recordset(${toJsonbText(changed)}::text::jsonb) as x(id bigint, body text, mentions jsonb) where m.id = x.id`
  const renamed = changed.map(({ id }) => id)
  await refreshLastMessage(tx, renamed)
  await publishMessageEvents(tx, renamed, 'update')
}
