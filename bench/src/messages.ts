// Neutral events as a channel tells them.
import type { ChannelEvent } from '@balcao/backend/platform/channel/driver'

/** A text from a phone number, as Baileys would bring it. */
export function makeTextMessage(number: string, id: string, body: string): ChannelEvent {
  const jid = `${number}@s.whatsapp.net`
  return {
    type: 'message',
    ref: { chat: jid, id, fromMe: false },
    chat: { jid, pn: number, group: false },
    at: Date.now(),
    name: `Cliente ${number.slice(-4)}`,
    mediaType: 'chat',
    body,
    replay: false,
    raw: { key: { remoteJid: jid, id, fromMe: false }, message: { conversation: body } },
  }
}
