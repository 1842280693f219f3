/** What a linked device sends: confirmed by the server, decrypted by each phone it is for, answered with ticks. */
import { type BinaryNode, proto, unpadRandomMax16 } from '@whiskeysockets/baileys'
import { show } from './chats'
import type { Companion } from './companion'
import { readMessage } from './content'
import { CustomerPhone, isDeaf } from './customer'
import { drawChance, mergeKnobs, runAfter } from './deliver'
import type { ChatGroup } from './group'
import { createNode, findChild, listChildren, listElements, SERVER, toSeconds } from './nodes'
import type { Phone } from './phone'
import { askAgain, confirm } from './receipts'
import type { WhatsAppNetwork } from './world'

export async function takeMessage(world: WhatsAppNetwork, companion: Companion, stanza: BinaryNode): Promise<void> {
  const { id = '', to = '' } = stanza.attrs
  const group = world.groups.get(to)
  const target = group ? undefined : world.phone(stanza.attrs.recipient ?? to)
  const knobs = mergeKnobs(world, companion.company, ...(target ? [target] : []))
  if (drawChance(world, knobs.lose)) return
  const ack = { class: 'message', id, from: to, t: toSeconds() }
  if (knobs.refuse) {
    const error = String(knobs.refuse)
    world.emit({ type: 'refused', company: companion.company.user, to, id, code: knobs.refuse })
    runAfter(knobs.ackDelayMs, () => companion.pushVolatile(createNode('ack', { ...ack, error })))
    return
  }
  runAfter(knobs.ackDelayMs, () => companion.pushVolatile(createNode('ack', ack)))
  if (stanza.attrs.category === 'peer') return
  const fanned = listChildren(findChild(stanza, 'participants'), 'to')
  const parts = fanned.map(part => ({ to: part.attrs.jid, encrypted: listElements(part) }))
  const own = listElements(stanza).filter(part => part.tag === 'enc')
  if (own.length && !group) parts.push({ to, encrypted: own })
  const receivers = group ? group.members : [...new Set(parts.map(part => world.phone(part.to)))]
  await Promise.all(
    receivers.map(async receiver => {
      if (!receiver || (!group && isDeaf(receiver, companion.company))) return
      const mine = parts.filter(part => world.phone(part.to) === receiver && !isLinked(part.to))
      const encrypted = [...mine.flatMap(part => part.encrypted), ...(group ? own : [])]
      if (encrypted.length === 0) return
      const work = () => open(world, companion, receiver, { stanza, group, encrypted })
      if (receiver instanceof CustomerPhone && !receiver.online) receiver.inbox.push(work)
      else await work()
    }),
  )
  forwardToOthers(companion, stanza, parts)
}

function isLinked(jid: string | undefined): boolean {
  return /:[1-9]\d*@/.test(jid ?? '')
}

interface IncomingStanza {
  stanza: BinaryNode
  group: ChatGroup | undefined
  encrypted: BinaryNode[]
}

async function open(
  world: WhatsAppNetwork,
  companion: Companion,
  receiver: Phone,
  received: IncomingStanza,
): Promise<void> {
  const { stanza, group } = received
  const { id = '', to = '' } = stanza.attrs
  const { company } = companion
  try {
    const message = await decryptAll(companion, receiver, received)
    const sent = message.deviceSentMessage
    const other = group ? undefined : sent ? world.phone(sent.destinationJid ?? to) : company
    const chat = group?.jid ?? other?.user
    if (!chat) return
    const read = readMessage(sent?.message ?? message)
    show(world, receiver, { id, chat, author: company, at: new Date(), ...read })
    if (receiver !== company) confirm(world, companion, receiver, { id, to, group, shown: read.content !== undefined })
  } catch (error) {
    world.trouble(error)
    askAgain(companion, receiver, stanza, group)
  }
}

async function decryptAll(
  companion: Companion,
  receiver: Phone,
  { group, encrypted }: IncomingStanza,
): Promise<proto.IMessage> {
  let message: proto.IMessage = {}
  for (const { attrs, content } of encrypted) {
    if (!(content instanceof Uint8Array)) continue
    const { type } = attrs
    if (type === 'skmsg') {
      if (!group) continue
      const plain = await receiver.signal.decryptFromGroup(group.jid, companion.lid, content)
      message = { ...message, ...proto.Message.decode(unpadRandomMax16(plain)) }
    } else if (type === 'pkmsg' || type === 'msg') {
      const plain = await receiver.signal.decrypt(companion.lid, type, content)
      const opened = proto.Message.decode(unpadRandomMax16(plain))
      const distribution = opened.senderKeyDistributionMessage
      if (distribution?.groupId && distribution.axolotlSenderKeyDistributionMessage) {
        const { groupId, axolotlSenderKeyDistributionMessage: key } = distribution
        await receiver.signal.learnSenderKey(groupId, companion.lid, key)
      }
      message = { ...message, ...opened }
    }
  }
  return message
}

/** The company's other linked devices get their copy as it is. */
function forwardToOthers(
  companion: Companion,
  stanza: BinaryNode,
  parts: { to: string | undefined; encrypted: BinaryNode[] }[],
): void {
  for (const other of companion.company.devices) {
    const part = parts.find(each => each.to === other.jid || each.to === other.lid)
    if (other === companion || !part) continue
    const { id, to, type } = stanza.attrs
    const lid = to?.endsWith('@lid')
    const from = lid ? companion.lid : `${companion.company.user}:${companion.device}${SERVER}`
    other.push(createNode('message', { id, from, recipient: to, type, t: toSeconds() }, part.encrypted))
  }
}
