/** The start and the end of a client's connection: unknown clients get codes to show, known ones are let in. */
import type { proto } from '@whiskeysockets/baileys'
import { CompanyPhone } from './company'
import type { ServerConnection } from './connection'
import { toDisconnectStanza } from './disconnects'
import { createNode, SERVER, toSeconds } from './nodes'
import { offerCodes } from './pairing'
import type { WhatsAppNetwork } from './world'

export function admitClient(
  world: WhatsAppNetwork,
  connection: ServerConnection,
  noiseKey: Uint8Array,
  payload: proto.ClientPayload,
): void {
  if (payload.devicePairingData) {
    connection.registration = { noiseKey, data: payload.devicePairingData }
    offerCodes(world, connection).catch(error => world.trouble(error))
    return
  }
  const phone = world.phone(`${payload.username}${SERVER}`)
  const companion =
    phone instanceof CompanyPhone ? phone.devices.find(device => device.device === payload.device) : undefined
  if (!(phone instanceof CompanyPhone) || !companion) {
    connection.end(createNode('failure', { reason: '401', location: 'sim' }))
    return
  }
  if (phone.refuseLogin) {
    connection.end(toDisconnectStanza(phone.refuseLogin))
    return
  }
  companion.connection?.end(toDisconnectStanza(440))
  companion.connection = connection
  connection.companion = companion
  connection.send(createNode('success', { t: toSeconds(), lid: companion.lid, props: '0', companion_enc_static: '' }))
}

export function leave(world: WhatsAppNetwork, connection: ServerConnection): void {
  const { companion } = connection
  if (!companion || companion.connection !== connection) return
  const wasOnline = companion.online
  companion.connection = undefined
  companion.active = false
  if (wasOnline) world.emit({ type: 'offline', company: companion.company.user, device: companion.device })
}
