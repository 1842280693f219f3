/** What the world and a page of WhatsApp Web tell each other, as JSON over one websocket. Addresses are those of the page: `…@c.us`, `…@lid`, `…@g.us`. */

/** A message in the fields the page keeps it with. */
export interface PageMessage {
  readonly id: string
  readonly chat: string
  readonly fromMe: boolean
  /** Who wrote it, in groups. */
  readonly author?: string
  /** Seconds since 1970. */
  readonly t: number
  readonly ack?: number
  readonly type: string
  readonly notifyName?: string
  readonly quote?: { readonly id: string; readonly by: string; readonly body: string }
  /** `body`, `caption`, `mimetype`, `lat`, `vcardList`, …, under the names of the page. */
  readonly fields: Readonly<Record<string, unknown>>
}

export interface PagePerson {
  readonly pn: string
  readonly lid: string
  readonly name: string
  /** The address its chat has. */
  readonly address: string
}

export interface PageGroup {
  readonly jid: string
  readonly subject: string
  readonly description: string
  readonly members: readonly { readonly id: string; readonly isAdmin: boolean }[]
}

export type PageFrame =
  | { readonly t: 'ref'; readonly ref: string }
  | {
      readonly t: 'linked'
      readonly key: string
      readonly me: PagePerson
      readonly people: readonly PagePerson[]
      readonly groups: readonly PageGroup[]
      /** What the phone's chats hold already. */
      readonly messages: readonly PageMessage[]
    }
  | { readonly t: 'person'; readonly person: PagePerson }
  | { readonly t: 'group'; readonly group: PageGroup; readonly subtype: string; readonly recipients: readonly string[] }
  | { readonly t: 'message'; readonly message: PageMessage }
  | { readonly t: 'edited'; readonly chat: string; readonly id: string; readonly text: string }
  | { readonly t: 'revoked'; readonly chat: string; readonly id: string }
  | { readonly t: 'reaction'; readonly chat: string; readonly id: string; readonly by: string; readonly emoji: string }
  | { readonly t: 'ack'; readonly chat: string; readonly id: string; readonly ack: number }
  | { readonly t: 'call'; readonly id: string; readonly from: string; readonly video: boolean }
  | { readonly t: 'state'; readonly state: string }
  | { readonly t: 'logout' }
  | { readonly t: 'answer'; readonly n: number; readonly value: unknown }

export type WorldFrame =
  | { readonly t: 'hello'; readonly key: string | null }
  | { readonly t: 'alt'; readonly n: number; readonly phone: string }
  | { readonly t: 'send'; readonly message: PageMessage; readonly data?: string }
  | { readonly t: 'edit'; readonly chat: string; readonly id: string; readonly text: string }
  | { readonly t: 'revoke'; readonly chat: string; readonly id: string }
  | { readonly t: 'react'; readonly chat: string; readonly id: string; readonly emoji: string }
  | { readonly t: 'seen'; readonly chat: string }
  | { readonly t: 'exists'; readonly n: number; readonly wid: string }
  | { readonly t: 'file'; readonly n: number; readonly path: string }
  | { readonly t: 'reject'; readonly to: string; readonly id: string }
  | { readonly t: 'logout' }
  /** The library asked for a module that the page does not have. */
  | { readonly t: 'unknown'; readonly name: string }
