/** How the server says good-bye, by the code the client makes of it. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { createNode } from './nodes'

/** The stanza a client turns into this code; `428` is a connection that just ends. */
export function toDisconnectStanza(code: number): BinaryNode {
  switch (code) {
    case 401:
      return createNode('stream:error', { code: '401' }, [createNode('conflict', { type: 'device_removed' })])
    case 403:
    case 405:
      return createNode('failure', { reason: String(code), location: 'sim' })
    case 411:
      return createNode('ib', {}, [createNode('downgrade_webclient')])
    case 428:
      return createNode('xmlstreamend')
    case 440:
      return createNode('stream:error', {}, [createNode('conflict', { type: 'replaced' })])
    case 500:
      return createNode('stream:error', {}, [createNode('bad-session')])
    default:
      return createNode('stream:error', { code: String(code) })
  }
}
