// What the actions may do to the page: open a window, take a connection's newest state in, load afresh.
import type { Connection } from '@balcao/contract'

/** The window that is open; the connection itself is always looked up, so a window never shows an old state. */
export type Window =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'qr' | 'pair' | 'remove' | 'logout' | 'fresh' | 'webhook'; readonly id: number }

export interface Desk {
  readonly open: (window: Window) => void
  readonly put: (connection: Connection) => void
  readonly reload: () => Promise<void>
}
