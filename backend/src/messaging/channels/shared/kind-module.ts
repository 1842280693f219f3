// What a kind of connection is while none of it runs.
import type {
  ChannelEvent,
  Driver,
  DriverConnection,
  DriverHost,
  InboundMessage,
  PersonNames,
} from '../../../platform/channel/driver.ts'
import type { Db } from '../../../platform/database/client.ts'

/** What a sealed edit says. */
export type Unsealed = Pick<Extract<ChannelEvent, { type: 'edit' }>, 'body' | 'details' | 'at'>

/** What a kind of connection is while none of it runs. */
export interface KindModule {
  /** A driver for one connection, not started. Absent: connections of this kind can be configured, but not run. */
  readonly createDriver?: (connection: DriverConnection, host: DriverHost) => Driver | Promise<Driver>
  /** Forgets the pairing of a connection of which nothing runs; absent where there is none to forget. */
  readonly forget?: (db: Db, connectionId: number, config: DriverHost['config']) => Promise<void>
  /** Whether what a connection was paired with is on this machine; absent where it lies in the database. */
  readonly isPairedHere?: (connectionId: number, config: DriverHost['config']) => boolean
  /** Where a message goes to somebody known by these names (a group is its own address). Null: this kind reaches nobody by them. */
  readonly addressOf: (names: PersonNames) => string | null
  /** The text a provider that posts to us wants to hear when the address is set up; null: it does not know the secret. */
  readonly challenge?: (query: URLSearchParams, config: DriverHost['config']) => string | null
  /** What is in an edit that came sealed, by the secret of its message; null if it is another's, or nothing a conversation shows. */
  readonly unseal?: (sealed: unknown, secret: string) => Promise<Unsealed | null>
  /** A message from the `raw` that was kept of it, as this version understands it; null if it is none. */
  readonly reread?: (raw: unknown) => InboundMessage | null | Promise<InboundMessage | null>
  /** The host outside that its connections talk to; null: none is set up. */
  readonly host: (config: DriverHost['config']) => string | null
  /** What could not be tried before there was a real host, for the doctor (docs/decisions/0232). */
  readonly assumed?: Assumed
}

export interface Assumed {
  readonly code: 'assumption.pairing' | 'assumption.browser' | 'assumption.official'
  /** What is seen of a stand-in proves nothing. */
  readonly isReal: (config: DriverHost['config']) => boolean
  /** What proves it: that a connection ever had its number, or that a template arrived, which a signed webhook tells. */
  readonly seenBy: 'number' | 'template'
  /** The socket that is opened to try where no connection proves it. */
  readonly socket?: string
}
