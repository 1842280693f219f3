/** "typing…" and "recording…" in both directions; nothing of it is kept. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Companion } from './companion'
import { CompanyPhone } from './company'
import { CustomerPhone } from './customer'
import { ChatGroup } from './group'
import { createNode, listElements } from './nodes'
import type { WhatsAppNetwork } from './world'

export type TypingState = 'composing' | 'recording' | 'paused'

export function typeTo(from: CustomerPhone, to: CompanyPhone | ChatGroup, state: TypingState): void {
  const content = [
    createNode(state === 'recording' ? 'composing' : state, state === 'recording' ? { media: 'audio' } : {}),
  ]
  const attrs = to instanceof ChatGroup ? { from: to.jid, participant: to.addressOf(from) } : { from: from.address }
  const companies = to instanceof ChatGroup ? to.members : [to]
  for (const company of companies) {
    if (!(company instanceof CompanyPhone)) continue
    for (const device of company.devices) device.pushVolatile(createNode('chatstate', attrs, content))
  }
}

/** A device wants to know whether somebody is online. */
export function tellPresence(world: WhatsAppNetwork, companion: Companion, { attrs }: BinaryNode): void {
  const phone = world.phone(attrs.to)
  if (!(phone instanceof CustomerPhone)) return
  companion.pushVolatile(createNode('presence', { from: attrs.to, type: phone.online ? 'available' : 'unavailable' }))
}

export async function takeTyping(world: WhatsAppNetwork, companion: Companion, stanza: BinaryNode): Promise<void> {
  const [state] = listElements(stanza)
  const { company } = companion
  const group = world.groups.get(stanza.attrs.to ?? '')
  const readers = group ? group.members : [world.phone(stanza.attrs.to)]
  for (const reader of readers) {
    if (!reader || reader === company || !state) continue
    const shown = state.tag === 'paused' ? 'paused' : state.attrs.media === 'audio' ? 'recording' : 'composing'
    const chat = group?.jid ?? company.user
    world.emit({ type: 'typing', phone: reader.user, by: company.user, chat, state: shown })
  }
}
