// A connection that receives, and what comes in.
import { beforeEach } from 'bun:test'
import { type InboxResult, receiveEvents } from '../src/messaging/inbox/receive.ts'
import type { ChannelEvent, Peer } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'
import { setPlainSettings } from './inbox-world.ts'

export const lucia: Peer = { jid: '5531998762210@s.whatsapp.net', pn: '5531998762210', group: false }

export function ref(id: string) {
  return { chat: lucia.jid, id, fromMe: true }
}

export async function number(query: Promise<readonly { n?: number }[]>): Promise<number | undefined> {
  return (await query)[0]?.n
}

export async function startInbox() {
  const { db } = await createTestDatabase()
  const sql = db.$client
  let count = 0
  const [row] = await sql`insert into whatsapp (name, api) values ('Loja Centro', 'baileys') returning id`
  const connection = { id: row?.id, api: 'baileys' }

  beforeEach(async () => {
    await sql`truncate message, ticket, contact_identity, contact_channel, contact, raw_event, live_event, outbox, ticket_tally, queue cascade`
    await setPlainSettings(db)
  })

  function take(...events: ChannelEvent[]): Promise<InboxResult> {
    return receiveEvents(db, connection, events)
  }

  function text(
    chat: Peer,
    body: string,
    extra: { name?: string; at?: number; fromMe?: boolean; author?: Peer } = {},
  ): Extract<ChannelEvent, { type: 'message' }> {
    const { fromMe = false, at = Date.now(), ...rest } = extra
    return {
      type: 'message',
      ref: { chat: chat.jid, id: `MSG${++count}`, fromMe },
      chat,
      at,
      mediaType: 'chat',
      body,
      replay: false,
      raw: null,
      ...rest,
    }
  }

  return { db, sql, connection, take, text }
}
