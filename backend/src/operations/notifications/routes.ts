import { listSpentTokens } from '../../messaging/api/alarm.ts'
import { listOrphanedSchedules } from '../../messaging/schedules/orphaned.ts'
import { listWebhookAlarms } from '../../messaging/webhooks-out/alarm.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { listBackupAlarms } from '../backup/alarm.ts'
import { listWaiting } from './waiting.ts'

export function notificationRoutes({ db, config }: Parts): Route[] {
  return [
    serve('GET /notifications', async ({ session, query }) => {
      const [waiting, alarms] = await Promise.all([
        listWaiting(db, session, query.limit),
        session.viewer.profile === 'admin'
          ? Promise.all([
              listBackupAlarms(db, config),
              listOrphanedSchedules(db),
              listWebhookAlarms(db),
              listSpentTokens(db, session),
            ])
          : [],
      ])
      return { ...waiting, alarms: alarms.flat() }
    }),
  ]
}
