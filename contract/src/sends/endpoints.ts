import { JobReference, SheetLanguage } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { Cursor, Files, Id, IgnoredLog, page, StringEnum, Type } from '../kit/schema.ts'
import { ChosenTemplate } from '../templates/template.ts'
import { ExcludedRecipient, MassSend, MassSendDetail, RecipientState, SendPreview, SendRecipient } from './mass-send.ts'

/** Ids joined with commas, as the specification sends them: `3,17`. */
const Ids = Type.Optional(Type.String({ maxLength: 20_000 }))
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }))

/** What a send says, to whom, and how (spec 3 §7). Over the official API `template` goes to those outside the window. */
export const MassSendBody = Type.Object({
  mensagem: Type.String({ maxLength: 65_536 }),
  allContacts: Type.Optional(Type.Boolean()),
  contactsIds: Ids,
  tagsIds: Ids,
  /** Left out: the default connection. */
  whatsappId: Type.Optional(Id),
  template: Type.Optional(ChosenTemplate),
  onlyWorkingHours: Type.Optional(Type.Boolean()),
  /** Leaves out who never wrote. */
  onlyWhoWrote: Type.Optional(Type.Boolean()),
  /** The same again gives the same send. */
  clientId: Type.Optional(Type.String({ maxLength: 100 })),
  log: IgnoredLog,
})

/** The same as a form, each field a text; `template` as JSON. */
const MassSendForm = Type.Object({
  mensagem: Type.String(),
  allContacts: Type.Optional(Type.String()),
  contactsIds: Type.Optional(Type.String()),
  tagsIds: Type.Optional(Type.String()),
  whatsappId: Type.Optional(Type.String()),
  template: Type.Optional(Type.String()),
  onlyWorkingHours: Type.Optional(Type.String()),
  onlyWhoWrote: Type.Optional(Type.String()),
  clientId: Type.Optional(Type.String()),
  log: Type.Optional(Type.String()),
  medias: Type.Optional(Files),
})

const MISSING = ['ERR_NO_SEND_FOUND'] as const
const FILE = ['ERR_NO_FILE_FOUND', 'ERR_FILE_TYPE', 'ERR_NO_SPACE', 'ERR_FILE_TOO_LARGE'] as const
/** Whom a test goes to: a phone of one's own, with country and area code. */
const TEST_TO = Type.String({ maxLength: 50 })

/** Calls of mass sends (spec 3 §7, decisions §15): managers and administrators; a run of a scheduled send answers who may see that. */
export const massSendEndpoints = {
  'GET /envioMassa': {
    summary: 'Mass sends, newest first',
    query: Type.Object({
      /** `active` go on or wait, `stopped` stand still (paused, or by themselves), `ended` are over. */
      show: Type.Optional(StringEnum(['active', 'stopped', 'ended'])),
      cursor: Cursor,
      limit: Limit,
    }),
    answer: Type.Object({
      envios: Type.Array(MassSend),
      counts: Type.Object({
        all: Type.Integer(),
        active: Type.Integer(),
        stopped: Type.Integer(),
        ended: Type.Integer(),
      }),
      ...page,
    }),
  },
  'POST /envioMassa': {
    summary: 'Begin a mass send (JSON, or multipart with a file as medias)',
    errors: ['ERR_NO_WAPP_FOUND', ...FILE],
    bodyKind: 'multipart',
    body: MassSendBody,
    form: MassSendForm,
    answer: MassSend,
    status: 201,
  },
  'POST /envioMassa/preview': {
    summary:
      'What a send would come to: how many, who is left out and why, its risk, and when it ends; nothing is stored',
    errors: ['ERR_NO_WAPP_FOUND'],
    body: MassSendBody,
    answer: SendPreview,
  },
  'POST /envioMassa/preview/excluded': {
    summary: 'Whom a send would leave out, each with the reason, by their ids; nothing is stored',
    errors: ['ERR_NO_WAPP_FOUND'],
    query: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 50 })), cursor: Cursor, limit: Limit }),
    body: MassSendBody,
    answer: Type.Object({ contacts: Type.Array(ExcludedRecipient), ...page }),
  },
  'POST /envioMassa/test': {
    summary:
      'Say it to one phone alone, now: how it arrives; no send begins (JSON, or multipart as POST /envioMassa); the same under the same clientId goes out once',
    errors: [
      'ERR_NO_WAPP_FOUND',
      'ERR_WAPP_INVALID_CONTACT',
      'ERR_WAPP_NOT_INITIALIZED',
      'ERR_WINDOW_CLOSED',
      'ERR_TEXT_TOO_LONG',
      'ERR_CREATING_MESSAGE',
      'ERR_TOO_MANY_ATTEMPTS',
      ...FILE,
    ],
    bodyKind: 'multipart',
    body: Type.Object({ ...MassSendBody.properties, number: TEST_TO }),
    form: Type.Object({ ...MassSendForm.properties, number: TEST_TO }),
    /** The number as WhatsApp knows it. */
    answer: Type.Object({ number: Type.String() }),
    status: 201,
  },
  'GET /envioMassa/:id': {
    summary: 'One send with its numbers',
    errors: MISSING,
    answer: MassSendDetail,
  },
  'PUT /envioMassa/:id': {
    summary: 'Change what a send still says to those who wait, and whether it keeps to working hours',
    errors: [...MISSING, 'ERR_INVALID_TRANSITION', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      mensagem: Type.Optional(Type.String({ maxLength: 65_536 })),
      onlyWorkingHours: Type.Optional(Type.Boolean()),
      version: Type.Optional(Type.Integer({ minimum: 0 })),
      log: IgnoredLog,
    }),
    answer: MassSend,
  },
  'PUT /envioMassa/:id/pause': defineSendCall('Pause a send: nobody else gets it until somebody resumes it'),
  'PUT /envioMassa/:id/resume': defineSendCall(
    'Go on with a send that was paused or stopped by itself; what went out or failed is not repeated',
  ),
  'PUT /envioMassa/:id/cancel': defineSendCall('End a send: who has not got it gets nothing'),
  'POST /envioMassa/:id/recipients/export': {
    summary:
      'Begin a sheet of everybody a send is for, with what became of each (.xlsx); for managers and administrators',
    errors: MISSING,
    body: Type.Optional(Type.Object({ language: SheetLanguage })),
    answer: JobReference,
    status: 202,
  },
  'GET /envioMassa/:id/recipients': {
    summary: 'Whom a send is for, and what became of each; newest first, those who wait in their order',
    errors: MISSING,
    query: Type.Object({ state: Type.Optional(RecipientState), cursor: Cursor, limit: Limit }),
    answer: Type.Object({ recipients: Type.Array(SendRecipient), ...page }),
  },
} as const satisfies Record<string, Endpoint>

/** What one may do with a send at any moment it is not over. */
function defineSendCall(summary: string) {
  return { summary, errors: ['ERR_NO_SEND_FOUND', 'ERR_INVALID_TRANSITION'], answer: MassSend } as const
}
