// Short notices, at the top right where nothing is pressed there: `toast.success('Ticket finalizado!')`. The shell draws them (`Toasts`).
import { keepSessionState } from '../../session/scope.ts'

export interface ToastNotice {
  readonly id: number
  readonly kind: 'success' | 'error' | 'warning' | 'info'
  readonly text: string
  readonly detail?: string
  readonly action?: { readonly label: string; readonly perform: () => void }
  readonly key: string
  /** How long it stays; 3 s unless given. */
  readonly shownMs: number
}

interface Options {
  /** One more line. */
  readonly detail?: string
  /** One thing to do about it: 'Reabrir', 'Ver'. */
  readonly action?: ToastNotice['action']
  /** A notice with the same key replaces the one before. Unless given it is the text, and its own where there is something to do: each keeps its way back. */
  readonly key?: string
  /** For what a colleague waits for: longer than the 3 s of a mere notice. */
  readonly shownMs?: number
}

const MOST = 3
const SHOWN_MS = 3000
let lastId = 0

/** The notices on the screen, newest last. Only `Toasts` reads it. */
export const notices = keepSessionState<{ list: ToastNotice[] }>(() => ({ list: [] }))

/** Tells the person something for 3 seconds; errors they must act on also have to stay in place. */
export const toast = {
  success: (text: string, options?: Options) => show('success', text, options),
  error: (text: string, options?: Options) => show('error', text, options),
  /** Nothing went wrong, but what was asked for cannot be. */
  warning: (text: string, options?: Options) => show('warning', text, options),
  info: (text: string, options?: Options) => show('info', text, options),
  /** Takes a notice away by its id or key. */
  close(which: number | string) {
    notices.list = notices.list.filter(notice => notice.id !== which && notice.key !== which)
  },
}

function show(kind: ToastNotice['kind'], text: string, { detail, action, key, shownMs = SHOWN_MS }: Options = {}) {
  lastId += 1
  const ownKey = key ?? (action ? `${text} ${lastId}` : text)
  const notice: ToastNotice = { id: lastId, kind, text, detail, action, key: ownKey, shownMs }
  // The same words never stand twice: why a session ended is also what the call that found out was refused with. What goes on otherwise,
  // or has a button of its own, is another thing.
  const same = notices.list.find(other => other.text === text && other.detail === detail && other.key !== ownKey)
  if (same && !action) return same.id
  notices.list = [...notices.list.filter(other => other.key !== ownKey), notice].slice(-MOST)
  return lastId
}
