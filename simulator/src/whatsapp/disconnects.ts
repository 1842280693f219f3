/** How the server says good-bye, by the code the client makes of it. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { node } from './nodes'

/** The stanza a client turns into this code; `428` is a connection that just ends. */
export function reasonFor(code: number): BinaryNode {
  switch (code) {
    case 401:
      return node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })])
    case 403:
    case 405:
      return node('failure', { reason: String(code), location: 'sim' })
    case 411:
      return node('ib', {}, [node('downgrade_webclient')])
    case 428:
      return node('xmlstreamend')
    case 440:
      return node('stream:error', {}, [node('conflict', { type: 'replaced' })])
    case 500:
      return node('stream:error', {}, [node('bad-session')])
    default:
      return node('stream:error', { code: String(code) })
  }
}
