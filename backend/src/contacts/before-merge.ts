// How two contacts stood before a person made them one: all that is needed to take it back (docs/decisions/0220).
import type { TicketStatus } from '@balcao/contract'

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
export interface ChannelBefore {
  readonly whatsappId: number
  readonly jid: string
  readonly lastInboundAt: string | null
  readonly greetedAt: string | null
}

/** Ids are of things of the one that went, unless they say otherwise. */
export interface BeforeMerge {
  /** Of the one that stays: before, and as the merge left them. */
  readonly fields: MergedFields
  readonly after: MergedFields
  readonly names: readonly { readonly kind: string; readonly value: string }[]
  readonly tagIds: readonly number[]
  readonly redirect: readonly { readonly queueId: number; readonly userId: number }[]
  readonly scheduleIds: readonly number[]
  readonly channels: readonly ChannelBefore[]
  /** What the one that stays had by itself of these. */
  readonly kept: {
    readonly tagIds: readonly number[]
    readonly queueIds: readonly number[]
    readonly scheduleIds: readonly number[]
    readonly channels: readonly ChannelBefore[]
  }
  /** Entries in sends: those that went along, and those that were left out because both had one. */
  readonly recipientIds: readonly number[]
  readonly recipientsGone: readonly RecipientBefore[]
  readonly ticketIds: readonly number[]
  /** Live tickets that were closed, of either. */
  readonly closed: readonly {
    readonly id: number
    readonly status: TicketStatus
    readonly closedAt: string
  }[]
  /** Messages that both had: theirs lost the provider's id. */
  readonly repeats: readonly { readonly id: number; readonly providerId: string }[]
  /** Contacts that had been merged into the one that went. */
  readonly mergedIds: readonly number[]
}

export interface RecipientBefore {
  readonly sendId: number
  readonly contactId: number
  readonly state: 'waiting' | 'handed' | 'excluded'
  readonly reason: string | null
  readonly ticketId: number | null
  readonly messageId: number | null
  readonly at: string
}
