// Everything a person can do to a connection, by the names that `connection-actions` of the contract gives.
import type { Connection } from '@balcao/contract'
import type { ConnectionOffer } from '@balcao/contract/connections/connection-actions'
import { api } from '@balcao/ui/api'
import { getTexts } from '@balcao/ui/i18n'
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
  Stethoscope,
  Trash2,
  Unplug,
} from 'lucide-react'

/** The window that is open; the connection itself is always looked up, so a window never shows an old state. */
export type Window =
  | { readonly kind: 'add' }
  | {
      readonly kind: 'edit' | 'greeting' | 'qr' | 'pair' | 'takeUp' | 'remove' | 'logout' | 'fresh' | 'webhook'
      readonly id: number
    }

/** What the actions may do to the page. */
export interface ConnectionPage {
  readonly open: (window: Window | null) => void
  /** Shows beside the list how a connection is doing. */
  readonly examine: (id: number | null) => void
  readonly put: (connection: Connection) => void
  readonly reload: () => void
}

/** One thing a person can do to a connection; its name is the text `offer.<id>`. */
export interface ConnectionAction {
  readonly id: string
  readonly icon: LucideIcon
  readonly danger?: boolean
  readonly perform: (connection: Connection, desk: ConnectionPage) => unknown
}

const ACTIONS: Readonly<Record<Exclude<ConnectionOffer, 'connecting'>, ConnectionAction>> = {
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
  /** After a backup: asks first whether the server it comes from is off for good. */
  takeUp: { id: 'takeUp', icon: RotateCw, perform: ({ id }, desk) => desk.open({ kind: 'takeUp', id }) },
  /** Now instead of waiting for the next try. */
  retry: { id: 'retry', icon: RotateCw, perform: tryAgain },
  /** The same where a lost connection is taken up again as it was paired (spec 2 §4). */
  reconnect: { id: 'reconnect', icon: RotateCw, perform: tryAgain },
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
  doctor: { id: 'doctor', icon: Stethoscope, perform: ({ id }, desk) => desk.examine(id) },
  edit: { id: 'edit', icon: Pencil, perform: ({ id }, desk) => desk.open({ kind: 'edit', id }) },
  /** The pairing stays (spec 2 §4). */
  restart: {
    id: 'restart',
    icon: RefreshCcw,
    async perform({ id }, desk) {
      desk.put(await api('POST /whatsapp/restart/', { body: { whatsappId: id } }))
      toast.success(getTexts('connections')('restarting'))
    },
  },
  /** The pairing goes, the conversations stay; the phone may be another one. */
  recreate: { id: 'recreate', icon: QrCode, danger: true, perform: ({ id }, desk) => desk.open({ kind: 'fresh', id }) },
  webhook: { id: 'webhook', icon: Link2, perform: ({ id }, desk) => desk.open({ kind: 'webhook', id }) },
  delete: { id: 'delete', icon: Trash2, danger: true, perform: ({ id }, desk) => desk.open({ kind: 'remove', id }) },
}

/** The action behind an offer. */
export function getConnectionAction(offer: Exclude<ConnectionOffer, 'connecting'>): ConnectionAction {
  return ACTIONS[offer]
}

/** Where no phone is linked yet a code follows, and is shown. */
async function tryAgain({ id, trouble, capabilities }: Connection, desk: ConnectionPage) {
  if (trouble?.next === 'read_qr' && capabilities.pair.includes('qr')) desk.open({ kind: 'qr', id })
  desk.put(await startSession(id))
}

/** Starts the session; a QR code follows where one is needed. */
export function startSession(id: number) {
  return api('POST /whatsappsession/:id', { params: { id } })
}

/** Forgets the pairing; a new QR code follows. */
export function startAfresh(id: number) {
  return api('PUT /whatsappsession/:id', { params: { id } })
}
