/** Who is on WhatsApp, under which address, with which devices. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { CompanyPhone } from './company'
import { createNode, findChild, listChildren, listElements, readText, toSeconds } from './nodes'
import type { Phone } from './phone'
import type { WhatsAppNetwork } from './world'

export function answerUsync(world: WhatsAppNetwork, iq: BinaryNode): BinaryNode[] {
  const usync = findChild(iq, 'usync')
  const protocols = listElements(findChild(usync, 'query')).map(protocol => protocol.tag)
  const users = listChildren(findChild(usync, 'list'), 'user').map(user => answerUser(world, user, protocols))
  return [createNode('usync', { ...usync?.attrs }, [createNode('result'), createNode('list', {}, users)])]
}

function answerUser(world: WhatsAppNetwork, user: BinaryNode, protocols: string[]): BinaryNode {
  const number = readText(findChild(user, 'contact')).replace(/\D/g, '')
  const address = user.attrs.jid
  const phone = world.account((address ? world.phone(address)?.user : number) ?? '')
  const jid = address ?? phone?.jid ?? `${number}@s.whatsapp.net`
  const answers = protocols.flatMap(protocol => {
    if (protocol === 'contact') return [createNode('contact', { type: phone ? 'in' : 'out' }, number && `+${number}`)]
    if (!phone) return []
    if (protocol === 'devices') return [listDevices(phone)]
    if (protocol === 'lid' && !jid.endsWith('@lid')) return [createNode('lid', { val: phone.lid })]
    if (protocol === 'status') return [createNode('status', { t: toSeconds() }, phone.status ?? '')]
    return []
  })
  return createNode('user', { jid }, answers)
}

/** Devices other than the phone need a key index, else clients leave them out. */
function listDevices(phone: Phone): BinaryNode {
  const linked = phone instanceof CompanyPhone ? phone.devices : []
  return createNode('devices', {}, [
    createNode('device-list', {}, [
      createNode('device', { id: '0' }),
      ...linked.map(({ device, keyIndex }) =>
        createNode('device', { id: String(device), 'key-index': String(keyIndex) }),
      ),
    ]),
  ])
}
