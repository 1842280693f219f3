/** Every stanza a client sends comes here and goes to the file of its subject. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { callAnswered } from './calls'
import type { ServerConnection } from './connection'
import { createNode } from './nodes'
import { answerQuery } from './queries'
import { takeReceipt } from './receipts'
import { takeMessage } from './receive'
import { takeTyping, tellPresence } from './typing'
import type { WhatsAppNetwork } from './world'

export async function dispatch(
  world: WhatsAppNetwork,
  connection: ServerConnection,
  stanza: BinaryNode,
): Promise<void> {
  const { companion } = connection
  if (stanza.tag === 'iq') return answerQuery(world, connection, stanza)
  if (!companion) return
  switch (stanza.tag) {
    case 'message':
      return takeMessage(world, companion, stanza)
    case 'receipt':
      connection.send(
        createNode('ack', { class: 'receipt', id: stanza.attrs.id, from: stanza.attrs.to, type: stanza.attrs.type }),
      )
      return takeReceipt(world, companion, stanza)
    case 'ack': {
      const { class: tag = '', error, id } = stanza.attrs
      companion.acknowledged({ tag, attrs: stanza.attrs }, error ? `refused with ${error}` : 'receipt')
      if (error) world.trouble(new Error(`${companion.jid} refused ${tag} ${id} with ${error}`))
      return
    }
    case 'call':
      connection.send(createNode('ack', { class: 'call', id: stanza.attrs.id, from: stanza.attrs.to }))
      return callAnswered(world, companion, stanza)
    case 'chatstate':
      return takeTyping(world, companion, stanza)
    case 'presence':
      if (stanza.attrs.type === 'subscribe') tellPresence(world, companion, stanza)
      if (stanza.attrs.type === 'available' || stanza.attrs.type === 'unavailable') {
        const { company, device } = companion
        world.emit({ type: 'presence', company: company.user, device, state: stanza.attrs.type })
      }
  }
}
