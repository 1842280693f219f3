// What follows a change where the feature that is changed comes before those that go by it.
import type { ConnectionGone } from '../desk/connections/delete.ts'
import { enqueueRecount } from '../insight/figures/calendar.ts'
import { giveUpWaiting } from '../messaging/outbox/give-up.ts'
import { moveSends } from '../messaging/schedules/move.ts'
import { publishOrphanedSchedules } from '../messaging/sends/events.ts'
import type { SettingsChangeHook } from '../policy/settings/change.ts'

/** Other settings: sends wait for other hours, and days are counted by another calendar. */
export const followSettings: SettingsChangeHook = async (tx, keys, settings) => {
  await moveSends(tx, keys, settings)
  await enqueueRecount(tx, settings)
}

/** A connection is deleted: nothing goes out by it any more. */
export const endSends: ConnectionGone = async (tx, whatsappId) => {
  await giveUpWaiting(tx, whatsappId)
  await publishOrphanedSchedules(tx, whatsappId)
}
