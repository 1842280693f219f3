/** The public keys somebody needs to open a Signal session with a device, as objects and as nodes. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { bigEndian, bytes, child, children, node, readBigEndian } from './nodes'

export interface PublicKey {
  id: number
  key: Uint8Array
}

export interface KeyBundle {
  registrationId: number
  identity: Uint8Array
  signedPreKey: PublicKey & { signature: Uint8Array }
  preKey?: PublicKey
}

const CURVE_25519 = Buffer.from([5])

export function bundleNode(jid: string, keys: KeyBundle): BinaryNode {
  const { signedPreKey, preKey } = keys
  const content = [
    node('registration', {}, bigEndian(keys.registrationId)),
    node('type', {}, CURVE_25519),
    node('identity', {}, keys.identity),
    node('skey', {}, [
      node('id', {}, bigEndian(signedPreKey.id, 3)),
      node('value', {}, signedPreKey.key),
      node('signature', {}, signedPreKey.signature),
    ]),
  ]
  if (preKey) {
    content.push(node('key', {}, [node('id', {}, bigEndian(preKey.id, 3)), node('value', {}, preKey.key)]))
  }
  return node('user', { jid }, content)
}

export function readSignedPreKey(of: BinaryNode | undefined): KeyBundle['signedPreKey'] {
  return { ...readPublicKey(of), signature: bytes(of, 'signature') }
}

export function readPublicKey(of: BinaryNode | undefined): PublicKey {
  return { id: readBigEndian(bytes(of, 'id')), key: bytes(of, 'value') }
}

/** Reads what a device uploads: its identity, its signed key and a list of one-time keys. */
export function readUpload(iq: BinaryNode): { keys: Omit<KeyBundle, 'preKey'>; preKeys: PublicKey[] } {
  return {
    keys: {
      registrationId: readBigEndian(bytes(iq, 'registration')),
      identity: bytes(iq, 'identity'),
      signedPreKey: readSignedPreKey(child(iq, 'skey')),
    },
    preKeys: children(child(iq, 'list'), 'key').map(readPublicKey),
  }
}
