// Changes that only who has the secret of the original can read: how phones send edits.
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { proto, type WAMessage } from '@whiskeysockets/baileys'
import { normalizeJid, type PairedAccount } from './peers.ts'
import { unwrapMessage } from './unwrap.ts'

const { EVENT_EDIT, MESSAGE_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType

/** What a key is made for, by the kind of change. Kinds that are not here can't be opened. */
const USES: Readonly<Partial<Record<number, string>>> = { [EVENT_EDIT]: 'Event Edit', [MESSAGE_EDIT]: 'Message Edit' }

/** What opens sealed changes of a message, as it is kept with it. */
export function getMessageSecret(about: proto.IMessageContextInfo | null | undefined): string | undefined {
  const secret = about?.messageSecret
  return secret?.length ? Buffer.from(secret).toString('base64') : undefined
}

/** The id of the message that a sealed change is of. */
export function findSealedTarget(message: WAMessage): string | undefined {
  return findSealed(message)?.targetMessageKey?.id ?? undefined
}

/** The addresses of who makes a change: either may have gone into its key. */
export function listAuthorAddresses({ key }: WAMessage, self: PairedAccount): string[] {
  const { remoteJid, remoteJidAlt, participant, participantAlt, fromMe } = key
  const theirs = participant ? [participant, participantAlt] : [remoteJid, remoteJidAlt]
  return (fromMe ? [self.lid, self.id] : theirs).flatMap(name => (name ? normalizeJid(name) : []))
}

/** A sealed edit as a plain one; null where none of the secrets fits. */
export function openSealedEdit(
  message: WAMessage,
  secrets: readonly string[],
  names: readonly string[],
): WAMessage | null {
  const sealed = findSealed(message)
  const target = sealed?.targetMessageKey
  const inside = sealed && target?.id ? unsealed(sealed, secrets, names) : null
  if (!inside || !target) return null
  const edit = unwrapMessage(inside)?.message.protocolMessage
  const protocolMessage = {
    key: target,
    type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
    editedMessage: edit?.editedMessage ?? inside,
    timestampMs: edit?.timestampMs ?? null,
  }
  return { ...message, message: { protocolMessage } }
}

function findSealed(message: WAMessage): proto.Message.ISecretEncryptedMessage | null | undefined {
  return unwrapMessage(message.message)?.message.secretEncryptedMessage
}

/**
 * What is sealed in a change; null if none of the secrets fits. `names` are the addresses of who wrote the original and changes it: either
 * of them may have gone into the key, for each of the two.
 */
function unsealed(
  { targetMessageKey, encPayload, encIv, secretEncType }: proto.Message.ISecretEncryptedMessage,
  secrets: readonly string[],
  names: readonly string[],
): proto.IMessage | null {
  const use = USES[secretEncType ?? 0]
  if (!use || !encPayload || !encIv) return null
  for (const secret of secrets)
    for (const author of names)
      for (const editor of names) {
        const info = `${targetMessageKey?.id}${author}${editor}${use}`
        const key = hkdfSync('sha256', Buffer.from(secret, 'base64'), new Uint8Array(), info, 32)
        const opened = decrypted(new Uint8Array(key), encIv, encPayload)
        if (opened) return opened
      }
  return null
}

const TAG = 16

function decrypted(key: Uint8Array, iv: Uint8Array, payload: Uint8Array): proto.IMessage | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG })
    decipher.setAuthTag(payload.subarray(-TAG))
    return proto.Message.decode(Buffer.concat([decipher.update(payload.subarray(0, -TAG)), decipher.final()]))
  } catch {
    return null
  }
}
