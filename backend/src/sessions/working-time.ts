// When a person may work: hours and days of the user form, in the company's time zone (spec 1 §6). Administrators always may.
import { minutesOf, type Profile, wallClockAt, weekdayOf } from '@balcao/contract'

export interface WorkingTime {
  readonly profile: Profile
  readonly startTime: string
  readonly endTime: string
  readonly weekdays: boolean
  readonly saturday: boolean
  readonly sunday: boolean
}

/**
 * Whether a person may work at an instant. Hours that end before they begin go over midnight and belong to the day they began.
 * @example mayWork(bruna, 'America/Sao_Paulo', new Date('2026-11-21T12:00:00Z'))
 */
export function mayWork(user: WorkingTime, timezone: string, now: Date): boolean {
  if (user.profile === 'admin') return true
  const clock = wallClockAt(now, timezone)
  const day = weekdayOf(clock)
  const minutes = clock.hour * 60 + clock.minute
  const start = minutesOf(user.startTime)
  const end = minutesOf(user.endTime)
  if (start <= end) return works(user, day) && minutes >= start && minutes <= end
  return minutes >= start ? works(user, day) : minutes <= end && works(user, (day + 6) % 7)
}

function works(user: WorkingTime, day: number): boolean {
  if (day === 0) return user.sunday
  return day === 6 ? user.saturday : user.weekdays
}
