import { NamedContact } from '../contacts/contact.ts'
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { AttachedFile } from '../messages/attached-file.ts'
import { RecipientState, SendReason, SendState } from '../sends/mass-send.ts'
import { Tag } from '../tags/tag.ts'
import { ChosenTemplate } from '../templates/template.ts'
import { UserBrief } from '../users/user.ts'

/** How often a scheduled send goes out (spec 3 §3). */
export const RECURRENCES = [
  'once',
  'every_day',
  'every_week',
  'every_month',
  'quarterly',
  'business_day',
  'last_day_of_month',
] as const
export const Recurrence = StringEnum(RECURRENCES)
export type Recurrence = Static<typeof Recurrence>

/** Days as the recurrence value of `every_week` names them; from Sunday, as clocks count. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/**
 * A scheduled send (spec 3 §3). `sendAt` is an instant for `once` and the company's time of day, `HH:mm`, for everything else.
 * `RValue` is `0` or `1` (sent) for `once` and `last_day_of_month`. `contactsIds` and `tagsIds` are joined with commas.
 * `nextRunAt` is when it goes out next, null when nothing is due any more.
 */
export const Schedule = Type.Object({
  id: Id,
  title: Type.String(),
  message: Type.String(),
  recurrence: Recurrence,
  RValue: Type.String(),
  sendAt: Type.String(),
  nextRunAt: Nullable(Type.String()),
  enviado: Type.Boolean(),
  enviados: Type.Integer(),
  total: Type.Integer(),
  allContacts: Type.Boolean(),
  contactsIds: Type.String(),
  tagsIds: Type.String(),
  contacts: Type.Array(NamedContact),
  tags: Type.Array(Tag),
  whatsappId: Nullable(Id),
  whatsapp: Nullable(Type.Object({ id: Id, name: Type.String() })),
  ...AttachedFile.properties,
  template: Nullable(ChosenTemplate),
  firstSend: Type.Boolean(),
  onlyWorkingHours: Type.Boolean(),
  /** Of the run that goes on or was the last; `waiting` for the next one, unless somebody paused or cancelled it. */
  state: SendState,
  stateReason: Nullable(SendReason),
  stateUser: Nullable(UserBrief),
  /** The run `enviados` and `total` are of: a send of its own (`GET /envioMassa/:id`), null before the first. */
  run: Nullable(Type.Object({ id: Id, state: SendState, dueAt: Instant })),
  userId: Nullable(Id),
  program: Nullable(
    Type.Object({ id: Id, name: Type.String() }, { description: 'the token that made it, as it was called' }),
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  version: Type.Integer(),
})
export type Schedule = Static<typeof Schedule>

/** What became of a scheduled send in one conversation (spec 1 §3 "Scheduling log", spec 3 §3). */
export const ScheduleLog = Type.Object({
  id: Id,
  body: Type.String(),
  wasSend: Type.Boolean(),
  createdAt: Type.String(),
  agendamento: Type.Object({ id: Id, title: Type.String(), message: Type.String() }),
})
export type ScheduleLog = Static<typeof ScheduleLog>

/** One contact of a run, with the ticks of its message (spec 3 §3 "Schedule log"). `reason`: why it was left out or failed. */
export const ScheduleLogRow = Type.Object({
  id: Id,
  contact: NamedContact,
  body: Type.String(),
  wasSend: Type.Boolean(),
  state: RecipientState,
  reason: Nullable(Type.String()),
  messageId: Nullable(Id),
  runId: Id,
  createdAt: Instant,
})
export type ScheduleLogRow = Static<typeof ScheduleLogRow>
