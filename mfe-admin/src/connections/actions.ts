// Everything a person can do to a connection, by the names that `offers.ts` gives.
import type { Connection } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import {
  KeyRound,
  Link2,
  type LucideIcon,
  Pencil,
  QrCode,
  RefreshCcw,
  RotateCw,
  Smartphone,
  Trash2,
  Unplug,
} from 'lucide-react'
import type { MenuOffer, Offer } from './offers.ts'

/** The window that is open; the connection itself is always looked up, so a window never shows an old state. */
export type Window =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'qr' | 'pair' | 'remove' | 'logout' | 'fresh' | 'webhook'; readonly id: number }

/** What the actions may do to the page. */
export interface Desk {
  readonly open: (window: Window | null) => void
  readonly put: (connection: Connection) => void
  readonly reload: () => void
}

/** One thing a person can do to a connection; its name is the text `offer.<id>`. */
interface ConnectionAction {
  readonly id: string
  readonly icon: LucideIcon
  readonly danger?: boolean
  readonly perform: (connection: Connection, desk: Desk) => unknown
}

const ACTIONS: Readonly<Record<Exclude<Offer, 'connecting'> | MenuOffer, ConnectionAction>> = {
  /** One that lost its phone gets a new code. */
  qr: {
    id: 'qr',
    icon: QrCode,
    async perform({ id, status }, desk) {
      desk.open({ kind: 'qr', id })
      if (status === 'LOGGEDOUT') desk.put(await startAfresh(id))
    },
  },
  /** By a code typed on the phone, where a camera is not at hand. */
  pair: { id: 'pair', icon: Smartphone, perform: ({ id }, desk) => desk.open({ kind: 'pair', id }) },
  /** Now instead of waiting for the next try. */
  retry: { id: 'retry', icon: RotateCw, perform: async ({ id }, desk) => desk.put(await startSession(id)) },
  /** Where a phone is still paired it asks first, because that pairing is forgotten. */
  newQr: {
    id: 'newQr',
    icon: QrCode,
    async perform({ id, number, trouble }, desk) {
      if (number !== null && trouble?.next !== 'read_qr') return desk.open({ kind: 'fresh', id })
      desk.open({ kind: 'qr', id })
      desk.put(await startAfresh(id))
    },
  },
  disconnect: {
    id: 'disconnect',
    icon: Unplug,
    danger: true,
    perform: ({ id }, desk) => desk.open({ kind: 'logout', id }),
  },
  /** After Meta refused the key: the form, where a new one goes in. */
  token: { id: 'token', icon: KeyRound, perform: ({ id }, desk) => desk.open({ kind: 'edit', id }) },
  edit: { id: 'edit', icon: Pencil, perform: ({ id }, desk) => desk.open({ kind: 'edit', id }) },
  /** The pairing stays (spec 2 §4). */
  restart: {
    id: 'restart',
    icon: RefreshCcw,
    async perform({ id }, desk) {
      desk.put(await api('POST /whatsapp/restart/', { body: { whatsappId: id } }))
      toast.success(textsOf('connections')('restarting'))
    },
  },
  webhook: { id: 'webhook', icon: Link2, perform: ({ id }, desk) => desk.open({ kind: 'webhook', id }) },
  delete: { id: 'delete', icon: Trash2, danger: true, perform: ({ id }, desk) => desk.open({ kind: 'remove', id }) },
}

/** The action behind an offer; a kind that reconnects says 'Reconectar' where the others say 'Tentar de novo' (spec 2 §4). */
export function actionOf(
  offer: Exclude<Offer, 'connecting'> | MenuOffer,
  { capabilities }: Pick<Connection, 'capabilities'>,
): ConnectionAction {
  const action = ACTIONS[offer]
  return offer === 'retry' && capabilities.reconnect ? { ...action, id: 'reconnect' } : action
}

/** Starts the session; a QR code follows where one is needed. */
export function startSession(id: number) {
  return api('POST /whatsappsession/:id', { params: { id } })
}

/** Forgets the pairing; a new QR code follows. */
export function startAfresh(id: number) {
  return api('PUT /whatsappsession/:id', { params: { id } })
}
