// Whether anything is scheduled here at all (decisions §5, allowAgendador); to whom stands in `messaging/sends/access.ts`.
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

/** Throws `ERR_NO_PERMISSION` while the scheduler is switched off. */
export function checkScheduler({ settings }: Session): void {
  if (!settings.allowAgendador) throw new AppError('ERR_NO_PERMISSION')
}
