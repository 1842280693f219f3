/** The start and the end of a client's connection: unknown clients get codes to show, known ones are let in. */
import type { proto } from '@whiskeysockets/baileys'
import { CompanyPhone } from './company'
import type { Connection } from './connection'
import { reasonFor } from './disconnects'
import { node, SERVER, seconds } from './nodes'
import { offerCodes } from './pairing'
import type { World } from './world'

export function admit(world: World, connection: Connection, noiseKey: Uint8Array, payload: proto.ClientPayload): void {
  if (payload.devicePairingData) {
    connection.registration = { noiseKey, data: payload.devicePairingData }
    offerCodes(world, connection).catch(error => world.trouble(error))
    return
  }
  const phone = world.phone(`${payload.username}${SERVER}`)
  const companion =
    phone instanceof CompanyPhone ? phone.devices.find(device => device.device === payload.device) : undefined
  if (!(phone instanceof CompanyPhone) || !companion) {
    connection.end(node('failure', { reason: '401', location: 'sim' }))
    return
  }
  if (phone.refuseLogin) {
    connection.end(reasonFor(phone.refuseLogin))
    return
  }
  companion.connection?.end(reasonFor(440))
  companion.connection = connection
  connection.companion = companion
  connection.send(node('success', { t: seconds(), lid: companion.lid, props: '0', companion_enc_static: '' }))
}

export function leave(world: World, connection: Connection): void {
  const { companion } = connection
  if (!companion || companion.connection !== connection) return
  const wasOnline = companion.online
  companion.connection = undefined
  companion.active = false
  if (wasOnline) world.emit({ type: 'offline', company: companion.company.user, device: companion.device })
}
