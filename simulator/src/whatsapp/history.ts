/** What a device gets after login: what it missed, and at the first login the chats of the phone. */
import { deflateSync } from 'node:zlib'
import { encodeWAMessage, proto } from '@whiskeysockets/baileys'
import type { Companion } from './companion'
import type { PhoneContent } from './content'
import { createNode, toSeconds } from './nodes'
import { makeMessageId, type Phone } from './phone'
import type { WhatsAppNetwork } from './world'

/** The stanzas that wait come first, marked as offline; then the device is told that this was all. */
export async function bringUpToDate(world: WhatsAppNetwork, companion: Companion): Promise<void> {
  if (companion.active) return
  const waiting = companion.waiting
  companion.connection?.send(
    createNode('ib', {}, [createNode('offline_preview', { count: String(waiting), message: String(waiting) })]),
  )
  companion.replay()
  companion.active = true
  companion.connection?.send(createNode('ib', {}, [createNode('offline', { count: String(waiting) })]))
  world.emit({ type: 'online', company: companion.company.user, device: companion.device, replayed: waiting })
  if (companion.hasHistory) return
  companion.hasHistory = true
  if (world.knobs.history) await sendHistory(world, companion)
}

async function sendHistory(world: WhatsAppNetwork, companion: Companion): Promise<void> {
  const { company } = companion
  const conversations = company.chatNames().map(name => createConversation(world, company, name))
  const payload = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    conversations,
    chunkOrder: 1,
    progress: 100,
  }).finish()
  const message: proto.IMessage = {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP,
        initialHistBootstrapInlinePayload: deflateSync(payload),
        chunkOrder: 1,
        progress: 100,
      },
    },
  }
  const { type, ciphertext } = await company.signal.encrypt(companion.lid, encodeWAMessage(message), () =>
    companion.bundle(),
  )
  companion.push(
    createNode('message', { from: company.jid, id: makeMessageId(), t: toSeconds(), type: 'text', category: 'peer' }, [
      createNode('enc', { v: '2', type }, ciphertext),
    ]),
  )
}

function createConversation(world: WhatsAppNetwork, company: Phone, name: string): proto.IConversation {
  const other = world.byNumber(name)
  const id = other?.lid ?? name
  const messages = company.messages(name).map(message => ({
    message: {
      key: { remoteJid: id, fromMe: message.fromMe, id: message.id },
      message: createRawMessage(world, message.content),
      messageTimestamp: Math.floor(message.at.getTime() / 1000),
      pushName: message.fromMe ? company.name : (world.byNumber(message.from)?.name ?? null),
    },
  }))
  return {
    id,
    messages: messages.reverse(),
    ...(other && { pnJid: other.jid, lidJid: other.lid, displayName: other.name }),
  }
}

/** The message of the protocol behind what a phone remembers. */
function createRawMessage(world: WhatsAppNetwork, content: PhoneContent): proto.IMessage {
  if (content.type === 'text') return { conversation: content.text }
  if (content.type === 'location') {
    const { latitude, longitude, name, address } = content
    return {
      locationMessage: {
        degreesLatitude: latitude,
        degreesLongitude: longitude,
        name: name ?? null,
        address: address ?? null,
      },
    }
  }
  if (content.type === 'contacts') {
    const contacts = content.contacts.map(({ name, vcard }) => ({ displayName: name, vcard }))
    return { contactsArrayMessage: { contacts } }
  }
  if (!('media' in content)) return { conversation: `[${content.type}]` }
  const { media, mimetype, caption = null, fileName = null, seconds: duration = null } = content
  const url = `${world.downloadHost}${media.path}`
  const file = { url, mediaKey: media.key, fileLength: media.length, fileSha256: media.sha256, mimetype }
  switch (content.type) {
    case 'image':
      return { imageMessage: { ...file, caption } }
    case 'video':
      return { videoMessage: { ...file, caption, seconds: duration } }
    case 'sticker':
      return { stickerMessage: file }
    case 'document':
      return { documentMessage: { ...file, caption, fileName } }
    default:
      return { audioMessage: { ...file, seconds: duration, ptt: content.type === 'voice' } }
  }
}
