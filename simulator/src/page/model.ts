// What the phones page shows, as it travels from the simulator to the browser. Pure types: both sides import them.

import type { Network } from '../graph/people.ts'
import type { Tick } from '../whatsapp/phone.ts'

export type { Network, Tick }

export type Typing = 'composing' | 'recording'

export type BubbleKind =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'voice'
  | 'document'
  | 'sticker'
  | 'location'
  | 'contacts'
  | 'call'
  | 'poll'
  | 'card'
  | 'unknown'

export interface BubbleFile {
  /** Relative to the page. */
  url: string
  mime: string
  name?: string
  /** Bytes, where known. */
  size?: number
  seconds?: number
}

export interface Bubble {
  id: string
  /** Written by the owner of this phone. */
  mine: boolean
  at: string
  kind: BubbleKind
  text?: string
  file?: BubbleFile
  location?: { latitude: number; longitude: number; name?: string; address?: string }
  contacts?: { name: string; phone?: string }[]
  call?: { video: boolean; missed: boolean }
  /** Buttons, rows or poll options; those with an id can be pressed. */
  options?: { id?: string; title: string; by?: 'button' | 'button_reply' | 'list_reply' }[]
  header?: string
  footer?: string
  quote?: { mine: boolean; text: string }
  reactions: string[]
  edited?: boolean
  deleted?: boolean
  tick?: Tick
  /** Why it does not come to the desk. */
  note?: string
}

export interface ChatLine {
  id: string
  name: string
  number: string
  preview: string
  at?: string
  unread: number
  /** The last words are the owner's. */
  mine: boolean
  /** The owner asked not to be written to: 'SAIR' is among the newest words. */
  left: boolean
  blocked: boolean
}

export interface PhoneDevice {
  id: string
  name: string
  online: boolean
  /** When it was last online. */
  seenAt?: string
}

export interface PhoneView {
  id: string
  role: 'customer' | 'company'
  name: string
  /** What stands beside the name: the number, or the connection a company phone belongs to. */
  label: string
  network: Network
  /** The number has WhatsApp. */
  onWhatsApp: boolean
  /** One of many that stand on the wall only. */
  crowd: boolean
  chats: ChatLine[]
  /** The chat on the screen; none shows the list of chats (customers) or the linked devices (company). */
  open?: string
  peer?: {
    name: string
    subtitle: string
    typing?: Typing
    canCall: boolean
    canEdit: boolean
    blocked: boolean
    samples: readonly SampleMessage[]
  }
  bubbles: Bubble[]
  devices: PhoneDevice[]
}

export interface WorldNotice {
  id: number
  at: string
  actor: string
  action: string
}

/** A connection that shows a QR now. */
export interface Scan {
  connection: string
  qr: string
}

export interface PageState {
  phones: PhoneView[]
  happenings: WorldNotice[]
  scans: Scan[]
}

/** Frames of the live stream. */
export type Frame =
  | { type: 'state'; state: PageState }
  | { type: 'phones'; phones: PhoneView[] }
  | { type: 'happening'; happening: WorldNotice }
  | { type: 'scans'; scans: Scan[] }

export interface PhoneContactCard {
  name: string
  phone: string
}

/** What customers send often besides words and files: a cart, a Pix key, the first words after an advertisement, a photo in HD. */
export type SampleMessage = 'cart' | 'pix' | 'ad' | 'hd'

/** What a phone sends, apart from files: those come as multipart with `FileFacts`. */
export type SendRequestBody =
  | { type: 'text'; text: string; quote?: string }
  | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  | { type: 'contacts'; contacts: PhoneContactCard[] }
  | { type: 'sample'; sample: Exclude<SampleMessage, 'hd'> }
  | { type: 'option'; of: string; id: string; title: string; by: 'button' | 'button_reply' | 'list_reply' }

export interface PhoneFile {
  kind: 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'
  caption?: string
  seconds?: number
  /** The better file of the photo sent last. */
  better?: boolean
}
