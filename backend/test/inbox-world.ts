// What channels tell the inbox, in short words.
import { toSettingTexts } from '@balcao/contract'
import { ALWAYS_OPEN } from '../src/app/seed/always-open.ts'
import type { ChangeEvent } from '../src/messaging/inbox/changes.ts'
import { type InboxResult, receiveEvents } from '../src/messaging/inbox/receive.ts'
import type { ChannelEvent, InboundMessage, Peer } from '../src/platform/channel/driver.ts'
import type { Db } from '../src/platform/database/client.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { settings } from '../src/policy/settings/table.ts'

export interface InboxFixture {
  readonly whatsappId: number
  take(...events: readonly ChannelEvent[]): Promise<InboxResult>
  /** Forgets all that came in. */
  empty(): Promise<void>
}

/** A connection whose inbox takes what it is told. */
export async function makeInbox(db: Db, api: 'baileys' | 'cloud_api' = 'baileys'): Promise<InboxFixture> {
  const sql = db.$client
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api) values (${api === 'baileys' ? 'Loja Centro' : 'Loja Savassi'}, ${api}) returning id`
  if (!row) throw new Error('A connection could not be made')
  return {
    whatsappId: row.id,
    take: (...events) => receiveEvents(db, { id: row.id }, events),
    async empty() {
      await sql`truncate message, ticket, contact_identity, contact_channel, contact, raw_event, live_event, outbox, ticket_tally, log_entry cascade`
    },
  }
}

/** Settings as the tests have them: the defaults, of a company that is always open. */
export async function setPlainSettings(db: Db): Promise<void> {
  await db.delete(settings)
  await db.insert(settings).values(toSettingTexts(ALWAYS_OPEN).map(([key, value]) => ({ key, value })))
  clearSettingsCache(db)
}

let count = 0

/** Somebody by phone, by hidden address, or by both. */
export function makePeer(names: { readonly pn?: string; readonly lid?: string; readonly bsuid?: string }): Peer {
  const jid = names.lid ? `${names.lid}@lid` : names.pn ? `${names.pn}@s.whatsapp.net` : (names.bsuid ?? '')
  return { jid, ...names, ...(names.lid && { lid: `${names.lid}@lid` }), group: false }
}

export function makeGroupPeer(id: string): Peer {
  return { jid: `${id}@g.us`, group: true }
}

export function makeMessageEvent(
  chat: Peer,
  body: string,
  { id = `MSG${++count}`, fromMe = false, at = Date.now(), ...rest }: SaysMore = {},
): InboundMessage {
  const ref = { chat: chat.jid, id, fromMe }
  return { type: 'message', ref, chat, at, mediaType: 'chat', body, replay: false, raw: null, ...rest }
}

type SaysMore = Partial<Pick<InboundMessage, 'at' | 'author' | 'name' | 'quote' | 'mediaType'>> & {
  readonly id?: string
  readonly fromMe?: boolean
}

/** Somebody changes, in a chat, the message of this id. */
export function makeEditEvent(
  chat: Peer,
  id: string,
  body: string,
  { own, ...more }: ChangesMore & { own?: string } = {},
): ChangeEvent {
  return { type: 'edit', ...named(chat, id, more), ...(own && { id: own }), body, at: more.at ?? Date.now() }
}

export function makeRevokeEvent(chat: Peer, id: string, more: ChangesMore = {}): ChangeEvent {
  return { type: 'revoke', ...named(chat, id, more), at: more.at ?? Date.now() }
}

export function makeReactionEvent(
  chat: Peer,
  id: string,
  emoji: string,
  more: ChangesMore & { name?: string; own?: string } = {},
): ChangeEvent {
  const { fromMe = false, by = chat, at = Date.now(), name, own } = more
  const ref = { chat: chat.jid, id, fromMe: false }
  return { type: 'reaction', ref, ...(own && { id: own }), chat, by, fromMe, emoji, at, ...(name && { name }) }
}

interface ChangesMore {
  readonly fromMe?: boolean
  readonly by?: Peer
  readonly at?: number
}

function named(chat: Peer, id: string, { fromMe = false, by }: ChangesMore) {
  return { ref: { chat: chat.jid, id, fromMe }, chat, ...(by && { by }) }
}
