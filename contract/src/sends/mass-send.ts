import { ContactReference, NamedContact } from '../contacts/contact.ts'
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { AttachedFile } from '../messages/attached-file.ts'
import { Tag } from '../tags/tag.ts'
import { UserBrief } from '../users/user.ts'

/** The states of a send that is not over: who it is for, what it says and how it goes may still change. */
export const LIVE_SEND_STATES = ['calculating', 'waiting', 'running', 'paused', 'stopped'] as const

/** The states of a send (decisions §15). `waiting`: it goes on by itself, `stateReason` says when; `stopped`: it stopped by itself. */
export const SEND_STATES = [...LIVE_SEND_STATES, 'done', 'cancelled'] as const
export const SendState = StringEnum(SEND_STATES)
export type SendState = Static<typeof SendState>

/**
 * Why a send waits (`working_hours`, `daily_cap`, `warm_up`, `disconnected`), stopped (`failures`: more than 10 % of the last 50;
 * `blocked`: the provider reports one; `connection_deleted`, `file_gone`, `late`, `no_recipients`; `restored`: the desk came back from a
 * backup; `token_ended`: the program that scheduled it may send no more) or ended without a message (`no_recipients`: everybody is left out).
 */
export const SEND_REASONS = [
  'working_hours',
  'daily_cap',
  'warm_up',
  'disconnected',
  'failures',
  'blocked',
  'connection_deleted',
  'file_gone',
  'late',
  'no_recipients',
  'restored',
  'token_ended',
] as const
export const SendReason = StringEnum(SEND_REASONS)
export type SendReason = Static<typeof SendReason>

/** Why somebody is left out of a send; besides these a code of the catalogue, where the message was refused when its turn came. */
export const EXCLUSIONS = [
  'group',
  'merged',
  'opted_out',
  'no_number',
  'blocked',
  'no_whatsapp',
  'never_wrote',
  'window_closed',
  'other_queue',
  'hidden_ticket',
] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

/** How many are left out, and why. */
export const Excluded = Type.Object({ reason: Type.String(), count: Type.Integer() })

/**
 * A mass send (spec 3 §3 `envioMassa`), or a run of a scheduled one (`agendamentoId`). `total` is 0 while it is `calculating`; `enviados`
 * are those handed over, `falhas` those of them that failed. `endsAt` is an estimate, null unless it is going on. `contactsIds` and
 * `tagsIds` are joined with commas. `stateUser`: who paused, resumed or cancelled it last.
 */
export const MassSend = Type.Object({
  id: Id,
  mensagem: Type.String(),
  state: SendState,
  stateReason: Nullable(SendReason),
  stateAt: Instant,
  stateUser: Nullable(UserBrief),
  enviados: Type.Integer(),
  falhas: Type.Integer(),
  total: Type.Integer(),
  allContacts: Type.Boolean(),
  contactsIds: Type.String(),
  tagsIds: Type.String(),
  onlyWorkingHours: Type.Boolean(),
  onlyWhoWrote: Type.Boolean(),
  whatsappId: Nullable(Id),
  whatsapp: Nullable(Type.Object({ id: Id, name: Type.String() })),
  template: Nullable(Type.Unknown()),
  ...AttachedFile.properties,
  agendamentoId: Nullable(Id),
  /** When it goes on by itself; null unless it waits for an hour. */
  resumesAt: Nullable(Instant),
  endsAt: Nullable(Instant),
  userId: Nullable(Id),
  user: Nullable(UserBrief),
  createdAt: Instant,
  endedAt: Nullable(Instant),
  version: Type.Integer(),
})
export type MassSend = Static<typeof MassSend>

/** What a recipient's message came to, or where the recipient stands. `unknown`: nobody knows whether it went out; `cancelled`: the send ended first. */
export const RECIPIENT_STATES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'excluded',
  'cancelled',
] as const
export const RecipientState = StringEnum(RECIPIENT_STATES)
export type RecipientState = Static<typeof RecipientState>

/** One send by itself: whom it is for, by name, its numbers, and how its last fifty messages went, oldest first. */
export const MassSendDetail = Type.Object({
  ...MassSend.properties,
  contacts: Type.Array(NamedContact, { description: 'the contacts it names, at most 200' }),
  tags: Type.Array(Tag),
  counts: Type.Object({
    waiting: Type.Integer(),
    sending: Type.Integer(),
    sent: Type.Integer(),
    delivered: Type.Integer(),
    read: Type.Integer(),
    failed: Type.Integer(),
    unknown: Type.Integer(),
    excluded: Type.Integer(),
    cancelled: Type.Integer(),
    /** Recipients who asked for no more since they got it. */
    optedOut: Type.Integer(),
  }),
  excluded: Type.Array(Excluded),
  last: Type.Array(StringEnum(['ok', 'failed'])),
})
export type MassSendDetail = Static<typeof MassSendDetail>

/** Somebody a send would leave out, and why. */
export const ExcludedRecipient = Type.Object({ contact: ContactReference, reason: Type.String() })
export type ExcludedRecipient = Static<typeof ExcludedRecipient>

/** One recipient of a send, with the ticks of the message. `reason`: why somebody is left out, or a message failed. */
export const SendRecipient = Type.Object({
  id: Id,
  contact: ContactReference,
  state: RecipientState,
  reason: Nullable(Type.String()),
  messageId: Nullable(Id),
  ticketId: Nullable(Id),
  /** When it was handed over or left out, or the send was cancelled. */
  at: Instant,
})
export type SendRecipient = Static<typeof SendRecipient>

/** What makes a send risky, each with its numbers. */
export const RISK_CAUSES = [
  'all_contacts',
  'never_wrote',
  'same_text',
  'links',
  'new_number',
  'odd_hour',
  'no_way_out',
  'many',
] as const
export const RiskCause = StringEnum(RISK_CAUSES)
export type RiskCause = Static<typeof RiskCause>

/** From 1 (low) to 5 (very high), the graver cause first; `params` are what the words need. */
export const SendRisk = Type.Object({
  level: Type.Integer({ minimum: 1, maximum: 5 }),
  causes: Type.Array(Type.Object({ code: RiskCause, params: Type.Record(Type.String(), Type.Integer()) })),
})
export type SendRisk = Static<typeof SendRisk>

/**
 * What a send would come to. `found`: contacts it names, each once; `repeated`: how often one of them is named again; `count`: those it
 * would reach. `pace`: seconds between two messages, and how many a day (null: as many as there are). `endsAt` null: it never ends.
 */
export const SendPreview = Type.Object({
  count: Type.Integer(),
  found: Type.Integer(),
  repeated: Type.Integer(),
  excluded: Type.Array(Excluded),
  wrote: Type.Integer({ description: 'of those it would reach, who ever wrote' }),
  risk: SendRisk,
  pace: Type.Object({ seconds: Type.Number(), perDay: Nullable(Type.Integer()), warmUp: Type.Boolean() }),
  startsAt: Nullable(Instant),
  endsAt: Nullable(Instant),
})
export type SendPreview = Static<typeof SendPreview>
