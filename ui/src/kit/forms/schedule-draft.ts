// What the dialog of a scheduled send holds, and what goes to the server of it. Pure.
import {
  type ConnectionBrief,
  formatIsoDay,
  formatTimeOfDay,
  RECURRENCES,
  type Recurrence,
  type Schedule,
  type ScheduleFault,
  type ScheduleForm,
  type Ticket,
  toWallClock,
  type WallClock,
} from '@balcao/contract'
import type { TemplateInput } from './template-input.ts'

/** Whom it goes to: the contact of the conversation, chosen contacts, tags, or all. */
export type ScheduleAudience = 'contact' | 'contacts' | 'tags' | 'all'

/** The contact it is scheduled for, as a ticket tells of it. */
export type ScheduleContact = Pick<Ticket, 'contactId' | 'contact' | 'isGroup' | 'whatsappId'>

export interface Recipient {
  readonly id: number
  readonly name: string
}

export interface ScheduleDraft {
  readonly title: string
  readonly message: string
  readonly recurrence: Recurrence
  /** `2026-11-21`, for once. */
  readonly date: string
  /** `09:31`, by the company's clocks. */
  readonly time: string
  readonly weekday: string
  readonly day: string
  readonly quarter: string
  /** Which working day of the month. */
  readonly nth: string
  readonly audience: ScheduleAudience
  readonly contacts: readonly Recipient[]
  readonly tagIds: readonly number[]
  /** Null: the default one. */
  readonly whatsappId: number | null
  /** Goes out at once as well as in its rhythm. */
  readonly firstSend: boolean
  readonly onlyWorkingHours: boolean
  readonly file: File | null
  /** Of the official API; undefined: as it was kept. */
  readonly template: TemplateInput | null | undefined
}

/** The recurrences offered beside a conversation (spec 1 §5), and on the page of scheduled sends (spec 3 §3). */
export const BESIDE_CONVERSATION: readonly Recurrence[] = [
  'once',
  'every_day',
  'every_week',
  'every_month',
  'quarterly',
]
export const ON_PAGE: readonly Recurrence[] = RECURRENCES

const AHEAD_MS = 5 * 60_000

/** A new one, five minutes ahead; for a contact where it is about one. */
export function createDraft(about: ScheduleContact | null, now: Date, timezone: string): ScheduleDraft {
  const clock = toWallClock(new Date(now.getTime() + AHEAD_MS), timezone)
  return {
    title: '',
    message: '',
    recurrence: 'once',
    ...toClockFields(clock),
    audience: about ? 'contact' : 'tags',
    contacts: [],
    tagIds: [],
    whatsappId: about?.whatsappId ?? null,
    firstSend: false,
    onlyWorkingHours: false,
    file: null,
    template: null,
  }
}

/** When one that goes out once does; where that is not clear, it has no day. */
export function toOnceFields(at: Date | null, timezone: string): Partial<ScheduleDraft> {
  if (!at) return { date: '' }
  const clock = toWallClock(at, timezone)
  return { date: formatIsoDay(clock), time: formatTimeOfDay(clock) }
}

/** One that is there, to be changed from where its contact is shown. */
export function toDraft(schedule: Schedule, about: ScheduleContact | null, now: Date, timezone: string): ScheduleDraft {
  const once = schedule.recurrence === 'once'
  const clock = toWallClock(once ? new Date(schedule.sendAt) : now, timezone)
  const { recurrence, RValue } = schedule
  const own = schedule.contacts.length === 1 && schedule.contacts[0]?.id === about?.contactId
  return {
    title: schedule.title,
    message: schedule.message,
    recurrence,
    ...toClockFields(clock),
    ...(once ? {} : { time: schedule.sendAt }),
    ...(recurrence === 'every_week' ? { weekday: RValue } : {}),
    ...(recurrence === 'every_month' ? { day: RValue } : {}),
    ...(recurrence === 'quarterly' ? { quarter: RValue } : {}),
    ...(recurrence === 'business_day' ? { nth: RValue } : {}),
    audience: schedule.allContacts ? 'all' : schedule.tags.length > 0 ? 'tags' : own ? 'contact' : 'contacts',
    contacts: own ? [] : schedule.contacts,
    tagIds: schedule.tags.map(tag => tag.id),
    whatsappId: schedule.whatsappId ?? about?.whatsappId ?? null,
    firstSend: schedule.firstSend,
    onlyWorkingHours: schedule.onlyWorkingHours,
    file: null,
    template: undefined,
  }
}

/** What of a kept one is not in its draft. */
type StoredSchedule = Pick<Schedule, 'mediaUrl' | 'template'>

/** What the rules look at. `kept`: the one that is changed. */
export function toScheduleForm(
  draft: ScheduleDraft,
  contactId: number | null,
  stored: StoredSchedule | null = null,
): ScheduleForm {
  const { audience } = draft
  const template = draft.template === undefined ? stored?.template : draft.template
  return {
    message: draft.message,
    recurrence: draft.recurrence,
    RValue: toRecurrenceValue(draft),
    sendAt: draft.recurrence === 'once' ? (draft.date && draft.time ? `${draft.date}T${draft.time}` : '') : draft.time,
    allContacts: audience === 'all',
    contactsIds:
      audience === 'contact' && contactId !== null
        ? [contactId]
        : audience === 'contacts'
          ? draft.contacts.map(contact => contact.id)
          : [],
    tagsIds: audience === 'tags' ? draft.tagIds : [],
    hasFile: draft.file !== null || (stored?.mediaUrl ?? null) !== null,
    hasTemplate: (template ?? null) !== null,
  }
}

type Connections<C extends ConnectionChoice = ConnectionChoice> = readonly C[] | null | undefined
type ConnectionChoice = Pick<ConnectionBrief, 'id' | 'isDefault'>

/** The one it goes by, of those there are. */
export function findConnection<C extends ConnectionChoice>(
  { whatsappId }: ScheduleDraft,
  all: Connections<C>,
): C | undefined {
  return all?.find(one => (whatsappId === null ? one.isDefault : one.id === whatsappId))
}

/** Of one alone nothing is said. */
export function hasSeveralConnections(all: Connections): boolean {
  return (all?.length ?? 0) > 1
}

/** Where a fault stands: the recurrence value is a field of each kind's own. */
export function getFaultField(
  path: ScheduleFault['path'],
  { recurrence }: ScheduleDraft,
): Extract<keyof ScheduleDraft, string> {
  switch (path) {
    case 'contactsIds':
      return 'audience'
    case 'sendAt':
      return recurrence === 'once' ? 'date' : 'time'
    case 'RValue':
      return VALUE_FIELDS[recurrence] ?? 'recurrence'
    default:
      return path
  }
}

/** What each field is called: a text of the forms. */
export const LABELS: Readonly<Record<keyof ScheduleDraft, string>> = {
  title: 'schedule.name',
  message: 'schedule.message',
  recurrence: 'schedule.recurrence',
  date: 'schedule.date',
  time: 'schedule.time',
  weekday: 'schedule.weekday',
  day: 'schedule.monthDay',
  quarter: 'schedule.quarter',
  nth: 'schedule.nth',
  audience: 'schedule.to',
  contacts: 'schedule.contacts',
  tagIds: 'schedule.tags',
  whatsappId: 'schedule.connection',
  firstSend: 'schedule.firstSend',
  onlyWorkingHours: 'schedule.onlyWorkingHours',
  file: 'schedule.file',
  template: 'template.label',
}

const VALUE_FIELDS: Partial<Record<Recurrence, 'weekday' | 'day' | 'quarter' | 'nth'>> = {
  every_week: 'weekday',
  every_month: 'day',
  quarterly: 'quarter',
  business_day: 'nth',
}

/** The same as the server takes it (spec 1 §7). `known`: the name of a new one, or which version was changed. */
export function toScheduleFormData(
  draft: ScheduleDraft,
  contactId: number | null,
  known: {
    readonly clientId?: string
    readonly version?: number | undefined
    readonly connections?: Connections
  } = {},
): FormData {
  const form = toScheduleForm(draft, contactId)
  // A new one goes by the connection that is shown; one that is changed goes on by the default one, whichever that is.
  const shown =
    known.clientId === undefined || !hasSeveralConnections(known.connections)
      ? undefined
      : findConnection(draft, known.connections)
  const whatsappId = shown?.id ?? draft.whatsappId
  const body = new FormData()
  body.append('title', draft.title.trim())
  body.append('message', form.message.trim())
  body.append('recurrence', form.recurrence)
  body.append('RValue', form.RValue)
  body.append('sendAt', form.sendAt)
  body.append('allContacts', String(form.allContacts))
  body.append('contactsIds', form.contactsIds.join(','))
  body.append('tagsIds', form.tagsIds.join(','))
  if (whatsappId !== null) body.append('whatsappId', String(whatsappId))
  body.append('firstSend', String(draft.firstSend && draft.recurrence !== 'once'))
  body.append('onlyWorkingHours', String(draft.onlyWorkingHours))
  // Empty words take away what was kept; of what is not said it stays.
  if (draft.template !== undefined) body.append('template', draft.template ? JSON.stringify(draft.template.chosen) : '')
  if (draft.file) body.append('medias', draft.file)
  if (known.clientId !== undefined) body.append('clientId', known.clientId)
  if (known.version !== undefined) body.append('version', String(known.version))
  return body
}

function toRecurrenceValue({ recurrence, weekday, day, quarter, nth }: ScheduleDraft): string {
  switch (recurrence) {
    case 'once':
      return '0'
    case 'every_week':
      return weekday
    case 'every_month':
      return day
    case 'quarterly':
      return quarter
    case 'business_day':
      return nth
    default:
      return ''
  }
}

function toClockFields(clock: WallClock) {
  return {
    date: formatIsoDay(clock),
    time: formatTimeOfDay(clock),
    weekday: '',
    day: '',
    quarter: '',
    nth: '',
  }
}
