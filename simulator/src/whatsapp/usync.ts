/** Who is on WhatsApp, under which address, with which devices. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { CompanyPhone } from './company'
import { child, children, elements, node, seconds, text } from './nodes'
import type { Phone } from './phone'
import type { World } from './world'

export function answerUsync(world: World, iq: BinaryNode): BinaryNode[] {
  const usync = child(iq, 'usync')
  const protocols = elements(child(usync, 'query')).map(protocol => protocol.tag)
  const users = children(child(usync, 'list'), 'user').map(user => answerFor(world, user, protocols))
  return [node('usync', { ...usync?.attrs }, [node('result'), node('list', {}, users)])]
}

function answerFor(world: World, user: BinaryNode, protocols: string[]): BinaryNode {
  const number = text(child(user, 'contact')).replace(/\D/g, '')
  const asked = user.attrs.jid
  const phone = world.account((asked ? world.phone(asked)?.user : number) ?? '')
  const jid = asked ?? phone?.jid ?? `${number}@s.whatsapp.net`
  const answers = protocols.flatMap(protocol => {
    if (protocol === 'contact') return [node('contact', { type: phone ? 'in' : 'out' }, number && `+${number}`)]
    if (!phone) return []
    if (protocol === 'devices') return [devicesOf(phone)]
    if (protocol === 'lid' && !jid.endsWith('@lid')) return [node('lid', { val: phone.lid })]
    if (protocol === 'status') return [node('status', { t: seconds() }, phone.status ?? '')]
    return []
  })
  return node('user', { jid }, answers)
}

/** Devices other than the phone need a key index, else clients leave them out. */
function devicesOf(phone: Phone): BinaryNode {
  const linked = phone instanceof CompanyPhone ? phone.devices : []
  return node('devices', {}, [
    node('device-list', {}, [
      node('device', { id: '0' }),
      ...linked.map(({ device, keyIndex }) => node('device', { id: String(device), 'key-index': String(keyIndex) })),
    ]),
  ])
}
