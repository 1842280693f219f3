// The kinds of connection: what each can do, takes and asks for. The one table that names them; everything else asks it for a capability.

import type { FaultCode } from '../kit/app-error.ts'
import { MB } from '../kit/limits.ts'
import type { Capabilities } from './connection.ts'
import type { LibraryFault } from './connection-health.ts'
import { KINDS, type Kind } from './kind-names.ts'

/** Neutral acknowledgement a channel reports. It may only grow; `error` is final unless something better was known. */
export type Ack = 'error' | 'pending' | 'sent' | 'delivered' | 'read'

/** A field of the connection form that is this kind's own (spec 2 §2). A secret is sealed, and never leaves the server again. */
export interface KindField {
  readonly name: 'phoneNumberId' | 'wabaId' | 'tokenMeta' | 'metaIntegration'
  readonly type: 'digits' | 'secret' | 'switch'
  readonly required?: true
  /** What a value must look like. */
  readonly form?: RegExp
  /** What is said of a wrong one, in `texts/faults`; of a missing one, that it is. */
  readonly fault?: FaultCode<'connection'>
}

/** What a connection's own fields say, and the secret its gateway signs with, which is made and entered nowhere. */
export type KindConfig = Readonly<Partial<Record<KindField['name'] | 'webhookSecret', string | boolean>>>

/** A library or service, and which of its versions are known not to work: sources in docs/connection-libraries.md. */
export interface KindLibrary {
  readonly name: string
  readonly fault?: LibraryFault
  /** Every version before this one. */
  readonly least?: string
  /** Versions up to this one, from a day on. */
  readonly ends?: readonly (readonly [version: string, day: string])[]
}

export interface KindFacts {
  /** The name as the specification writes it. */
  readonly label: string
  /** Whether connections of it can be added today. */
  readonly offered: boolean
  /** Shown at once to who adds a connection, one of them as recommended; the others on demand. */
  readonly prominence: 'recommended' | 'first' | 'other'
  readonly can: Capabilities
  readonly fields: readonly KindField[]
  /** The longest text of a message and of the words under a file, in UTF-16 units; all files of one sending together, in bytes (spec 1 §5). */
  readonly most: { readonly text: number; readonly caption: number; readonly files: number }
  /** What it speaks to WhatsApp with. */
  readonly library: KindLibrary
  /** Its provider posts to `/webhooks/{this}/{whatsappId}`. */
  readonly webhookPath?: string
  /** Runs behind a gateway whose address the server is told (`GOWA_URL`); what it posts is signed with the connection's own secret. */
  readonly gateway?: true
  /** The numbers of its acknowledgements (spec 1 §4): the first of each is told, the others are understood. */
  readonly acks: Readonly<Record<Ack, readonly number[]>>
}

/** A device of a WhatsApp account, linked by a code. */
const LINKED_DEVICE: Capabilities = {
  pair: ['qr', 'code'],
  qrTtlMs: 15_000,
  qrAskMs: 0,
  edit: { windowMin: 15 },
  revoke: true,
  react: true,
  groups: true,
  profile: false,
  typing: true,
  check: true,
  contactsSync: true,
  calls: true,
  templates: false,
  menus: false,
  window24h: false,
  webhook: false,
  reconnect: false,
  resendSafe: true,
  maxBytes: { image: 20 * MB, audio: 20 * MB, video: 20 * MB, application: 20 * MB, sticker: 20 * MB },
}
const LINKED_MOST = { text: 65_536, caption: 65_536, files: 20 * MB }

export const KIND_TABLE: Readonly<Record<Kind, KindFacts>> = {
  baileys: {
    label: 'API 1 W',
    offered: true,
    prominence: 'recommended',
    can: LINKED_DEVICE,
    fields: [],
    most: LINKED_MOST,
    acks: { error: [0], pending: [1], sent: [2, 1], delivered: [3], read: [4, 5] },
    library: { name: '@whiskeysockets/baileys', fault: 'no_hidden_ids', least: '7' },
  },
  /** Driven through a browser, which gives the ids. */
  wwebjs: {
    label: 'API 2 B',
    offered: true,
    prominence: 'other',
    can: { ...LINKED_DEVICE, typing: false, resendSafe: false },
    fields: [],
    library: { name: 'whatsapp-web.js', fault: 'old_web', least: '1.34' },
    most: LINKED_MOST,
    acks: { error: [-1], pending: [0], sent: [1, 0], delivered: [2], read: [3, 4] },
  },
  /** Behind a gateway, which takes larger files, gives the ids, and renews a code for who asks. */
  meow: {
    label: 'API 3 M',
    offered: true,
    prominence: 'other',
    can: {
      ...LINKED_DEVICE,
      qrTtlMs: 30_000,
      qrAskMs: 15_000,
      reconnect: true,
      typing: false,
      resendSafe: false,
      maxBytes: { image: 20 * MB, audio: 100 * MB, video: 100 * MB, application: 100 * MB, sticker: 20 * MB },
    },
    fields: [],
    webhookPath: 'meow',
    gateway: true,
    library: { name: 'go-whatsapp-web-multidevice' },
    most: { ...LINKED_MOST, files: 100 * MB },
    acks: { error: [0], pending: [1], sent: [1], delivered: [2], read: [3] },
  },
  cloud_api: {
    label: 'Meta Cloud API',
    offered: true,
    prominence: 'first',
    can: {
      pair: ['token'],
      qrTtlMs: 0,
      qrAskMs: 0,
      edit: false,
      revoke: false,
      react: true,
      groups: false,
      profile: false,
      typing: false,
      check: false,
      contactsSync: false,
      calls: false,
      templates: true,
      menus: true,
      window24h: true,
      webhook: true,
      reconnect: false,
      resendSafe: false,
      maxBytes: { image: 5 * MB, audio: 16 * MB, video: 16 * MB, application: 100 * MB, sticker: 512_000 },
    },
    fields: [
      {
        name: 'phoneNumberId',
        type: 'digits',
        required: true,
        form: /^\d{5,64}$/,
        fault: 'phoneNumberIdWrong',
      },
      { name: 'wabaId', type: 'digits', form: /^\d{0,64}$/, fault: 'wabaIdWrong' },
      { name: 'tokenMeta', type: 'secret', required: true },
      { name: 'metaIntegration', type: 'switch' },
    ],
    library: {
      name: 'Graph API',
      fault: 'graph_ended',
      ends: [
        ['v20.0', '2026-09-24'],
        ['v21.0', '2027-01-21'],
        ['v25.0', '2028-07-29'],
      ],
    },
    webhookPath: 'cloud',
    most: { text: 4096, caption: 1024, files: 20 * MB },
    acks: { error: [5], pending: [0], sent: [1, 0], delivered: [2], read: [3, 4] },
  },
}

/** Taken where a message goes over no connection, or nobody knows yet over which: nothing is asked of it. */
export const ANY_KIND: Kind = KINDS[0]

/** What a kind of connection can do (spec 1 §1). */
export function getCapabilities(kind: Kind): Capabilities {
  return KIND_TABLE[kind].can
}

/** Whether it is a device linked to somebody's phone: it can be unlinked, and goes when the phone lets it go. */
export function isLinkedDevice({ pair }: Pick<Capabilities, 'pair'>): boolean {
  return pair.some(way => way !== 'token')
}

/** The kinds that can do something, for statements: `filterKinds(can => can.window24h)`. */
export function filterKinds(can: (capabilities: Capabilities) => boolean): Kind[] {
  return KINDS.filter(kind => can(getCapabilities(kind)))
}

/**
 * The fields of a kind's own that are wrong. What is left out stays as it is; a secret may be left out or empty only where one is
 * kept already.
 */
export function findInvalidFields(
  kind: Kind,
  values: Readonly<Partial<Record<KindField['name'], string | boolean | undefined>>>,
  keepsSecret: boolean,
): KindField[] {
  return KIND_TABLE[kind].fields.filter(({ name, type, required, form }) => {
    const value = values[name]
    const text = typeof value === 'string' ? value.trim() : ''
    if (type === 'secret') return required && !keepsSecret && text === ''
    return value !== undefined && form?.test(text) === false
  })
}
