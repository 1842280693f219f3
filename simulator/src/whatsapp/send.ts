/** From a phone to everybody in a chat: the phones see it at once, linked devices get it encrypted. */
import { type BinaryNode, encodeWAMessage, type proto } from '@whiskeysockets/baileys'
import type { BrowserDevice } from '../wwebjs/device'
import { applyTick, show } from './chats'
import type { Companion } from './companion'
import { CompanyPhone } from './company'
import { type ComposedMessage, compose, type OutgoingMessage } from './compose'
import { CustomerPhone, isDeaf } from './customer'
import { deliver } from './deliver'
import { ChatGroup } from './group'
import { createNode, toSeconds } from './nodes'
import { makeMessageId, type Phone } from './phone'
import { confirm } from './receipts'
import type { WhatsAppNetwork } from './world'

export interface SendOptions {
  id?: string
  /** The provider's time of the message; now, if not given. */
  at?: Date
  /** Through the sender's broadcast list: everybody on it gets it in his private chat. */
  list?: boolean
  /** Written on a page of WhatsApp Web: it reaches a phone when that is on, and its ticks come as for what a device sends. */
  through?: BrowserDevice
}

export async function sendFrom(
  world: WhatsAppNetwork,
  sender: Phone,
  to: Phone | ChatGroup,
  outgoing: OutgoingMessage,
  { id = makeMessageId(), at = new Date(), list = false, through }: SendOptions = {},
): Promise<string> {
  const composed = await compose(world, outgoing, {
    keyOf: referred => createMessageKey(sender, to, referred),
    secretOf: referred => sender.find(referred)?.secret,
    address: to instanceof ChatGroup ? to.addressOf(sender) : getAddress(sender),
  })
  const { content, change, quote, secret, timer } = composed
  const viewers = to instanceof ChatGroup ? [...new Set([sender, ...to.members])] : [sender, to]
  for (const viewer of viewers) {
    if (!(to instanceof ChatGroup) && isDeaf(viewer, sender)) continue
    const chat = to instanceof ChatGroup ? to.jid : viewer === sender ? to.user : sender.user
    const reach = () => {
      show(world, viewer, { id, chat, author: sender, at, content, change, quote, secret, timer })
      if (!through || viewer === sender) return
      const group = to instanceof ChatGroup ? to : undefined
      confirm(world, through, viewer, {
        id,
        to: to instanceof ChatGroup ? to.jid : getAddress(to),
        group,
        shown: content !== undefined,
      })
    }
    if (through && viewer instanceof CustomerPhone && !viewer.online) viewer.inbox.push(reach)
    else reach()
  }
  if (!through && sender instanceof CompanyPhone && to instanceof CustomerPhone && to.online && to.hears(sender)) {
    applyTick(world, sender, id, 'delivered', to)
  }
  const devices = viewers.flatMap(viewer => (viewer instanceof CompanyPhone ? viewer.devices : []))
  const sealed = { id, at, composed, list }
  await Promise.all(devices.map(device => sendToDevice(world, sender, to, device, sealed)))
  return id
}

interface SealedMessage {
  id: string
  at: Date
  composed: ComposedMessage
  list: boolean
}

function sendToDevice(
  world: WhatsAppNetwork,
  sender: Phone,
  to: Phone | ChatGroup,
  device: Companion,
  sealed: SealedMessage,
): Promise<void> {
  const encrypt = () =>
    to instanceof ChatGroup
      ? createGroupStanza(sender, to, device, sealed)
      : createDirectStanza(sender, to, device, sealed)
  return deliver(world, sender, device, encrypt)
}

async function createDirectStanza(
  sender: Phone,
  to: Phone,
  device: Companion,
  sealed: SealedMessage,
): Promise<BinaryNode> {
  const { message } = sealed.composed
  const own = sender === device.company
  const address = getAddress(own ? to : sender)
  const plain = own ? { deviceSentMessage: { destinationJid: address, message } } : message
  return createStanza(sealed, sender, own ? getOwnAttributes(sender, to) : getAttributes(sender, sealed.list), [
    await seal(sender, device, plain),
  ])
}

async function createGroupStanza(
  sender: Phone,
  group: ChatGroup,
  device: Companion,
  sealed: SealedMessage,
): Promise<BinaryNode> {
  const made = await sender.signal.encryptForGroup(group.jid, encodeWAMessage(sealed.composed.message))
  const content = [createNode('enc', { v: '2', type: 'skmsg' }, made.ciphertext)]
  const known = `${group.jid}/${sender.user}`
  if (!device.senderKeys.has(known)) {
    device.senderKeys.add(known)
    const senderKey = { groupId: group.jid, axolotlSenderKeyDistributionMessage: made.senderKey }
    content.unshift(await seal(sender, device, { senderKeyDistributionMessage: senderKey }))
  }
  return createStanza(sealed, sender, { from: group.jid, ...group.participantAttrs(sender) }, content)
}

function createStanza(
  { id, at, composed }: SealedMessage,
  sender: Phone,
  attrs: Record<string, string | undefined>,
  content: BinaryNode[],
): BinaryNode {
  const common = { id, t: toSeconds(at), type: composed.kind, notify: sender.name, edit: composed.edit }
  return createNode('message', { ...common, ...attrs }, content)
}

async function seal(sender: Phone, device: Companion, message: proto.IMessage): Promise<BinaryNode> {
  const { type, ciphertext } = await sender.signal.encrypt(device.lid, encodeWAMessage(message), () => device.bundle())
  return createNode('enc', { v: '2', type }, ciphertext)
}

/** The address companies see a phone under. */
export function getAddress(phone: Phone): string {
  return phone instanceof CustomerPhone ? phone.address : phone.lid
}

function getAttributes(sender: Phone, list: boolean): Record<string, string | undefined> {
  const lid = getAddress(sender).endsWith('@lid')
  const hidden = sender instanceof CustomerPhone && sender.withoutAlternate
  const other = hidden ? undefined : lid ? sender.jid : sender.lid
  if (list)
    return {
      from: `17${sender.user}@broadcast`,
      participant: getAddress(sender),
      addressing_mode: lid ? 'lid' : 'pn',
      [lid ? 'participant_pn' : 'participant_lid']: other,
    }
  return {
    from: getAddress(sender),
    addressing_mode: lid ? 'lid' : 'pn',
    [lid ? 'sender_pn' : 'sender_lid']: other,
  }
}

function getOwnAttributes(sender: Phone, to: Phone): Record<string, string | undefined> {
  const recipient = getAddress(to)
  const lid = recipient.endsWith('@lid')
  return {
    from: lid ? sender.lid : sender.jid,
    recipient,
    addressing_mode: lid ? 'lid' : 'pn',
    ...(lid ? { peer_recipient_pn: to.jid } : { peer_recipient_lid: to.lid }),
  }
}

function createMessageKey(sender: Phone, to: Phone | ChatGroup, id: string): proto.IMessageKey {
  if (to instanceof ChatGroup) {
    const message = sender.message(to.jid, id)
    const author = message && to.members.find(member => member.user === message.from)
    return {
      remoteJid: to.jid,
      id,
      fromMe: message?.fromMe ?? false,
      ...(author && { participant: to.addressOf(author) }),
    }
  }
  const fromMe = sender.message(to.user, id)?.fromMe ?? false
  const remoteJid = sender instanceof CustomerPhone && sender.addressing === 'pn' ? to.jid : getAddress(to)
  return { remoteJid, id, fromMe }
}
