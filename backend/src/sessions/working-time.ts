// When a person may work: hours and days of the user form, in the company's time zone (spec 1 §6). Administrators always may.
import type { Profile } from '@balcao/contract'

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
  const { day, minutes } = localTime(timezone, now)
  const start = minutesOf(user.startTime)
  const end = minutesOf(user.endTime)
  if (start <= end) return works(user, day) && minutes >= start && minutes <= end
  return minutes >= start ? works(user, day) : minutes <= end && works(user, (day + 6) % 7)
}

function works(user: WorkingTime, day: number): boolean {
  if (day === 0) return user.sunday
  return day === 6 ? user.saturday : user.weekdays
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function localTime(timezone: string, now: Date): { day: number; minutes: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find(each => each.type === type)?.value ?? ''
  return { day: DAYS.indexOf(part('weekday')), minutes: Number(part('hour')) * 60 + Number(part('minute')) }
}

function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
