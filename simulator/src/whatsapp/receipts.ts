/** Ticks in both directions. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { applyTick } from './chats'
import type { Companion } from './companion'
import { CompanyPhone } from './company'
import { CustomerPhone } from './customer'
import { computeDelay, mergeKnobs, runAfter } from './deliver'
import type { ChatGroup } from './group'
import { uploadAgain } from './media-retry'
import { createNode, encodeInteger, listChildren, listElements, toSeconds } from './nodes'
import { Phone } from './phone'
import type { WhatsAppNetwork } from './world'

/** A device says what it got and what was read there. */
export async function takeReceipt(world: WhatsAppNetwork, companion: Companion, receipt: BinaryNode): Promise<void> {
  const { id = '', to, participant, type } = receipt.attrs
  if (type === 'server-error') return uploadAgain(world, companion, receipt)
  const ids = [
    id,
    ...listElements(receipt).flatMap(list => listChildren(list, 'item').map(item => item.attrs.id ?? '')),
  ]
  for (const each of ids)
    companion.acknowledged({ tag: 'message', attrs: { id: each } }, type === 'retry' ? 'asked for again' : 'receipt')
  const author = world.phone(participant ?? to)
  if (!author || author === companion.company || type === 'sender' || type === 'peer_msg' || type === 'hist_sync')
    return
  if (type === 'retry') {
    companion.senderKeys.delete(`${to}/${author.user}`)
    await author.signal.forget(companion.lid)
    await companion.sendAgain(id)
    return
  }
  const reached = type === 'read' || type === 'played' ? 'read' : 'delivered'
  if (type !== 'read-self') for (const each of ids) applyTick(world, author, each, reached, companion.company)
}

interface Confirmation {
  id: string
  to: string
  group: ChatGroup | undefined
  /** False for reactions and other changes, which are delivered but never read. */
  shown: boolean
}

/** Who sent a message and hears of its ticks. */
type TickReceiver = Pick<Companion, 'company' | 'push'>

/** A message a person has not opened yet. */
export interface UnreadMessage {
  chat: string
  /** False for reactions and other changes. */
  shown: boolean
  /** It was opened. */
  read(): void
}

/** A phone got a message of a device: delivered, and read when the phone reads by itself. */
export function confirm(world: WhatsAppNetwork, companion: TickReceiver, reader: Phone, confirmed: Confirmation): void {
  if (!(reader instanceof CustomerPhone)) return
  const knobs = mergeKnobs(world, companion.company, reader)
  const chat = confirmed.group?.jid ?? companion.company.user
  const delivered = knobs.ackDelayMs * 2 + computeDelay(world, knobs)
  runAfter(delivered, () => sendReceipt(world, companion, reader, confirmed, undefined))
  if (!confirmed.shown) return
  const read = () => sendReceipt(world, companion, reader, confirmed, 'read')
  reader.unread.add({ chat, shown: true, read })
  if (reader.autoRead) runAfter(knobs.ackDelayMs * 3, () => readAll(reader, chat))
}

/** A phone got a message of its company's that no companion sent: delivered when it has a line, read when it is opened. */
export function confirmByPhone(
  world: WhatsAppNetwork,
  company: CompanyPhone,
  reader: CustomerPhone,
  chat: string,
  id: string,
): void {
  const deliver = () => applyTick(world, company, id, 'delivered', reader)
  if (reader.online) deliver()
  else reader.inbox.push(deliver)
  reader.unread.add({ chat, shown: true, read: () => applyTick(world, company, id, 'read', reader) })
  if (reader.autoRead) runAfter(mergeKnobs(world, company, reader).ackDelayMs, () => readAll(reader, chat))
}

/** The person opens a chat. */
export function readChat(reader: CustomerPhone, chat: CompanyPhone | ChatGroup): void {
  readAll(reader, chat instanceof Phone ? chat.user : chat.jid)
}

/** The person listens to a voice note: its microphone turns blue at every device of the company. */
export function playVoice(
  world: WhatsAppNetwork,
  reader: CustomerPhone,
  chat: CompanyPhone | ChatGroup,
  id: string,
): void {
  readChat(reader, chat)
  const group = chat instanceof Phone ? undefined : chat
  const companies = chat instanceof Phone ? [chat] : chat.members.filter(member => member instanceof CompanyPhone)
  const to = chat instanceof Phone ? reader.address : chat.jid
  for (const company of companies) {
    if (!reader.message(group?.jid ?? company.user, id)) continue
    for (const device of company.devices) sendReceipt(world, device, reader, { id, to, group, shown: true }, 'played')
  }
}

function readAll(reader: CustomerPhone, chat: string): void {
  for (const unread of reader.unread) {
    if (unread.chat !== chat) continue
    reader.unread.delete(unread)
    unread.read()
  }
}

function sendReceipt(
  world: WhatsAppNetwork,
  companion: TickReceiver,
  reader: Phone,
  { id, to, group }: Confirmation,
  type: 'read' | 'played' | undefined,
): void {
  const from = group ? { from: group.jid, participant: group.addressOf(reader) } : { from: to }
  companion.push(createNode('receipt', { ...from, id, type, t: toSeconds() }))
  applyTick(world, companion.company, id, type ? 'read' : 'delivered', reader)
}

/** A phone could not decrypt: it asks the device to send once more, with keys for a fresh session. */
export function askAgain(companion: Companion, reader: Phone, stanza: BinaryNode, group: ChatGroup | undefined): void {
  const { id = '', to = '' } = stanza.attrs
  const from = group ? { from: group.jid, participant: group.addressOf(reader) } : { from: to }
  const keys = reader.signal.bundle()
  companion.push(
    createNode('receipt', { ...from, id, type: 'retry', t: toSeconds() }, [
      createNode('retry', { count: '1', id, t: toSeconds(), v: '1' }),
      createNode('registration', {}, encodeInteger(keys.registrationId)),
    ]),
  )
}

/** The company opens a chat on its own phone: its devices learn that everything there was read. */
export function readOnPhone(company: CompanyPhone, other: Phone, address: string): void {
  const unread = company.messages(other.user).filter(message => !message.fromMe)
  const [last, ...earlier] = unread.toReversed()
  if (!last) return
  const items = earlier.slice(0, 100).map(({ id }) => createNode('item', { id }))
  const own = address.endsWith('@lid') ? company.lid : company.jid
  const attrs = { from: own, recipient: address, id: last.id, type: 'read-self', t: toSeconds() }
  const list = items.length ? [createNode('list', {}, items)] : undefined
  for (const device of company.devices) device.push(createNode('receipt', attrs, list))
}

/** A phone is on again: what waited for it is delivered now. */
export function deliverWaiting(phone: CustomerPhone): void {
  for (const work of phone.inbox.splice(0)) void work()
}
