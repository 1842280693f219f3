import { lostSchedules } from '../../messaging/schedules/lost.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { alarmsOf } from '../backup/alarm.ts'
import { waitingFor } from './waiting.ts'

export function notificationRoutes({ db, config }: Parts): Route[] {
  return [
    serve('GET /notifications', async ({ session, query }) => {
      const [waiting, alarms] = await Promise.all([
        waitingFor(db, session, query.limit),
        session.viewer.profile === 'admin' ? Promise.all([alarmsOf(db, config), lostSchedules(db)]) : [],
      ])
      return { ...waiting, alarms: alarms.flat() }
    }),
  ]
}
