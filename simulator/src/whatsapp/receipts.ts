/** Ticks in both directions. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { tick } from './chats'
import type { Companion } from './companion'
import { CompanyPhone } from './company'
import { CustomerPhone } from './customer'
import { after, knobsOf, lateness } from './deliver'
import type { Group } from './group'
import { uploadAgain } from './media-retry'
import { bigEndian, children, elements, node, seconds } from './nodes'
import { Phone } from './phone'
import type { World } from './world'

/** A device says what it got and what was read there. */
export async function takeReceipt(world: World, companion: Companion, receipt: BinaryNode): Promise<void> {
  const { id = '', to, participant, type } = receipt.attrs
  if (type === 'server-error') return uploadAgain(world, companion, receipt)
  const ids = [id, ...elements(receipt).flatMap(list => children(list, 'item').map(item => item.attrs.id ?? ''))]
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
  if (type !== 'read-self') for (const each of ids) tick(world, author, each, reached, companion.company)
}

interface Confirmed {
  id: string
  to: string
  group: Group | undefined
  /** False for reactions and other changes, which are delivered but never read. */
  shown: boolean
}

/** A message a person has not opened yet. */
export interface Unread extends Confirmed {
  chat: string
  companion: Companion
}

/** A phone got a message of a device: delivered, and read when the phone reads by itself. */
export function confirm(world: World, companion: Companion, reader: Phone, confirmed: Confirmed): void {
  if (!(reader instanceof CustomerPhone)) return
  const knobs = knobsOf(world, companion.company, reader)
  const chat = confirmed.group?.jid ?? companion.company.user
  const delivered = knobs.ackDelayMs * 2 + lateness(world, knobs)
  after(delivered, () => sendReceipt(world, companion, reader, confirmed, undefined))
  if (!confirmed.shown) return
  reader.unread.add({ chat, ...confirmed, companion })
  if (reader.autoRead) after(knobs.ackDelayMs * 3, () => readAll(world, reader, chat))
}

/** The person opens a chat. */
export function readChat(world: World, reader: CustomerPhone, chat: CompanyPhone | Group): void {
  readAll(world, reader, chat instanceof Phone ? chat.user : chat.jid)
}

/** The person listens to a voice note: its microphone turns blue at every device of the company. */
export function playVoice(world: World, reader: CustomerPhone, chat: CompanyPhone | Group, id: string): void {
  readChat(world, reader, chat)
  const group = chat instanceof Phone ? undefined : chat
  const companies = chat instanceof Phone ? [chat] : chat.members.filter(member => member instanceof CompanyPhone)
  const to = chat instanceof Phone ? reader.address : chat.jid
  for (const company of companies) {
    if (!reader.message(group?.jid ?? company.user, id)) continue
    for (const device of company.devices) sendReceipt(world, device, reader, { id, to, group, shown: true }, 'played')
  }
}

function readAll(world: World, reader: CustomerPhone, chat: string): void {
  for (const unread of reader.unread) {
    if (unread.chat !== chat) continue
    reader.unread.delete(unread)
    sendReceipt(world, unread.companion, reader, unread, 'read')
  }
}

function sendReceipt(
  world: World,
  companion: Companion,
  reader: Phone,
  { id, to, group }: Confirmed,
  type: 'read' | 'played' | undefined,
): void {
  const from = group ? { from: group.jid, participant: group.addressOf(reader) } : { from: to }
  companion.push(node('receipt', { ...from, id, type, t: seconds() }))
  tick(world, companion.company, id, type ? 'read' : 'delivered', reader)
}

/** A phone could not decrypt: it asks the device to send once more, with keys for a fresh session. */
export function askAgain(companion: Companion, reader: Phone, stanza: BinaryNode, group: Group | undefined): void {
  const { id = '', to = '' } = stanza.attrs
  const from = group ? { from: group.jid, participant: group.addressOf(reader) } : { from: to }
  const keys = reader.signal.bundle()
  companion.push(
    node('receipt', { ...from, id, type: 'retry', t: seconds() }, [
      node('retry', { count: '1', id, t: seconds(), v: '1' }),
      node('registration', {}, bigEndian(keys.registrationId)),
    ]),
  )
}

/** The company opens a chat on its own phone: its devices learn that everything there was read. */
export function readOnPhone(company: CompanyPhone, other: Phone, address: string): void {
  const unread = company.messages(other.user).filter(message => !message.fromMe)
  const [last, ...earlier] = unread.toReversed()
  if (!last) return
  const items = earlier.slice(0, 100).map(({ id }) => node('item', { id }))
  const own = address.endsWith('@lid') ? company.lid : company.jid
  const attrs = { from: own, recipient: address, id: last.id, type: 'read-self', t: seconds() }
  const list = items.length ? [node('list', {}, items)] : undefined
  for (const device of company.devices) device.push(node('receipt', attrs, list))
}

/** A phone is on again: what waited for it is delivered now. */
export function wakeUp(phone: CustomerPhone): void {
  for (const work of phone.inbox.splice(0)) void work()
}
