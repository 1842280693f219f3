// What every kind of connection offers, and the neutral events it tells (design "In"). One interface, one suite of tests for all.
import type {
  Ack,
  Capabilities,
  ConnectionNews,
  ConnectionStatus,
  ConnectionTrouble,
  Kind,
  KindConfig,
  MediaType,
  Menu,
  MessageDetails,
} from '@balcao/contract'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'

/**
 * Somebody at the provider, by every name known. `jid` is the address as the provider writes it and what one sends to;
 * `pn` is the phone in digits with country code, `lid` the hidden address with its `@lid`, `bsuid` Meta's id of a person (`BR.…`).
 */
export interface Peer {
  readonly jid: string
  readonly pn?: string
  readonly lid?: string
  readonly bsuid?: string
  readonly group: boolean
}

/** Names of one person, as in `Peer`. */
export type PersonNames = Pick<Peer, 'pn' | 'lid' | 'bsuid'>

/** Somebody named in a text as `@` and the digits of an address; `name` as the provider has it, `isSelf`: the connection itself. */
export interface MentionedPerson extends Peer {
  readonly name?: string
  readonly isSelf?: true
}

/** Enough to edit, delete, react to, quote or mark as read a message later. */
export interface MessageRef {
  readonly chat: string
  readonly id: string
  readonly fromMe: boolean
  readonly participant?: string
}

/** What came along of a message that is answered: the desk may not have it. */
export interface QuotedContent {
  readonly mediaType: MediaType
  readonly body: string
  /** A small JPEG, in base64. */
  readonly thumb?: string
}

/** The message a received one answers. */
export interface ReceivedQuote extends MessageRef {
  readonly content?: QuotedContent
}

/** A received file before it is fetched. `handle` is the driver's own, plain JSON, good for `download` after a restart. */
export interface MediaHandle {
  readonly handle: unknown
  readonly mime: string
  readonly name?: string
  readonly size?: number
  readonly seconds?: number
  readonly width?: number
  readonly height?: number
  readonly voice?: boolean
  readonly waveform?: readonly number[]
}

/** A message that came. */
export type InboundMessage = Extract<ChannelEvent, { type: 'message' }>

/** What the inbox takes from a channel. `at` is the provider's time in ms. `raw` is plain JSON, stored as it came. */
export type ChannelEvent =
  | {
      readonly type: 'message'
      readonly ref: MessageRef
      readonly chat: Peer
      readonly author?: Peer
      readonly at: number
      readonly name?: string
      readonly chatName?: string
      readonly mediaType: MediaType
      readonly body: string
      readonly media?: MediaHandle
      /** The id of a message that came with a smaller file: this one's takes its place, if it is there. */
      readonly betterOf?: string
      readonly details?: MessageDetails
      /** Who is named in its words, where the provider tells. */
      readonly mentions?: readonly MentionedPerson[]
      /** What opens sealed changes of it, in base64. */
      readonly secret?: string
      readonly quote?: ReceivedQuote
      readonly forward?: 'true' | 'frequently'
      readonly ack?: Ack
      readonly replay: boolean
      /** Seconds after which the messages of this chat vanish, 0 for never; where the provider leaves it to who sends. */
      readonly timer?: number
      /** Of the time before this number was connected: it is kept, and sets nothing in motion. */
      readonly past?: true
      /** The provider tells it of the customer, who wrote nothing: nobody may be written to because of it. */
      readonly byProvider?: true
      readonly raw: unknown
    }
  /** A message nobody can read yet. Its content usually follows under the same id; `card` is what stands for it if not. */
  | { readonly type: 'unreadable'; readonly card: InboundMessage }
  | {
      readonly type: 'ack'
      readonly ref: MessageRef
      /** What the desk gave along with the send, where the provider tells it back. */
      readonly trace?: string
      readonly ack: Ack
      readonly at?: number
      readonly code?: string
      readonly text?: string
      readonly details?: string
    }
  /** People change their own messages only: `ref.fromMe` is the side of who changes it, `by` that person in a group. */
  | {
      readonly type: 'edit'
      readonly ref: MessageRef
      /** The provider's name of this change: two that say the same at the same second are two. */
      readonly id?: string
      readonly chat: Peer
      readonly by?: Peer
      /** Null: it was changed, and only the phone can read how. */
      readonly body: string | null
      readonly mentions?: readonly MentionedPerson[]
      /** How it was changed, sealed with the secret of its message, for `KindModule.unseal`; plain JSON. */
      readonly sealed?: unknown
      /** Of a card that was changed: how it is now. */
      readonly details?: MessageDetails
      readonly at: number
    }
  | {
      readonly type: 'revoke'
      readonly ref: MessageRef
      readonly chat: Peer
      readonly by?: Peer
      readonly at: number
    }
  | {
      readonly type: 'reaction'
      readonly ref: MessageRef
      /** The provider's name of this reaction. */
      readonly id?: string
      readonly chat: Peer
      readonly by: Peer
      readonly fromMe: boolean
      readonly name?: string
      readonly emoji: string
      readonly at: number
    }
  | {
      readonly type: 'call'
      readonly id: string
      readonly from: Peer
      readonly video: boolean
      readonly state: 'offer' | 'missed' | 'ended'
      readonly at: number
      readonly name?: string
    }
  | ({ readonly type: 'identity' } & PersonNames)
  /** The provider says that one person has new names; `id` is that telling's own. */
  | {
      readonly type: 'moved'
      readonly id: string
      readonly at?: number
      readonly from: PersonNames
      readonly to: PersonNames
    }
  /** Somebody wants no advertising any more, or wants it again. */
  | { readonly type: 'preference'; readonly person: Peer; readonly advertising: boolean; readonly at: number }
  /** The provider says something of the account or the number, for who runs the connection. */
  | ({ readonly type: 'news'; readonly id: string; readonly at: number } & Omit<ConnectionNews, 'at' | 'storedAt'>)
  | {
      readonly type: 'contact'
      readonly peer: Peer
      readonly name?: string
      /** `phone`: as the phone's contact book has it; without a name it was taken out of there. */
      readonly source: 'push' | 'phone'
    }
  | { readonly type: 'group'; readonly jid: string; readonly subject?: string }
  /** This number was taken out of a group or left it, or is in it again. `id`: that telling's own, where the provider has one. */
  | {
      readonly type: 'membership'
      readonly id?: string
      readonly group: Peer
      readonly isMember: boolean
      readonly at: number
    }
  /** Somebody changed after how many seconds the messages of a chat vanish; 0: they stay. */
  | { readonly type: 'timer'; readonly chat: Peer; readonly seconds: number; readonly at: number }
  | { readonly type: 'typing'; readonly chat: Peer; readonly state: 'typing' | 'recording' | 'paused' }
  | {
      readonly type: 'status'
      readonly status: ConnectionStatus
      readonly qr?: string
      readonly qrExpiresAt?: number
      readonly code?: string
      readonly trouble?: ConnectionTrouble | null
      readonly me?: Peer
      readonly battery?: number
    }

/** The body of a message nobody could read, of the media type `unknown`. */
export const UNREADABLE = 'ciphertext'

/** The mark on something that was passed on; kinds without such a mark leave it out. */
export type ForwardMark = 'true' | 'frequently'

/** What any message to a customer may carry. `timer`: seconds after which the chat's messages vanish. */
interface Answering {
  readonly timer?: number
  readonly quote?: QuoteRef
  readonly forward?: ForwardMark
}

/** What goes into a conversation as it is written. */
export type Sendable = Exclude<Outgoing, { type: 'read' | 'template' }>

/** What the outbox hands to a channel; plain JSON. A file is named by its id in our own store. */
export type Outgoing =
  | (Answering & {
      readonly type: 'text'
      readonly text: string
      readonly mentions?: readonly string[]
      /** What the text says in lines with numbers, for kinds that have buttons. */
      readonly menu?: Menu
    })
  | (Answering & {
      readonly type: 'media'
      readonly media: 'image' | 'audio' | 'video' | 'application' | 'sticker'
      readonly mediaId: string
      readonly mime: string
      readonly name: string
      readonly caption?: string
      readonly voice?: boolean
      readonly seconds?: number
      /** Loudness over time of a voice note, 0 to 100. */
      readonly waveform?: readonly number[]
    })
  | (Answering & { readonly type: 'location'; readonly lat: number; readonly lng: number; readonly name?: string })
  | (Answering & { readonly type: 'contacts'; readonly vcards: readonly string[] })
  | { readonly type: 'template'; readonly name: string; readonly lang: string; readonly components: readonly unknown[] }
  | { readonly type: 'edit'; readonly ref: MessageRef; readonly text: string }
  | { readonly type: 'revoke'; readonly ref: MessageRef }
  | { readonly type: 'reaction'; readonly ref: MessageRef; readonly emoji: string }
  /** Oldest first: where one receipt says it for all before it, it is the last one's. */
  | { readonly type: 'read'; readonly refs: readonly MessageRef[] }

/** A quoted message with what some kinds need to show it. */
export interface QuoteRef extends MessageRef {
  readonly body: string
  readonly raw?: unknown
}

/** How a send ended. `refused` will never work (no retry), `retry` may later (`afterMs`), `unknown` may or may not have gone out. */
export type SendResult =
  | {
      readonly ok: true
      readonly id: string
      readonly ack: Ack
      readonly raw?: unknown
      readonly jid?: string
      /** What opens sealed changes of it, in base64. */
      readonly secret?: string
    }
  | {
      readonly ok: false
      readonly outcome: 'refused' | 'retry' | 'unknown'
      readonly code: string
      readonly text: string
      readonly details?: string
      readonly afterMs?: number
    }

/** What a driver needs to know of its connection: its kind's own fields, with the secrets unsealed; they stay in memory. */
export interface DriverConnection {
  readonly id: number
  readonly config: KindConfig
  /** There is a secret, and it was sealed with another key. */
  readonly unreadable?: boolean
}

/** What the desk gives a driver: where to tell events, what it needs of our database, and a logger without personal data. */
export interface DriverHost {
  readonly connectionId: number
  /** The fencing number of this owner: a driver writes to the database only while the connection still has it. */
  readonly epoch: number
  /** Whether this process is sure to run the connection still: asked once more where a send had to wait before it is handed over. */
  readonly isOwner: () => boolean
  readonly db: Db
  readonly config: Pick<Config, 'whatsappWebUrl' | 'graph' | 'gowa' | 'dataDir' | 'browserMemoryBytes'>
  /** The setting `call` (decisions §5): whether calls ring on, or are rejected by the driver. */
  readonly acceptsCalls: () => Promise<boolean>
  /** Hands events over and resolves once they are committed: only then may the provider be told that we have them. */
  readonly emit: (events: readonly ChannelEvent[]) => Promise<void>
  /** The provider's own form of a message we sent or received, for retry receipts. */
  readonly rawMessage: (providerId: string) => Promise<unknown | null>
  /** What opens sealed changes of the messages with this id: anybody may give his message the id of another one. */
  readonly secretsOf: (providerId: string) => Promise<readonly string[]>
  readonly openMedia: (
    mediaId: string,
  ) => Promise<{ readonly path: string; readonly size: number; readonly mime: string; readonly name: string }>
  readonly log: {
    info(fields: object, text: string): void
    warn(fields: object, text: string): void
    error(fields: object, text: string): void
  }
}

/** One request to a connection's webhook, with the body's raw bytes: signatures are made over them. */
export interface WebhookRequest {
  readonly headers: Headers
  readonly raw: Uint8Array
}

/** What the webhook answers. `status` 200 only after what came is committed; anything else makes the provider try again. */
export interface WebhookAnswer {
  readonly status: 200 | 401 | 400 | 503
  readonly events: number
}

/** A message template of the official API (spec 1 §3). */
export interface Template {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly status: string
  readonly language: string
  readonly parameterFormat: 'POSITIONAL' | 'NAMED'
  readonly components: readonly unknown[]
}

/** A group as the provider tells it. */
export interface GroupFacts {
  readonly subject: string
  readonly desc?: string
  readonly members: readonly (Peer & { readonly name?: string; readonly admin?: boolean })[]
}

export interface Driver {
  readonly kind: Kind
  readonly capabilities: Capabilities
  /** Connects with what is stored, or waits for `pair`. Never throws for a network reason: it tells a status instead. */
  start(): Promise<void>
  /** Before an orderly stop: takes no more in, and finishes what it is taking in, so that the provider need not bring it again. */
  settle?(): Promise<void>
  stop(): Promise<void>
  /** Unlinks the device at the provider and forgets the stored session. */
  logout(): Promise<void>
  pair(by: { readonly qr: true } | { readonly phone: string }): Promise<{ readonly code?: string }>
  /** Takes away what the provider keeps of this connection, pairing and all; only where more is kept than `logout` takes. */
  remove?(): Promise<void>
  /**
   * How long a receipt may take that names the `trace` of a send, in ms: until then a send of which nobody knows is not put to a
   * person. Absent where the provider tells nothing back.
   */
  readonly traceMs?: number
  /**
   * `id` is the message's provider id; sending it again under the same id is harmless where `capabilities.resendSafe`.
   * `trace` comes back with the receipts where the driver has `traceMs`.
   */
  send(to: string, id: string | null, message: Outgoing, trace?: string | null): Promise<SendResult>
  /**
   * Ids of what stands in a chat as if it were this send, of our own and not before `since` (ms), oldest first: it looks for what an
   * answer that was lost would have said. Only where sending again is not harmless and the provider lets one look.
   */
  sentLike?(to: string, message: Outgoing, since: number): Promise<readonly string[]>
  download(media: MediaHandle): Promise<ReadableStream<Uint8Array>>
  check(number: string): Promise<Peer | null>
  /** What the provider tells of a group; null when it does not, or when we are no member. */
  group(jid: string): Promise<GroupFacts | null>
  /** Takes what the provider posts; only of kinds that work by webhook. */
  handleWebhook?(request: WebhookRequest): Promise<WebhookAnswer>
  /** The approved message templates; only where `capabilities.templates`. Throws `ChannelError`. */
  templates?(): Promise<readonly Template[]>
}

/** A driver could not do what it was asked. `code` is the provider's or one of ours: `not_connected`, `not_supported`, `timeout`. */
export class ChannelError extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text)
    this.name = 'ChannelError'
  }
}
