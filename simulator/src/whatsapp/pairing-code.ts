/** Linking by eight characters: both sides prove they know the code and agree on the secret the QR would have carried. */
import { randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  hkdf,
} from '@whiskeysockets/baileys'
import type { CompanyPhone, LinkedDevice } from './company'
import type { ServerConnection } from './connection'
import { createNode, findChild, readBytes, SERVER } from './nodes'
import { link } from './pairing'
import type { WhatsAppNetwork } from './world'

const FINISH_MS = 4000

/** A client that shows a code and waits for the phone. */
interface Offer {
  connection: ServerConnection
  number: string
  ref: Buffer
  wrapped: Buffer
  finished?: (answer: BinaryNode) => void
}

const offers = new WeakMap<WhatsAppNetwork, Map<string, Offer>>()

/** Handles both steps of the client: showing the code and finishing. Returns the answer's content. */
export function handleCodePairing(world: WhatsAppNetwork, connection: ServerConnection, iq: BinaryNode): BinaryNode[] {
  const request = findChild(iq, 'link_code_companion_reg')
  const number = request?.attrs.jid?.split('@')[0] ?? ''
  const waiting = getOffers(world)
  if (request?.attrs.stage === 'companion_finish') {
    waiting.get(number)?.finished?.(request)
    return []
  }
  const ref = randomBytes(16)
  const wrapped = readBytes(request, 'link_code_pairing_wrapped_companion_ephemeral_pub')
  waiting.set(number, { connection, number, ref, wrapped })
  world.emit({ type: 'pairing-code', number })
  return [
    createNode('link_code_companion_reg', { stage: 'companion_hello' }, [createNode('link_code_pairing_ref', {}, ref)]),
  ]
}

export async function enterCode(world: WhatsAppNetwork, company: CompanyPhone, entered: string): Promise<LinkedDevice> {
  const code = entered.replaceAll('-', '').toUpperCase()
  const page = [...world.pages].find(({ alt }) => alt?.code === code && world.byNumber(alt.number) === company)
  if (page) return page.link(company)
  const gateway = [...world.gateways]
    .flatMap(devices => [...devices])
    .find(({ typed }) => typed?.code.replace('-', '') === code && world.byNumber(typed.number) === company)
  if (gateway) return gateway.link(company)
  const offer = getOffers(world).get(company.number) ?? getOffers(world).get(company.user)
  if (!offer?.connection.open) throw new Error('No client waits for a code of this number')
  const clientEphemeral = await unwrap(offer.wrapped, code)
  const ephemeral = Curve.generateKeyPair()
  const request = await sendPrimaryHello(company, offer, await wrap(ephemeral.public, code))
  getOffers(world).delete(offer.number)
  const shared = Curve.sharedKey(ephemeral.private, clientEphemeral)
  const secret = openBundle(company, request, shared)
  return link(world, company, offer.connection, secret)
}

/** Sends the phone's keys and waits for the client's last step. */
async function sendPrimaryHello(company: CompanyPhone, offer: Offer, wrapped: Buffer): Promise<BinaryNode> {
  const finished = new Promise<BinaryNode>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The client did not finish the pairing')), FINISH_MS)
    offer.finished = request => {
      clearTimeout(timer)
      resolve(request)
    }
  })
  offer.connection.send(
    createNode('notification', { from: SERVER, type: 'link_code_companion_reg', id: String(Date.now()) }, [
      createNode('link_code_companion_reg', { stage: 'primary_hello' }, [
        createNode('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped),
        createNode('primary_identity_pub', {}, company.signal.identity.public),
        createNode('link_code_pairing_ref', {}, offer.ref),
      ]),
    ]),
  )
  return finished
}

/** Checks that the client knows the same keys and derives the secret of the link. */
function openBundle(company: CompanyPhone, request: BinaryNode, shared: Buffer): string {
  const bundle = readBytes(request, 'link_code_pairing_wrapped_key_bundle')
  const clientIdentity = readBytes(request, 'companion_identity_public')
  const key = hkdf(shared, 32, {
    salt: bundle.subarray(0, 32),
    info: 'link_code_pairing_key_bundle_encryption_key',
  })
  const opened = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0))
  const { identity } = company.signal
  if (!opened.subarray(0, 32).equals(clientIdentity) || !opened.subarray(32, 64).equals(identity.public)) {
    throw new Error('The client sent a bundle with other keys')
  }
  const sharedIdentity = Curve.sharedKey(identity.private, clientIdentity)
  const secret = hkdf(Buffer.concat([shared, sharedIdentity, opened.subarray(64)]), 32, { info: 'adv_secret' })
  return Buffer.from(secret).toString('base64')
}

async function wrap(key: Uint8Array, code: string): Promise<Buffer> {
  const salt = randomBytes(32)
  const iv = randomBytes(16)
  return Buffer.concat([salt, iv, aesEncryptCTR(key, await derivePairingCodeKey(code, salt), iv)])
}

async function unwrap(wrapped: Buffer, code: string): Promise<Buffer> {
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
  return aesDecryptCTR(wrapped.subarray(48, 80), key, wrapped.subarray(32, 48))
}

function getOffers(world: WhatsAppNetwork): Map<string, Offer> {
  let waiting = offers.get(world)
  if (!waiting) {
    waiting = new Map()
    offers.set(world, waiting)
  }
  return waiting
}
