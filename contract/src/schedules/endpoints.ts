import type { Endpoint } from '../kit/endpoint.ts'
import { Cursor, Files, Id, page, Type } from '../kit/schema.ts'
import { Recurrence, Schedule, ScheduleLog, ScheduleLogRow } from './schedule.ts'

/** Ids joined with commas, as the specification sends them: `3,17`. */
const Ids = Type.Optional(Type.String({ pattern: '^[0-9, ]*$', maxLength: 20_000 }))

/** The fields of the form, each a text; ids joined with commas, flags as `true`. `log` is accepted for compatibility. */
const ScheduleForm = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 255 })),
  message: Type.String(),
  recurrence: Recurrence,
  sendAt: Type.String({ description: 'an instant for `once`, HH:mm for everything else' }),
  RValue: Type.Optional(Type.String()),
  allContacts: Type.Optional(Type.String()),
  contactsIds: Type.Optional(Type.String()),
  tagsIds: Type.Optional(Type.String()),
  whatsappId: Type.Optional(Type.String()),
  /** `true`: a recurring one goes out at once as well. */
  firstSend: Type.Optional(Type.String()),
  onlyWorkingHours: Type.Optional(Type.String()),
  /** As JSON: over the official API it goes to those outside the window. Empty: none any more. */
  template: Type.Optional(Type.String()),
  log: Type.Optional(Type.String()),
  medias: Type.Optional(Files),
})

/** Calls of scheduled sends (spec 1 §7, spec 3 §7); all of them are refused while `allowAgendador` is off. */
export const scheduleEndpoints = {
  'GET /agendamento': {
    scope: 'send',
    summary: 'Scheduled sends one may see, newest first; searchParam looks into title and message',
    query: Type.Object({
      searchParam: Type.Optional(Type.String({ maxLength: 200 })),
      recurrence: Type.Optional(Recurrence),
      contactId: Type.Optional(Id),
      cursor: Cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    answer: Type.Object({
      agendamentos: Type.Array(Schedule),
      ...page,
    }),
  },
  'GET /agendamento/count': {
    summary: 'How many contacts a send would go to',
    query: Type.Object({ allContacts: Type.Optional(Type.String({ maxLength: 5 })), contactsIds: Ids, tagsIds: Ids }),
    answer: Type.Object({ count: Type.Integer() }),
  },
  'GET /agendamento/logs/ticket/:ticketId': {
    summary: 'What scheduled sends did in the conversation a ticket belongs to, newest first',
    errors: ['ERR_NO_TICKET_FOUND'],
    answer: Type.Array(ScheduleLog),
  },
  'GET /agendamento/logs/:id': {
    summary: 'What the runs of a scheduled send did, contact by contact, newest first; runId: of one run alone',
    errors: ['ERR_NO_SCHEDULE_FOUND'],
    query: Type.Object({
      runId: Type.Optional(Id),
      cursor: Cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    answer: Type.Object({ logs: Type.Array(ScheduleLogRow), ...page }),
  },
  'GET /agendamento/:id': {
    scope: 'send',
    summary: 'One scheduled send',
    errors: ['ERR_NO_SCHEDULE_FOUND'],
    answer: Schedule,
  },
  'POST /agendamento': {
    scope: 'send',
    summary:
      'Schedule a send (multipart: title, message, recurrence, sendAt, RValue, allContacts, contactsIds, whatsappId, tagsIds, firstSend, medias)',
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_FILE_FOUND', 'ERR_FILE_TYPE', 'ERR_NO_SPACE', 'ERR_FILE_TOO_LARGE'],
    bodyKind: 'multipart',
    /** The same `clientId` again gives the same scheduled send, with what is written by now. */
    form: Type.Object({ ...ScheduleForm.properties, clientId: Type.Optional(Type.String()) }),
    answer: Schedule,
    status: 201,
  },
  'PUT /agendamento/:id': {
    summary: 'Change a scheduled send (multipart; what is not given stays)',
    errors: [
      'ERR_NO_SCHEDULE_FOUND',
      'ERR_CHANGED_MEANWHILE',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_FILE_FOUND',
      'ERR_FILE_TYPE',
      'ERR_NO_SPACE',
      'ERR_FILE_TOO_LARGE',
    ],
    bodyKind: 'multipart',
    form: Type.Partial(Type.Object({ ...ScheduleForm.properties, version: Type.String() })),
    answer: Schedule,
  },
  'PUT /agendamento/:id/pause': defineScheduleCall('Pause a scheduled send: its run stands still, and none begins'),
  'PUT /agendamento/:id/resume': defineScheduleCall(
    'Go on with a scheduled send; runs that were missed meanwhile are not made up',
  ),
  'PUT /agendamento/:id/cancel': defineScheduleCall(
    'End a scheduled send: its run ends, and none begins until somebody saves it again',
  ),
  'DELETE /agendamento/file/:id': {
    summary: 'Remove the file of a scheduled send',
    errors: ['ERR_NO_SCHEDULE_FOUND'],
    status: 204,
  },
  'DELETE /agendamento/:id': {
    scope: 'send',
    summary: 'Delete a scheduled send',
    errors: ['ERR_NO_SCHEDULE_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>

/** What one may do with a scheduled send that is not over. */
function defineScheduleCall(summary: string) {
  return {
    scope: 'send',
    summary,
    errors: ['ERR_NO_SCHEDULE_FOUND', 'ERR_INVALID_TRANSITION'],
    answer: Schedule,
  } as const
}
