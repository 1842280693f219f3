// What the activity log records: each action with the parameters it takes. What stands before the dot is the kind of thing it was done to
// (`entity`). The sentences stand in `texts/log`: the wire says the Portuguese one (`descricao`), screens and sheets that of the reader.
import pt from '../../texts/log/pt.json'
import type { ConnectionNews } from '../connections/connection-news.ts'
import { fillBraces } from '../kit/braces.ts'
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { UserBrief } from '../users/user.ts'

type Sentences = typeof pt.log
export type LogAction = { [Kind in keyof Sentences]: `${Kind}.${keyof Sentences[Kind] & string}` }[keyof Sentences]

/** What an entry says besides its action, for those actions that say more. Never a secret or what somebody wrote. */
export interface LogParams {
  readonly 'connection.update': { readonly changes: readonly FieldChange[] }
  readonly 'connection.news': Omit<ConnectionNews, 'at' | 'storedAt'>
  /** Of an e-mail and of what the team noted only that it changed. */
  readonly 'contact.update': { readonly changes: readonly FieldChange[] }
  /** `tickets`: how many went with it. */
  readonly 'contact.delete': { readonly tickets: number }
  /** `from`: the contact that is gone; `names`: what it was known by. */
  readonly 'contact.merge': {
    readonly from: number
    readonly names: readonly { readonly kind: string; readonly value: string }[]
  }
  /** `contactId`: the other one of the two. */
  readonly 'contact.unmerge': { readonly contactId: number }
  readonly 'contact.import': ImportCounts
  readonly 'contact.delegate': ImportCounts
  readonly 'contact.export': { readonly contacts: number }
  readonly 'contact.clear': { readonly deleted: number }
  readonly 'contact.newNumber': { readonly from: readonly string[]; readonly to: string }
  /** `contactId`: who has the numbers now. */
  readonly 'contact.lostNumber': { readonly numbers: readonly string[]; readonly contactId: number }
  readonly 'log.export': { readonly entries: number }
  /** `from`: the message it was made of. */
  readonly 'message.forward': { readonly from: number }
  readonly 'ticket.rate': { readonly rate: number }
  /** `userId`: who has it now. */
  readonly 'ticket.redirect': { readonly userId: number }
  /** `reason`: as in the send's `stateReason`. */
  readonly 'send.stop': { readonly reason: string }
  readonly 'rating.export': { readonly ratings: number }
  /** `days`: the grace. Never a name or a number of the person. */
  readonly 'moveIn.write': {
    readonly source: string
    readonly contacts: number
    readonly tickets: number
    readonly messages: number
  }
  readonly 'moveIn.files': { readonly source: string; readonly files: number; readonly missing: number }
  readonly 'moveIn.undo': { readonly source: string; readonly removed: number }
  readonly 'privacy.ask': { readonly days: number }
  readonly 'privacy.erase': { readonly tickets: number; readonly messages: number; readonly files: number }
  readonly 'privacy.export': { readonly messages: number; readonly files: number }
  readonly 'protocol.create': { readonly protocolo: string }
  readonly 'protocol.update': { readonly protocolo: string }
  /** `from` and `value` as on the wire, but for texts, which are long. */
  readonly 'setting.update': {
    readonly key: string
    readonly from?: string | undefined
    readonly value?: string | undefined
  }
  /** `tickets`: how many of them went where; `toWait` back to their queues. */
  readonly 'user.deactivate': TicketHandoverCounts
  readonly 'user.delete': TicketHandoverCounts
  readonly 'user.import': { readonly imported: number; readonly skipped: number }
  readonly 'user.transferTickets': { readonly queueId: number; readonly toUserId: number; readonly tickets: number }
  /** Of an e-mail only that it changed. `toWait`: live tickets of queues the person lost. */
  readonly 'user.update': { readonly changes: readonly FieldChange[]; readonly toWait?: number }
}

/** A field as it was and as it is; of what is nobody's business only that it changed. */
export interface FieldChange {
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

/** What came of the rows of a sheet, or of a phone's address book. */
type ImportCounts = {
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
}

/** How many live tickets somebody left behind, and to whom they went. */
type TicketHandoverCounts = { readonly toWait: number; readonly toSubstitutes: number }

/** The parameters that the sentence of an action names. */
export const LOG_HOLES: { readonly [A in keyof LogParams]?: readonly (keyof LogParams[A])[] } = {
  'contact.import': ['created', 'updated'],
  'contact.delegate': ['created', 'updated'],
  'contact.export': ['contacts'],
  'contact.clear': ['deleted'],
  'log.export': ['entries'],
  'moveIn.write': ['source', 'contacts', 'tickets', 'messages'],
  'moveIn.files': ['source', 'files', 'missing'],
  'moveIn.undo': ['source'],
  'privacy.ask': ['days'],
  'privacy.erase': ['messages', 'files'],
  'privacy.export': ['messages', 'files'],
  'protocol.create': ['protocolo'],
  'protocol.update': ['protocolo'],
  'rating.export': ['ratings'],
  'setting.update': ['key'],
  'ticket.rate': ['rate'],
  'user.import': ['imported'],
  'user.transferTickets': ['tickets'],
}

/** Actions that say nothing more. */
export type PlainLogAction = Exclude<LogAction, keyof LogParams>

/** Each action with its Portuguese sentence: `descricao` on the wire. */
export const LOG_SENTENCES = flattenSentences(pt.log)

/** The actions, flat, with their sentences in a language: of `texts/log`. */
export function flattenSentences(
  kinds: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, deeds]) =>
      Object.entries(deeds).map(([deed, sentence]) => [`${kind}.${deed}`, sentence]),
    ),
  )
}

/** The sentence of an entry, in Portuguese unless other sentences are given. */
export function formatLogText(
  action: LogAction,
  params: Readonly<Record<string, unknown>> | null,
  sentences: Readonly<Record<string, string>> = LOG_SENTENCES,
): string {
  const words = Object.entries(params ?? {}).map(([name, value]) => [name, String(value)])
  return fillBraces(sentences[action] ?? action, Object.fromEntries(words))
}

/**
 * An entry of the activity log. `action` is null for what a client reported, and for what was written before actions had codes.
 * `entityId` names the thing where it has no field of its own: a user, a tag, a quick answer, a scheduled send.
 */
export const LogEntry = Type.Object({
  id: Id,
  action: Nullable(Type.Unsafe<LogAction>({ type: 'string', enum: Object.keys(LOG_SENTENCES) })),
  params: Nullable(Type.Record(Type.String(), Type.Unknown())),
  descricao: Type.String(),
  /** The kind of thing it was done to. */
  entity: Type.String(),
  /** Where it came from: one of `LOG_SOURCES`, or what was reported; empty where nobody kept it. */
  origem: Type.String(),
  userId: Nullable(Id),
  ticketId: Nullable(Id),
  contactId: Nullable(Id),
  queueId: Nullable(Id),
  whatsappId: Nullable(Id),
  messageId: Nullable(Id),
  entityId: Nullable(Id),
  reported: Type.Boolean(),
  createdAt: Instant,
})
export type LogEntry = Static<typeof LogEntry>

/** Where something was done: on a page, on a page on a phone, in a terminal, by another program, or by the desk itself. */
export const LOG_SOURCES = ['web', 'phone', 'terminal', 'api', 'auto'] as const
export type LogSource = (typeof LOG_SOURCES)[number]

/** The most entries a sheet of the log holds; what is older stays out. */
export const LOG_SHEET_ROWS = 100_000

/** Which entries of the log are meant. */
export const LogFilters = Type.Object({
  searchParam: Type.Optional(Type.String({ maxLength: 200 })),
  settings: Type.Optional(
    Type.String({
      maxLength: 3000,
      description: 'keys of the settings that the search means too, separated by commas',
    }),
  ),
  actions: Type.Optional(
    Type.String({ maxLength: 3000, description: 'actions that the search means too, separated by commas' }),
  ),
  userId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  entity: Type.Optional(Type.String({ maxLength: 40, description: 'the kind of thing: ticket, contact, user …' })),
  entityId: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 60 })),
  origem: Type.Optional(StringEnum(LOG_SOURCES)),
  firstDate: Type.Optional(Type.String({ maxLength: 40 })),
  lastDate: Type.Optional(Type.String({ maxLength: 40 })),
})

/** The kinds of things an entry is about: what stands before the dot of its action. */
export const LOG_KINDS = [...new Set(Object.keys(LOG_SENTENCES).map(action => action.split('.', 1).join()))].sort()

/** Whether a text is an action of the log. */
export function isLogAction(text: string): text is LogAction {
  return Object.hasOwn(LOG_SENTENCES, text)
}

/**
 * An entry as it is read: who did it, and what it was done to, by its present name. `user` is null for the system and another program,
 * and for the owner, whom nobody else knows by name (then `userId` is not).
 */
export const LogRow = Type.Object({
  ...LogEntry.properties,
  user: Nullable(UserBrief),
  /** Null: it has no name, or is gone. */
  about: Nullable(Type.String()),
})
export type LogRow = Static<typeof LogRow>
