// What the desk and the process that runs a browser tell each other: JSON, one a line. Files travel as paths in a folder of both, never
// in a line. Commands go in by stdin, answers and events come out by stdout; stderr is the log.
import type { FileFacts } from '../shared/verify-file.ts'

/** An address of WhatsApp Web: `5531…@c.us`, `…@lid`, `…@g.us`. */
export type WidText = string

/** Which message: `_serialized` may name the chat by either of its addresses, so all of it is told. */
export interface WebRef {
  readonly chat: WidText
  readonly id: string
  readonly fromMe: boolean
  readonly participant?: WidText
}

/** A message as WhatsApp Web has it, cut down to what is read of it; plain JSON. */
export interface WebMessage {
  readonly id: {
    readonly fromMe: boolean
    readonly remote: WidText
    readonly id: string
    readonly participant?: WidText
  }
  readonly type: string
  /** Seconds since 1970. */
  readonly t: number
  readonly ack?: number
  /** The rest, under the names of WhatsApp Web. */
  readonly [name: string]: unknown
}

/** Both addresses of people, by the one that was asked with; a name of the group, for groups. */
export type AddressBook = Readonly<
  Record<WidText, { readonly pn?: WidText; readonly lid?: WidText; readonly name?: string }>
>

export interface StartCommand {
  readonly c: 'start'
  /** The folder of the browser's profile, and of files under way. */
  readonly folder: string
  /** Another page instead of web.whatsapp.com. */
  readonly page: string | null
  /** Link by eight characters typed on this phone instead of by QR. */
  readonly phone?: string
  /** How many QR codes are shown before it gives up. */
  readonly codes: number
}

export type SendCommand = {
  readonly c: 'send'
  readonly to: WidText
  readonly quote?: WebRef
  readonly forward?: 'true' | 'frequently'
} & (
  | { readonly kind: 'text'; readonly text: string; readonly mentions?: readonly WidText[] }
  | {
      readonly kind: 'media'
      readonly path: string
      readonly mime: string
      readonly name: string
      readonly caption?: string
      readonly as: 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'
      /** A film that plays over and over. */
      readonly loops?: boolean
    }
  | { readonly kind: 'location'; readonly lat: number; readonly lng: number; readonly name?: string }
  | { readonly kind: 'contacts'; readonly cards: readonly { readonly name: string; readonly vcard: string }[] }
)

export type ChildCommand =
  | StartCommand
  | SendCommand
  | { readonly c: 'edit'; readonly ref: WebRef; readonly text: string }
  | { readonly c: 'revoke'; readonly ref: WebRef }
  | { readonly c: 'react'; readonly ref: WebRef; readonly emoji: string }
  | { readonly c: 'read'; readonly chat: WidText }
  /** Answers with the path of the file. */
  | { readonly c: 'download'; readonly ref: WebRef }
  | { readonly c: 'check'; readonly number: string }
  | { readonly c: 'group'; readonly jid: WidText }
  /** What the chats hold since this second. */
  | { readonly c: 'since'; readonly t: number }
  | { readonly c: 'reject'; readonly call: string }
  | { readonly c: 'logout' }
  | { readonly c: 'stop' }

/** What each command answers. */
export interface CommandResults {
  readonly start: { readonly browser: number }
  readonly send: WebMessage
  readonly edit: null
  readonly revoke: null
  readonly react: null
  readonly read: null
  /** With what WhatsApp says of the file. */
  readonly download: { readonly path: string } & FileFacts
  readonly check: { readonly wid: WidText; readonly lid?: WidText } | null
  readonly group: {
    readonly subject: string
    readonly description: string
    readonly members: readonly { readonly id: WidText; readonly isAdmin: boolean; readonly name?: string }[]
    readonly people: AddressBook
  } | null
  readonly since: { readonly messages: readonly WebMessage[]; readonly people: AddressBook }
  readonly reject: null
  readonly logout: null
  readonly stop: null
}

export type WebEvent =
  | { readonly type: 'qr'; readonly qr: string }
  | { readonly type: 'code'; readonly code: string }
  /** The phone has the code, or the page found its pairing again; it may take long until it is ready. */
  | { readonly type: 'authenticated' }
  | { readonly type: 'ready'; readonly me: { readonly pn?: WidText; readonly lid?: WidText } }
  /** WhatsApp Web's own word for its state: `CONNECTED`, `TIMEOUT`, `OPENING`, `CONFLICT`, … */
  | { readonly type: 'state'; readonly state: string }
  /** It is over: `LOGOUT`, a state, or that all codes were shown. */
  | { readonly type: 'disconnected'; readonly reason: string }
  | { readonly type: 'battery'; readonly percent: number }
  | { readonly type: 'message'; readonly message: WebMessage; readonly people: AddressBook }
  | { readonly type: 'unreadable'; readonly message: WebMessage; readonly people: AddressBook }
  | { readonly type: 'ack'; readonly message: WebMessage; readonly ack: number }
  | { readonly type: 'edit'; readonly message: WebMessage; readonly body: string; readonly people: AddressBook }
  | { readonly type: 'revoke'; readonly message: WebMessage; readonly people: AddressBook }
  | {
      readonly type: 'reaction'
      /** Its own. */
      readonly id: string
      readonly of: WebMessage['id']
      readonly by: WidText
      readonly fromMe: boolean
      readonly emoji: string
      /** Seconds since 1970. */
      readonly t: number
      readonly people: AddressBook
    }
  | {
      readonly type: 'call'
      readonly id: string
      readonly from: WidText
      readonly video: boolean
      readonly people: AddressBook
    }
  | { readonly type: 'group'; readonly jid: WidText; readonly subject: string }
  | {
      readonly type: 'members'
      /** Its own. */
      readonly id: string
      readonly jid: WidText
      readonly change: 'join' | 'leave'
      /** Who came or went, by all addresses known. */
      readonly people: AddressBook
      /** Seconds since 1970. */
      readonly t: number
    }
  | { readonly type: 'moved'; readonly id: string; readonly from: WidText; readonly to: WidText }

export interface Heartbeat {
  /** Of this process and its browser together, in bytes; what the machine cannot tell is 0. */
  readonly rss: number
  readonly state: string
}

export type FromChild =
  | { readonly re: number; readonly ok: true; readonly value: unknown }
  | { readonly re: number; readonly ok: false; readonly error: { readonly code: string; readonly text: string } }
  /** The browser has it: from here on nobody can say that it was not sent. */
  | { readonly re: number; readonly handed: true }
  | { readonly ev: WebEvent }
  | { readonly hb: Heartbeat }

export type ToChild = ChildCommand & { readonly id: number }

/** Hands over the lines of a stream, as they become whole. */
export async function readLines(stream: ReadableStream<Uint8Array>, line: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part !== '') line(part)
  }
}
