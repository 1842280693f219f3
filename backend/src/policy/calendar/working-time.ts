// Who may work when (spec 1 §6): people by the hours and days of the user form, administrators always.
import {
  createPersonalCalendar,
  type HolidaySettings,
  type PersonalHours,
  type Profile,
  type Settings,
} from '@balcao/contract'

export interface WorkingTime extends PersonalHours {
  readonly profile: Profile
}

/**
 * Whether a person may work at an instant, by the clocks of the company's time zone and its holidays.
 * @example canWork(bruna, await readSettings(db), new Date('2026-11-21T12:00:00Z'))
 */
export function canWork(user: WorkingTime, company: HolidaySettings & Pick<Settings, 'timezone'>, now: Date): boolean {
  return user.profile === 'admin' || createPersonalCalendar(user, company).isOpen(now)
}
