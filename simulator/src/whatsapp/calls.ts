/** Voice and video calls to a company: they ring at its devices and end missed, rejected or hung up. */
import { randomBytes } from 'node:crypto'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { show } from './chats'
import type { Companion } from './companion'
import type { CompanyPhone } from './company'
import type { CustomerPhone } from './customer'
import { createNode, listElements, toSeconds } from './nodes'
import type { WhatsAppNetwork } from './world'

export function placeCall(
  world: WhatsAppNetwork,
  caller: CustomerPhone,
  to: CompanyPhone,
  { video = false, missed = true }: { video?: boolean; missed?: boolean },
): string {
  const id = randomBytes(16).toString('hex').toUpperCase()
  const info = { 'call-id': id, 'call-creator': caller.address, from: caller.address, caller_pn: caller.jid }
  ring(
    to,
    caller,
    createNode('offer', info, [createNode('audio', { enc: 'opus' }), ...(video ? [createNode('video')] : [])]),
  )
  world.emit({ type: 'call', id, from: caller.user, to: to.user, video, state: 'ringing' })
  if (missed) {
    ring(to, caller, createNode('terminate', { ...info, reason: 'timeout' }))
    world.emit({ type: 'call', id, from: caller.user, to: to.user, video, state: 'missed' })
  }
  const content = { type: 'call' as const, video, missed }
  const at = new Date()
  show(world, caller, { id, chat: to.user, author: caller, at, content })
  show(world, to, { id, chat: caller.user, author: caller, at, content })
  return id
}

let stanzas = 0

function ring(to: CompanyPhone, caller: CustomerPhone, signal: BinaryNode): void {
  for (const device of to.devices) {
    stanzas += 1
    device.push(
      createNode('call', { from: caller.address, id: `call-${stanzas}`, t: toSeconds(), notify: caller.name }, [
        signal,
      ]),
    )
  }
}

/** A device rejected a call. */
export async function callAnswered(world: WhatsAppNetwork, companion: Companion, stanza: BinaryNode): Promise<void> {
  const [answer] = listElements(stanza)
  const caller = world.phone(stanza.attrs.to)
  if (answer?.tag !== 'reject' || !caller) return
  world.emit({ type: 'call', from: caller.user, to: companion.company.user, video: false, state: 'rejected' })
}
