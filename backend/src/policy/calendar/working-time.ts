// Who may work when (spec 1 §6): people by the hours and days of the user form, administrators always.
import {
  type HolidaySettings,
  type PersonalHours,
  type Profile,
  personalCalendar,
  type Settings,
} from '@balcao/contract'

export interface WorkingTime extends PersonalHours {
  readonly profile: Profile
}

/**
 * Whether a person may work at an instant, by the clocks of the company's time zone and its holidays.
 * @example mayWork(bruna, await readSettings(db), new Date('2026-11-21T12:00:00Z'))
 */
export function mayWork(user: WorkingTime, company: HolidaySettings & Pick<Settings, 'timezone'>, now: Date): boolean {
  return user.profile === 'admin' || personalCalendar(user, company).isOpen(now)
}
