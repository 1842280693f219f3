/** The public keys somebody needs to open a Signal session with a device, as objects and as nodes. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { createNode, encodeInteger, findChild, listChildren, readBigEndian, readBytes } from './nodes'

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

export function createBundleNode(jid: string, keys: KeyBundle): BinaryNode {
  const { signedPreKey, preKey } = keys
  const content = [
    createNode('registration', {}, encodeInteger(keys.registrationId)),
    createNode('type', {}, CURVE_25519),
    createNode('identity', {}, keys.identity),
    createNode('skey', {}, [
      createNode('id', {}, encodeInteger(signedPreKey.id, 3)),
      createNode('value', {}, signedPreKey.key),
      createNode('signature', {}, signedPreKey.signature),
    ]),
  ]
  if (preKey) {
    content.push(
      createNode('key', {}, [createNode('id', {}, encodeInteger(preKey.id, 3)), createNode('value', {}, preKey.key)]),
    )
  }
  return createNode('user', { jid }, content)
}

export function readSignedPreKey(of: BinaryNode | undefined): KeyBundle['signedPreKey'] {
  return { ...readPublicKey(of), signature: readBytes(of, 'signature') }
}

export function readPublicKey(of: BinaryNode | undefined): PublicKey {
  return { id: readBigEndian(readBytes(of, 'id')), key: readBytes(of, 'value') }
}

/** Reads what a device uploads: its identity, its signed key and a list of one-time keys. */
export function readUpload(iq: BinaryNode): { keys: Omit<KeyBundle, 'preKey'>; preKeys: PublicKey[] } {
  return {
    keys: {
      registrationId: readBigEndian(readBytes(iq, 'registration')),
      identity: readBytes(iq, 'identity'),
      signedPreKey: readSignedPreKey(findChild(iq, 'skey')),
    },
    preKeys: listChildren(findChild(iq, 'list'), 'key').map(readPublicKey),
  }
}
