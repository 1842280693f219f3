/** The answers to a client's `iq` requests. What is not known here is answered with an empty result, as success. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { answerOrderQuery } from './cards'
import type { Companion } from './companion'
import type { ServerConnection } from './connection'
import { answerGroupQuery } from './group'
import { bringUpToDate } from './history'
import { createBundleNode, readSignedPreKey, readUpload } from './key-bundle'
import { createNode, findChild, listChildren, listElements, SERVER } from './nodes'
import { handleCodePairing } from './pairing-code'
import { answerUsync } from './usync'
import type { WhatsAppNetwork } from './world'

export async function answerQuery(world: WhatsAppNetwork, connection: ServerConnection, iq: BinaryNode): Promise<void> {
  if (iq.attrs.type !== 'get' && iq.attrs.type !== 'set' && iq.attrs.xmlns !== 'w:stats') return
  const { companion } = connection
  const result = (content: BinaryNode[] = []) =>
    connection.send(createNode('iq', { type: 'result', id: iq.attrs.id, from: iq.attrs.to || SERVER }, content))
  const failure = (code: number, text: string) =>
    connection.send(
      createNode('iq', { type: 'error', id: iq.attrs.id, from: iq.attrs.to || SERVER }, [
        createNode('error', { code: String(code), text }),
      ]),
    )
  if (iq.attrs.xmlns === 'md' && findChild(iq, 'link_code_companion_reg')) {
    return result(handleCodePairing(world, connection, iq))
  }
  if (!companion) return result()
  switch (iq.attrs.xmlns) {
    case 'encrypt':
      return result(answerKeys(world, companion, iq))
    case 'usync':
      return result(answerUsync(world, iq))
    case 'passive':
      result()
      if (findChild(iq, 'active')) await bringUpToDate(world, companion)
      return
    case 'md':
      result()
      if (findChild(iq, 'remove-companion-device')) companion.company.unlink(companion, 'device')
      return
    case 'privacy':
      return result([
        createNode('privacy', {}, [
          createNode('category', { name: 'readreceipts', value: companion.company.readReceipts }),
        ]),
      ])
    case 'w:m':
      return result([createMediaConnection(world)])
    case 'w:g2': {
      const answer = answerGroupQuery(world, companion, iq)
      return answer ? result(answer) : failure(404, 'item-not-found')
    }
    case 'w:profile:picture': {
      const picture = world.phone(iq.attrs.target)?.picture ?? world.groups.get(iq.attrs.target ?? '')?.picture
      return picture ? result([createNode('picture', { type: 'image', url: picture })]) : failure(404, 'item-not-found')
    }
    case 'w:sync:app:state':
      return result([answerAppState(iq)])
    case 'fb:thrift_iq':
      return result(answerOrderQuery(iq))
    case 'abt':
      return result([createNode('props')])
    case 'blocklist':
      return result([createNode('list')])
    default:
      return result()
  }
}

function answerKeys(world: WhatsAppNetwork, companion: Companion, iq: BinaryNode): BinaryNode[] {
  const [request] = listElements(iq)
  if (iq.attrs.type === 'get') {
    if (request?.tag === 'count') return [createNode('count', { value: String(companion.preKeyCount) })]
    if (request?.tag === 'digest') return [createNode('digest')]
    return [
      createNode(
        'list',
        {},
        listChildren(request, 'user').flatMap(user => listKeys(world, user.attrs.jid)),
      ),
    ]
  }
  if (request?.tag === 'rotate') companion.rotate(readSignedPreKey(findChild(request, 'skey')))
  else {
    const { keys, preKeys } = readUpload(iq)
    companion.upload(keys, preKeys)
  }
  return []
}

/** A phone's own keys, or those of a linked device; also of the asking one, which Baileys asks for in groups. */
function listKeys(world: WhatsAppNetwork, jid: string | undefined): BinaryNode[] {
  const phone = world.phone(jid)
  if (!jid || !phone) return []
  const device = world.device(jid)
  if (!device && jid.includes(':') && !jid.includes(':0@')) return []
  return [createBundleNode(jid, device ? device.bundle() : phone.signal.bundle())]
}

function createMediaConnection(world: WhatsAppNetwork): BinaryNode {
  return createNode('media_conn', { auth: 'simulated', ttl: '3600', auth_ttl: '3600', max_buckets: '12' }, [
    createNode('host', { hostname: world.mediaHost, maxContentLengthBytes: '2147483648' }),
  ])
}

function answerAppState(iq: BinaryNode): BinaryNode {
  const collections = listChildren(findChild(iq, 'sync'), 'collection')
  return createNode(
    'sync',
    {},
    collections.map(({ attrs }) => createNode('collection', { name: attrs.name, version: attrs.version ?? '0' })),
  )
}
