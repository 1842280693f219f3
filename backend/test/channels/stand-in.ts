// What the channel suite needs of a provider's stand-in: a customer who writes and reads, and trouble on request.
import type { ConnectionTrouble } from '@balcao/contract'
import type { Driver } from '../../src/platform/channel/driver.ts'
import type { ChannelDesk } from './desk.ts'

export type CustomerMessage =
  | { readonly type: 'text'; readonly text: string; readonly quote?: string; readonly timer?: number }
  | {
      readonly type: 'image' | 'audio' | 'voice' | 'video' | 'document' | 'sticker'
      readonly bytes: Uint8Array
      readonly caption?: string
      readonly name?: string
    }
  | { readonly type: 'location'; readonly lat: number; readonly lng: number; readonly name: string }
  | { readonly type: 'contacts'; readonly contacts: readonly { readonly name: string; readonly number: string }[] }
  | { readonly type: 'reaction'; readonly of: string; readonly emoji: string }
  /** A kind nobody has met yet. */
  | { readonly type: 'novelty' }

/** A message as the customer's phone shows it. */
export interface SeenMessage {
  readonly id: string
  readonly type: string
  readonly text: string
  readonly bytes?: Uint8Array
  readonly quote?: string
  readonly reaction?: string
  readonly edited: boolean
  readonly revoked: boolean
  /** Seconds after which it vanishes. */
  readonly timer?: number
}

export interface StandIn {
  readonly desk: ChannelDesk
  /** The driver that runs now; `restart` puts a new one in its place. */
  readonly driver: Driver
  /** The customer's address, as the desk sends to it. */
  readonly address: string
  readonly phone: string
  /** What the provider does not carry though its kind can do the rest: it goes without, or is refused. */
  readonly lacks?: readonly ('placeName' | 'takingReactionsBack' | 'timers' | 'fileHashes')[]
  /** From nothing to CONNECTED, as an administrator would do it. */
  connect(): Promise<void>
  /** The process ends and another one starts the connection again. */
  restart(): Promise<void>
  /** The customer sends; resolves with the provider's id when it left the phone. */
  says(message: CustomerMessage): Promise<string>
  /** The customer opens the chat. */
  reads(): void
  /** What the business sent, as the customer sees it. */
  seen(id: string): Promise<SeenMessage | undefined>
  /** While it runs the desk cannot be reached; what is sent then comes afterwards. */
  whileAway(work: () => Promise<void>): Promise<void>
  /** What comes now comes twice. */
  twice(work: () => Promise<unknown>): Promise<void>
  /** What is sent now is delivered and read, and the receipts come last first. */
  receiptsReversed(work: () => Promise<unknown>): Promise<void>
  /** While it runs, files arrive with these bytes; only of a kind whose files are not fetched in this process. */
  whileFilesAre?<T>(spoil: (bytes: Uint8Array) => Uint8Array, work: () => Promise<T>): Promise<T>
  /** Ends the connection the way the provider does, and what the driver must then tell. */
  readonly ends: readonly {
    readonly code: string
    readonly reason: ConnectionTrouble['reason'] | null
    readonly next: ConnectionTrouble['next']
    /** Whether the driver comes back without anybody's help. */
    readonly comesBack: boolean
    readonly cause: () => Promise<void>
  }[]
  /** The account is unlinked or its token withdrawn, from the provider's side. */
  unlink(): Promise<void>
  /** The provider refuses the next message for good. @returns the code it gives */
  refuseNext(): string
  close(): Promise<void>
}
