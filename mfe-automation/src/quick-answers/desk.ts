import type { QuickAnswer } from '@balcao/contract'

/** The window that is open. */
export type Window = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly answer: QuickAnswer }

/** What the actions may do to the page. */
export interface Desk {
  readonly open: (window: Window) => void
  readonly focusSearch: () => void
}
