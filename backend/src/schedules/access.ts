// Who may schedule what (decisions §4): managers and administrators everything, everybody else sends to single contacts of own tickets.
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Recipients } from '../sends/table.ts'
import type { Session } from '../sessions/authenticate.ts'

/** Throws `ERR_NO_PERMISSION` while the scheduler is switched off (decisions §5, allowAgendador). */
export function checkScheduler({ settings }: Session): void {
  if (!settings.allowAgendador) throw new AppError('ERR_NO_PERMISSION')
}

/** Throws `ERR_NO_PERMISSION` for recipients a viewer may not send to. */
export async function checkRecipients(db: Db | Tx, { viewer }: Session, recipients: Recipients): Promise<void> {
  if (viewer.profile !== 'user') return
  const { allContacts, contactsIds, tagsIds } = recipients
  if (allContacts || tagsIds.length > 0) throw new AppError('ERR_NO_PERMISSION')
  const strangers = await sqlOf(db)`
    select 1 from unnest(${[...contactsIds]}::int[]) as wanted(id)
    where not exists (select 1 from ticket t where t.contact_id = wanted.id and t.user_id = ${viewer.id}) limit 1`
  if (strangers.length > 0) throw new AppError('ERR_NO_PERMISSION')
}
