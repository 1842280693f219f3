// What a scheduled send must look like and when it goes out: the rules of form and server alike (spec 1 §5 "Schedule dialog", spec 3 §5).

import { countDaysInMonth, getWeekday, toInstant, toWallClock, type WallClock } from '../calendar/zoned-time.ts'
import type { Kind } from '../connections/kind-names.ts'
import type { FaultCode } from '../kit/app-error.ts'
import { findLengthFault, type LengthExcess, type OutgoingContent, validateOutgoing } from '../sends/outgoing-rules.ts'
import { RECURRENCES, type Recurrence, WEEKDAYS } from './schedule.ts'

/** When a send goes out, as in the entity: `sendAt` an instant for `once`, `HH:mm` for the others. */
export interface Rhythm {
  readonly recurrence: string
  readonly RValue: string
  readonly sendAt: string
}

/** What a person fills in. */
export interface ScheduleForm extends Rhythm, Omit<OutgoingContent, 'text'> {
  readonly message: string
  readonly allContacts: boolean
  readonly contactsIds: readonly number[]
  readonly tagsIds: readonly number[]
}

export type ScheduleProblem = FaultCode<'send'>

export interface ScheduleFault {
  readonly path: 'message' | 'recurrence' | 'RValue' | 'sendAt' | 'contactsIds' | 'template'
  readonly code: ScheduleProblem
  readonly params?: LengthExcess
}

/** Types of files that mass and scheduled sends may carry, by content: those that every kind of connection takes. */
export const SCHEDULE_MIMES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'application/pdf',
  'text/plain',
  'video/mp4',
]

/** Whether a send may carry a file of this type, as far as a browser knows; what it does not know the server decides. */
export function canCarryFileType(type: string): boolean {
  return type === '' || SCHEDULE_MIMES.includes(type)
}

const MESSAGE_LENGTH = [5, 4096] as const
const SECONDS_EACH = 15
/** A send is due within this many days, whatever its rhythm. */
const HORIZON_DAYS = 400

/**
 * What is wrong with a form, at most one thing a field; empty when it may be saved.
 * @param kind of the connection it goes by; undefined where none is there
 */
export function validateSchedule(
  form: ScheduleForm,
  now: Date,
  timezone: string,
  kind: Kind | undefined,
): ScheduleFault[] {
  const faults: ScheduleFault[] = []
  const { text, template } = validateOutgoing({ ...form, text: form.message }, kind)
  const message = findMessageFault(form.message.trim()) ?? text
  if (message) faults.push({ path: 'message', ...message })
  if (template) faults.push({ path: 'template', code: template })
  if (!form.allContacts && form.contactsIds.length === 0 && form.tagsIds.length === 0)
    faults.push({ path: 'contactsIds', code: 'recipientRequired' })
  const recurrence = parseRecurrence(form.recurrence)
  if (!recurrence) return [...faults, { path: 'recurrence', code: 'recurrenceRequired' }]
  const time = findTimeFault(form, recurrence, now, timezone)
  if (time) faults.push({ path: 'sendAt', code: time })
  const value = findValueFault(form.RValue, recurrence)
  if (value) faults.push({ path: 'RValue', code: value })
  return faults
}

function findMessageFault(message: string): Pick<ScheduleFault, 'code' | 'params'> | null {
  if (message.length < MESSAGE_LENGTH[0]) return { code: 'messageShort' }
  return findLengthFault(message, MESSAGE_LENGTH[1])
}

function findTimeFault(form: Rhythm, recurrence: Recurrence, now: Date, timezone: string): ScheduleProblem | null {
  if (form.sendAt.trim() === '') return 'sendAtRequired'
  if (recurrence !== 'once') return parseTimeOfDay(form.sendAt) ? null : 'sendAtInvalid'
  const instant = parseOnceInstant(form, timezone)
  if (!instant) return 'onceInvalid'
  // Clocks in forms show minutes: the minute that runs has not passed.
  return instant.getTime() < Math.floor(now.getTime() / 60_000) * 60_000 ? 'oncePast' : null
}

function findValueFault(value: string, recurrence: Recurrence): ScheduleProblem | null {
  switch (recurrence) {
    case 'every_day':
    case 'once':
    case 'last_day_of_month':
      return null
    case 'every_week':
      if (value === '') return 'valueRequired'
      return WEEKDAYS.some(day => day === value) ? null : 'weekdayInvalid'
    case 'every_month':
      if (value === '') return 'valueRequired'
      return /^(0[1-9]|[12]\d|3[01])$/.test(value) ? null : 'dayInvalid'
    case 'quarterly':
      if (value === '') return 'valueRequired'
      return (parseQuarter(value)?.day ?? 99) <= (value.endsWith('/02') ? 29 : 28) ? null : 'quarterInvalid'
    case 'business_day':
      if (value === '') return 'valueRequired'
      return /^([1-9]|1\d|2[0-3])$/.test(value) ? null : 'businessDayInvalid'
  }
}

/**
 * When a send goes out next after an instant, by the clocks of the company's time zone; null when it never does again.
 * A day that a month lacks is its last one.
 * @param worksOn whether the company works on a day (`getCalendar(settings).worksOn`); only `business_day` asks
 */
export function findNextRun(
  rhythm: Rhythm,
  after: Date,
  timezone: string,
  worksOn: WorkdayTest = day => getWeekday(day) > 0 && getWeekday(day) < 6,
): Date | null {
  const recurrence = parseRecurrence(rhythm.recurrence)
  if (!recurrence) return null
  if (recurrence === 'once') {
    const instant = parseOnceInstant(rhythm, timezone)
    return instant && instant > after ? instant : null
  }
  const time = parseTimeOfDay(rhythm.sendAt)
  // What an older version took for a quarter goes on.
  if (!time || (recurrence !== 'quarterly' && findValueFault(rhythm.RValue, recurrence))) return null
  const today = toWallClock(after, timezone)
  for (let ahead = 0; ahead <= HORIZON_DAYS; ahead++) {
    const day = { ...addDays(today, ahead), ...time }
    if (!isRunDay(recurrence, rhythm.RValue, day, worksOn)) continue
    const instant = toInstant(day, timezone)
    if (instant > after) return instant
  }
  return null
}

type WorkdayTest = (day: Pick<WallClock, 'year' | 'month' | 'day'>) => boolean

function isRunDay(
  recurrence: Exclude<Recurrence, 'once'>,
  value: string,
  day: WallClock,
  worksOn: WorkdayTest,
): boolean {
  const last = countDaysInMonth(day.year, day.month)
  switch (recurrence) {
    case 'every_day':
      return true
    case 'every_week':
      return WEEKDAYS[getWeekday(day)] === value
    case 'every_month':
      return day.day === Math.min(Number(value), last)
    case 'quarterly': {
      const start = parseQuarter(value)
      return start !== null && (day.month - start.month + 12) % 3 === 0 && day.day === Math.min(start.day, last)
    }
    case 'business_day':
      return day.day === findBusinessDay(day, Number(value), worksOn)
    case 'last_day_of_month':
      return day.day === last
  }
}

/** The day of the month that is its nth working day; the last one where the month has fewer. */
function findBusinessDay({ year, month }: WallClock, nth: number, worksOn: WorkdayTest): number | null {
  let found: number | null = null
  let count = 0
  for (let day = 1; day <= countDaysInMonth(year, month) && count < nth; day++) {
    if (!worksOn({ year, month, day })) continue
    count += 1
    found = day
  }
  return found
}

/**
 * The instant of a send that goes out once. `sendAt` holds it whole, as an instant or as a wall clock (`2026-11-22T09:00`);
 * or `sendAt` is a time of day and `RValue` the date (`2026-11-22` or `22/11/2026`).
 */
export function parseOnceInstant({ sendAt, RValue }: Rhythm, timezone: string): Date | null {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(sendAt)) {
    const instant = new Date(sendAt)
    return Number.isNaN(instant.getTime()) ? null : instant
  }
  const [date, clock] = sendAt.includes('T') ? sendAt.split('T') : [RValue, sendAt]
  const time = parseTimeOfDay(clock?.slice(0, 5) ?? '')
  const day = parseDate(date ?? '')
  return time && day ? toInstant({ ...day, ...time }, timezone) : null
}

/** A time of day written `HH:mm`, or null. */
export function parseTimeOfDay(text: string): { hour: number; minute: number } | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return found && { hour: Number(found[1]), minute: Number(found[2]) }
}

/** How long a send to so many takes: 15 s each, told in minutes from 4 contacts. */
export function estimateSendDuration(count: number): { readonly unit: 'seconds' | 'minutes'; readonly value: number } {
  const seconds = count * SECONDS_EACH
  return count < 4 ? { unit: 'seconds', value: seconds } : { unit: 'minutes', value: Math.ceil(seconds / 60) }
}

/** A recurrence by its name, or null. */
export function parseRecurrence(text: string): Recurrence | null {
  return RECURRENCES.find(each => each === text) ?? null
}

/** Day and first month of `dd/mm`. */
function parseQuarter(value: string): { day: number; month: number } | null {
  const found = /^(\d\d)\/(\d\d)$/.exec(value)
  if (!found) return null
  const [day, month] = [Number(found[1]), Number(found[2])]
  return month >= 1 && month <= 12 && day >= 1 && day <= countDaysInMonth(2028, month) ? { day, month } : null
}

function parseDate(text: string): Pick<WallClock, 'year' | 'month' | 'day'> | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  const spoken = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text)
  const [year, month, day] = iso ? iso.slice(1).map(Number) : spoken ? spoken.slice(1).reverse().map(Number) : []
  if (!year || !month || !day || month > 12 || day > countDaysInMonth(year, month)) return null
  return { year, month, day }
}

function addDays({ year, month, day }: WallClock, ahead: number): Pick<WallClock, 'year' | 'month' | 'day'> {
  const date = new Date(Date.UTC(year, month - 1, day + ahead))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
