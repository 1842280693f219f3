// Whether anything is scheduled here at all (decisions §5, allowAgendador); to whom stands in `messaging/sends/access.ts`.
import type { Viewer } from '@balcao/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toTokenId } from '../../policy/users/viewer.ts'
import { schedules } from './table.ts'

/** Throws `ERR_NO_PERMISSION` while the scheduler is switched off. */
export function checkScheduler({ settings }: Session): void {
  if (!settings.allowAgendador) throw new AppError('ERR_NO_PERMISSION')
}

/** Those a person made, also by a program, or a program of the company. */
export function isOwnScheduleSql({ id }: Pick<Viewer, 'id'>): SQL {
  const tokenId = toTokenId(id)
  if (tokenId === null) return eq(schedules.userId, id)
  return sql`${schedules.userId} is null and (${schedules.program}->>'id')::int = ${tokenId}::int`
}
