// What a scheduled send's table says of it (spec 3 §2, §4). Pure.
import { type Schedule, type ScheduleLogRow, truncateText } from '@balcao/contract'
import { formatDate, formatTime, type Texts } from '@balcao/ui/i18n'

type ScheduleTiming = Pick<
  Schedule,
  'recurrence' | 'RValue' | 'sendAt' | 'enviado' | 'enviados' | 'total' | 'nextRunAt' | 'state' | 'stateReason'
>

/** The recurrence value as its type shows it: a time, a weekday, 'Dia N', the four months, whether it was sent. */
export function describeRhythm(schedule: ScheduleTiming, t: Texts): string {
  const { recurrence, RValue, sendAt, enviado, enviados, total, state } = schedule
  switch (recurrence) {
    case 'every_day':
      return sendAt
    case 'every_week':
      return t(`day.${RValue}`)
    case 'every_month':
      return t('value.day', { day: RValue })
    case 'business_day':
      return t('value.nth', { nth: RValue })
    case 'quarterly':
      return formatQuarterMonths(RValue, t)
    case 'once':
      if (RValue !== '1' && !enviado) return t('value.waiting')
      if (state === 'stopped' && enviados === 0) return describeScheduleState(schedule, t)
      return t(enviados === total ? 'value.sent' : 'value.sending')
    case 'last_day_of_month':
      return RValue === '1' ? t('value.sent') : ''
  }
}

/** The month behind the slash, and those three, six and nine months later. */
function formatQuarterMonths(RValue: string, t: Texts): string {
  const first = Number(RValue.split('/')[1])
  if (!(first >= 1 && first <= 12)) return RValue
  return [0, 3, 6, 9].map(ahead => t(`month.${((first - 1 + ahead) % 12) + 1}`)).join(', ')
}

/** How it stands; where its connection was deleted, or its program may send no more, it says that: no run goes out. */
export function describeScheduleState(
  { state, stateReason }: Pick<Schedule, 'state' | 'stateReason'>,
  t: Texts,
): string {
  if (stateReason === 'token_ended') return t('state.tokenEnded')
  return stateReason === 'connection_deleted' ? t('state.lost') : t(`state.${state}`)
}

/** The time of day it goes out at. */
export function formatScheduleTime({ recurrence, sendAt }: ScheduleTiming): string {
  return recurrence === 'once' ? formatTime(sendAt) : sendAt
}

/** How often and when, in one line; what both say of it stands there once. */
export function describeTiming(schedule: ScheduleTiming, t: Texts): string {
  const parts = [t(`every.${schedule.recurrence}`), describeRhythm(schedule, t), formatScheduleTime(schedule)]
  return [...new Set(parts.filter(part => part !== ''))].join(' · ')
}

/** The day it goes out next; of one that went out once, that day. */
export function formatNextDay({ recurrence, sendAt, nextRunAt }: ScheduleTiming): string {
  const day = nextRunAt ?? (recurrence === 'once' ? sendAt : null)
  return day === null ? '' : formatDate(day)
}

/** `23/11/26 09:26:05`, as the logs show it (spec 3 §2), by the company's clock. */
export function formatLogStamp({ createdAt }: Pick<ScheduleLogRow, 'createdAt'>): string {
  const date = formatDate(createdAt)
  // Time zones differ by whole minutes.
  return `${date.slice(0, 6)}${date.slice(8)} ${formatTime(createdAt)}:${createdAt.slice(17, 19)}`
}

export function formatScheduleName({ title, message }: Pick<Schedule, 'title' | 'message'>): string {
  return title || truncateText(message.replace(/\s+/g, ' '), 60)
}
