import type { TicketStatus } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import { connections } from '../connections/table.ts'
import { queues } from '../queues/table.ts'

/** In `mergedInto` of a contact that was erased (docs/decisions/0231): it is nobody, and its row is there for its tickets alone. */
export const NOBODY = 0

/** A person or a group. `number` may be unknown for ever; `mergedInto` names the contact this one turned out to be. */
export const contacts = pgTable(
  'contact',
  {
    id: id(),
    name: text().notNull().default(''),
    /** `manual` names given by the team are never overwritten by the phone's. */
    nameSource: text().$type<'none' | 'push' | 'phone' | 'manual'>().notNull().default('none'),
    number: text(),
    email: text().notNull().default(''),
    profilePicUrl: text(),
    isGroup: boolean().notNull().default(false),
    respostaAutomatica: boolean().notNull().default(true),
    extraInfo: jsonb().$type<{ name: string; value: string }[]>().notNull().default([]),
    /** Since when the contact wants no mass or scheduled sends; null while it takes them. */
    optedOutAt: instant(),
    /** When it was last said whether the contact takes them: an older word that comes late changes nothing. */
    sendsSaidAt: instant(),
    mergedInto: integer(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: version(),
    /** The name without accents and capitals, for searches; indexed by trigrams in the migrations. */
    searchName: text().notNull().generatedAlwaysAs(sql`f_norm(name)`),
    /** Where a search of contacts looks: name and e-mail, as far as an index holds them (docs/decisions/0220). */
    searchText: text().notNull().generatedAlwaysAs(sql`left(f_norm(name), 255) || E'\\n' || left(f_norm(email), 254)`),
    /** All numbers it was ever known by, one after the other: kept by a trigger on `contact_identity`, so that a search reads them in the list (docs/decisions/0210). */
    searchDigits: text().notNull().default(''),
  },
  table => [
    // By bytes, whatever the database sorts by: no newer library of the system turns the order around under the index. In the migrations it
    // includes what a search looks at, so that a walk along the list reads nothing else.
    index('contact_by_name').on(sql`search_name collate "C"`, table.id).where(sql`merged_into is null`),
    index('contact_merged').on(table.mergedInto).where(sql`merged_into is not null`),
    index('contact_number').on(table.number),
    // What changed since, for other programs.
    index('contact_changed').on(table.updatedAt, table.id).where(sql`merged_into is null`),
  ],
)

/** How many contacts there are, as +1 and −1 rows that triggers of the migrations write and a job folds: nothing is counted or locked. */
export const contactTally = pgTable('contact_tally', {
  id: bigId(),
  isGroup: boolean().notNull(),
  n: integer().notNull(),
})

export type IdentityKind = 'pn' | 'lid' | 'bsuid' | 'group' | 'former'

/** All names the networks know a contact by: phone numbers in every spelling, LID, BSUID, group id, and numbers it has left. */
export const contactIdentities = pgTable(
  'contact_identity',
  {
    kind: text().$type<IdentityKind>().notNull(),
    value: text().notNull(),
    contactId: belongsTo(() => contacts.id),
    /** A number that a person put in place of another one is written to once WhatsApp knew it or the customer wrote from it. */
    isProven: boolean().notNull().default(true),
    /** Since when it is known, by the clock of who told it. */
    createdAt: instant().notNull().defaultNow(),
  },
  table => [primaryKey({ columns: [table.kind, table.value] }), index('identity_contact').on(table.contactId)],
)

/** The fields of the one that stays which a merge may fill from the other. */
export interface MergedFields {
  readonly name: string
  readonly nameSource: 'none' | 'push' | 'phone' | 'manual'
  readonly number: string | null
  readonly email: string
  readonly profilePicUrl: string | null
  readonly respostaAutomatica: boolean
  readonly extraInfo: readonly { readonly name: string; readonly value: string }[]
  readonly optedOutAt: string | null
  readonly sendsSaidAt: string | null
}

/** A contact on one connection. */
export interface ChannelSnapshot {
  readonly whatsappId: number
  readonly jid: string
  readonly lastInboundAt: string | null
  readonly greetedAt: string | null
  /** After how many seconds messages vanish there; merges of before it have none. */
  readonly timer?: number | null
}

/** A pin or a follower of a ticket that ended; `isCarried`: the one that goes on for it got it. */
export interface CarriedMark {
  readonly userId: number
  readonly at: string
  readonly isCarried: boolean
}

/** How two contacts stood before a person made them one: all that is needed to take it back. Ids are of things of the one that went, unless they say otherwise. */
export interface MergeSnapshot {
  /** Of the one that stays: before, and as the merge left them. */
  readonly fields: MergedFields
  readonly after: MergedFields
  readonly names: readonly { readonly kind: string; readonly value: string }[]
  /** Numbers of either that were no more to be written to before they are proven; merges of before have none. */
  readonly doubted?: readonly string[]
  readonly tagIds: readonly number[]
  readonly redirect: readonly { readonly queueId: number; readonly userId: number }[]
  readonly scheduleIds: readonly number[]
  readonly channels: readonly ChannelSnapshot[]
  /** What the one that stays had by itself of these. */
  readonly kept: {
    readonly tagIds: readonly number[]
    readonly queueIds: readonly number[]
    readonly scheduleIds: readonly number[]
    readonly channels: readonly ChannelSnapshot[]
  }
  /** Entries in sends: those that went along, and those that were left out because both had one. */
  readonly recipientIds: readonly number[]
  readonly recipientsGone: readonly RecipientSnapshot[]
  readonly ticketIds: readonly number[]
  /** Live tickets that were closed, of either. */
  readonly closed: readonly {
    readonly id: number
    readonly status: TicketStatus
    readonly closedAt: string
    /** Where it goes on, who had it on top of the list, and who followed it; merges of before that have none. */
    readonly goesOn?: number
    readonly pins?: readonly CarriedMark[]
    readonly followers?: readonly CarriedMark[]
    /** Since when the customer waited in each of both; merges of before service levels have none. */
    readonly waits?: readonly TicketWait[]
  }[]
  /** Messages that both had: theirs lost the provider's id. */
  readonly repeats: readonly { readonly id: number; readonly providerId: string }[]
  /** Contacts that had been merged into the one that went. */
  readonly mergedIds: readonly number[]
}

/** Since when a ticket's customer waits for an answer, and whether somebody answered before. */
export interface TicketWait {
  readonly id: number
  readonly answerSince: string | null
  readonly answeredAt: string | null
}

export interface RecipientSnapshot {
  readonly sendId: number
  readonly contactId: number
  readonly state: 'waiting' | 'handed' | 'excluded'
  readonly reason: string | null
  readonly ticketId: number | null
  readonly messageId: number | null
  readonly at: string
}

/** Two contacts that a person made one, for as long as that can be undone (docs/decisions/0220). `before`: how everything stood. */
export const contactMerges = pgTable(
  'contact_merge',
  {
    id: id(),
    /** The one that stays. */
    intoId: belongsTo(() => contacts.id),
    fromId: belongsTo(() => contacts.id),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    at: instant().notNull().defaultNow(),
    before: jsonb().$type<MergeSnapshot>().notNull(),
  },
  table => [
    index('contact_merge_into').on(table.intoId, table.id.desc()),
    index('contact_merge_from').on(table.fromId),
  ],
)

/**
 * A contact on one connection: the address it wrote from last (answers go there) and when that was told, and when it last wrote
 * (24-hour window).
 */
export const contactChannels = pgTable(
  'contact_channel',
  {
    contactId: belongsTo(() => contacts.id),
    whatsappId: belongsTo(() => connections.id),
    jid: text().notNull(),
    /** By the provider's clock: what is older and comes late changes no address. Null: of before this was kept. */
    jidAt: instant(),
    /** Seconds after which what is written in this chat vanishes, as the customer or the phone set it; null and 0: it stays. */
    timer: integer(),
    /** Of a group: this number is not in it any more, and since when that, or the opposite, is so. */
    isOut: boolean().notNull().default(false),
    membershipAt: instant(),
    lastInboundAt: instant(),
    greetedAt: instant(),
  },
  table => [primaryKey({ columns: [table.contactId, table.whatsappId] })],
)

/** Whom a contact goes to by itself in a queue (spec 3 §2, "automatic-redirect list"): at most one person a queue. */
export const contactRedirects = pgTable(
  'contact_redirect',
  {
    contactId: belongsTo(() => contacts.id),
    queueId: belongsTo(() => queues.id),
    userId: belongsTo(() => users.id),
  },
  table => [primaryKey({ columns: [table.contactId, table.queueId] })],
)

/** Numbers somebody asked WhatsApp about, for a day: they set the pace of asking, and answer who asks again. */
export const numberChecks = pgTable(
  'number_check',
  {
    id: bigId(),
    whatsappId: belongsTo(() => connections.id),
    /** Null: another program. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    number: text().notNull(),
    askedAt: instant().notNull(),
    /** Null until there is an answer. */
    isThere: boolean(),
    /** The number as WhatsApp knows it. */
    knownAs: text(),
  },
  table => [
    index().on(table.whatsappId, table.askedAt),
    index().on(table.userId, table.askedAt),
    index().on(table.whatsappId, table.number),
    index().on(table.askedAt),
  ],
)
