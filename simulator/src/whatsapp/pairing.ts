/** How a client becomes a companion: codes to show as QR, the scan, the eight characters, the signed identity. */
import { randomBytes } from 'node:crypto'
import { type BinaryNode, Curve, hmacSign, proto } from '@whiskeysockets/baileys'
import type { GowaDevice as GatewayDevice } from '../gowa/device'
import type { BrowserPage } from '../wwebjs/page'
import { Companion } from './companion'
import type { CompanyPhone, LinkedDevice } from './company'
import type { ServerConnection } from './connection'
import { toDisconnectStanza } from './disconnects'
import { createNode, findChild, readBigEndian, readBytes, SERVER } from './nodes'
import { makeReference } from './reference'
import type { WhatsAppNetwork } from './world'

/** The text of a QR, or a way to read the screen it is shown on. */
export type QrSource = string | (() => string | Promise<string>)

/** The code on the screen was renewed after the scan: the newest one has to be scanned. */
export class CodeRenewedError extends Error {
  constructor() {
    super('The code on the screen has been renewed: scan the newest one')
  }
}

/** Nothing was linked, and a person who looks at the screen tries again. */
class NotLinkedError extends Error {}

const CODES = 6
const SCANS = 5
const RENEWAL_MS = 6000
/** So many looks at the screen, of 50 ms each, a code has stood there. */
const STEADY = 6
const ACCOUNT_SIGNATURE = Buffer.from([6, 0])
const DEVICE_SIGNATURE = Buffer.from([6, 1])

/** Gives an unpaired client the codes it may show. */
export async function offerCodes(world: WhatsAppNetwork, connection: ServerConnection): Promise<void> {
  connection.refs = Array.from({ length: CODES }, makeReference)
  const refs = connection.refs.map(ref => createNode('ref', {}, Buffer.from(ref)))
  world.emit({ type: 'qr', refs: refs.length })
  await connection.ask({ from: SERVER, type: 'set' }, [createNode('pair-device', {}, refs)])
  // Who scans at once has asked for it already: of two with one id the first would never be answered.
  if (world.knobs.companionRegRefresh === 'before') connection.renewal ??= renew(connection)
}

/** Reads the code and links. Where the phone can look at the screen again, it does as a person whose code was out of date or too slow. */
export async function scan(world: WhatsAppNetwork, company: CompanyPhone, screen: QrSource): Promise<LinkedDevice> {
  for (let left = SCANS; ; left--) {
    try {
      return await scanOnce(world, company, screen)
    } catch (error) {
      if (!(error instanceof NotLinkedError) || typeof screen === 'string' || left === 1) throw error
      await waitForNextCode(world, screen)
    }
  }
}

async function scanOnce(world: WhatsAppNetwork, company: CompanyPhone, screen: QrSource): Promise<LinkedDevice> {
  const first = await readQr(screen)
  const page = findShowingPage(world, first.ref)
  if (page) return page.link(company)
  const gateway = findShowingGateway(world, first.ref)
  if (gateway) return gateway.link(company)
  const connection = findShowingConnection(world, first.ref)
  if (!connection) throw new NotLinkedError('No client shows this code any more')
  if (world.knobs.companionRegRefresh === 'off') return link(world, company, connection, first.secret)
  const askedBefore = connection.renewal !== undefined
  connection.renewal ??= renew(connection)
  if (!(await connection.renewal)) {
    connection.renewal = undefined
    throw new NotLinkedError('The phone could not link: the client did not renew its code')
  }
  if (askedBefore) return link(world, company, connection, first.secret)
  if (typeof screen === 'string') throw new CodeRenewedError()
  return link(world, company, connection, await waitForRenewedSecret(screen, first.secret))
}

/**
 * Tells the client to renew the secret in its code; from here on the old code is worthless.
 * Baileys #2737: sent by the real server since 2026-07-28.
 */
function renew(connection: ServerConnection): Promise<boolean> {
  const id = randomBytes(8).toString('hex')
  const attrs = { from: SERVER, type: 'companion_reg_refresh', id }
  return connection
    .expect(id, createNode('notification', attrs, [createNode('companion_reg_refresh')]), RENEWAL_MS)
    .then(
      () => true,
      () => false,
    )
}

async function waitForRenewedSecret(screen: () => string | Promise<string>, old: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const { secret } = await readQr(screen)
    if (secret !== old) return secret
    await Bun.sleep(50)
  }
  throw new NotLinkedError('The client did not renew its code')
}

function findShowingConnection(world: WhatsAppNetwork, ref: string): ServerConnection | undefined {
  return [...world.connections].find(each => each.open && each.refs.includes(ref))
}

function findShowingGateway(world: WhatsAppNetwork, ref: string): GatewayDevice | undefined {
  return [...world.gateways].flatMap(devices => [...devices]).find(device => device.shown?.split(',')[0] === ref)
}

function findShowingPage(world: WhatsAppNetwork, ref: string): BrowserPage | undefined {
  return [...world.pages].find(page => page.ref !== '' && page.ref === ref)
}

async function waitForNextCode(world: WhatsAppNetwork, screen: () => string | Promise<string>): Promise<void> {
  for (let tries = 0, stands = 0, shown = ''; tries < 400; tries++) {
    const text = await screen()
    stands = text === shown ? stands + 1 : 0
    shown = text
    if (text !== '') {
      const { ref } = await readQr(text)
      const connection = findShowingConnection(world, ref)
      // A client that has just come renews its code at once: the first one is good for nothing, however soon it is read.
      await connection?.renewal
      if (stands >= STEADY && (connection ?? findShowingPage(world, ref) ?? findShowingGateway(world, ref))) return
    }
    await Bun.sleep(50)
  }
  throw new Error('The client showed no other code')
}

async function readQr(screen: QrSource): Promise<{ ref: string; secret: string }> {
  const text = typeof screen === 'string' ? screen : await screen()
  const [ref, , , secret] = text.slice(text.indexOf('#') + 1).split(',')
  if (!ref || !secret) throw new NotLinkedError('This is not the QR of a linked device')
  return { ref, secret }
}

/** Signs the client's keys with the phone's identity, names the device and waits until the client agrees. */
export async function link(
  world: WhatsAppNetwork,
  company: CompanyPhone,
  connection: ServerConnection,
  secret: string,
): Promise<Companion> {
  const { registration } = connection
  if (!registration) throw new Error('This client is linked already')
  const companion = createCompanion(company, connection)
  const { identity } = company.signal
  const companionIdentity = requireValue(registration.data.eIdent, 'identity')
  const details = proto.ADVDeviceIdentity.encode({
    rawId: readBigEndian(randomBytes(4)),
    timestamp: Math.floor(Date.now() / 1000),
    keyIndex: companion.keyIndex,
    accountType: proto.ADVEncryptionType.E2EE,
    deviceType: proto.ADVEncryptionType.E2EE,
  }).finish()
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: identity.public,
    accountSignature: Curve.sign(identity.private, Buffer.concat([ACCOUNT_SIGNATURE, details, companionIdentity])),
  }).finish()
  const hmac = hmacSign(signed, Buffer.from(secret, 'base64'))
  const request = connection.ask({ from: SERVER, type: 'set' }, [
    createNode('pair-success', {}, [
      createNode('device-identity', {}, proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish()),
      createNode('biz', { name: company.name }),
      createNode('platform', { name: 'smba' }),
      createNode('device', { jid: companion.jid, lid: companion.lid }),
    ]),
  ])
  // As one does whose code was renewed before it was read.
  const hungUp = connection.left.then(() => {
    throw new NotLinkedError('The client hung up instead of linking: its code was out of date')
  })
  checkDeviceSignature(await Promise.race([request, hungUp]), companionIdentity, identity.public, details)
  company.devices.push(companion)
  connection.refs = []
  world.emit({ type: 'linked', company: company.user, device: companion.device })
  if (world.knobs.restartMs > 0) setTimeout(() => connection.end(toDisconnectStanza(515)), world.knobs.restartMs)
  else connection.end(toDisconnectStanza(515))
  return companion
}

function createCompanion(company: CompanyPhone, connection: ServerConnection): Companion {
  const data = connection.registration?.data
  const device = company.nextDevice()
  const deviceProps = data?.deviceProps ? proto.DeviceProps.decode(data.deviceProps) : undefined
  return new Companion(company, device, device, deviceProps?.os ?? 'unknown', {
    registrationId: readBigEndian(requireValue(data?.eRegid, 'registration id')),
    identity: requireValue(data?.eIdent, 'identity'),
    signedPreKey: {
      id: readBigEndian(requireValue(data?.eSkeyId, 'signed key id')),
      key: requireValue(data?.eSkeyVal, 'signed key'),
      signature: requireValue(data?.eSkeySig, 'signed key signature'),
    },
  })
}

function checkDeviceSignature(
  answer: BinaryNode,
  companionIdentity: Uint8Array,
  accountKey: Uint8Array,
  details: Uint8Array,
): void {
  const encoded = readBytes(findChild(answer, 'pair-device-sign'), 'device-identity')
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(encoded)
  const signed = Buffer.concat([DEVICE_SIGNATURE, details, companionIdentity, accountKey])
  if (!deviceSignature || !Curve.verify(companionIdentity, signed, deviceSignature)) {
    throw new Error('The client signed its identity wrongly')
  }
}

function requireValue<T>(value: T | null | undefined, label: string): T {
  if (value === null || value === undefined) throw new Error(`The client sent no ${label}`)
  return value
}
