/** Edits that only who has the secret of the original can read: the way phones send them today. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'

export interface EditNames {
  id: string
  /** The addresses of who wrote and of who edits, without device. */
  author: string
  editor: string
}

export function sealEdit(
  names: EditNames,
  secret: Uint8Array,
  target: proto.IMessageKey,
  edit: proto.IMessage,
): proto.IMessage {
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(names, secret), encIv)
  const encPayload = Buffer.concat([
    cipher.update(proto.Message.encode(edit).finish()),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const { MESSAGE_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType
  return { secretEncryptedMessage: { targetMessageKey: target, encIv, encPayload, secretEncType: MESSAGE_EDIT } }
}

function deriveKey({ id, author, editor }: EditNames, secret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), `${id}${author}${editor}Message Edit`, 32))
}
