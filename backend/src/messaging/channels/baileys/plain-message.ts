// Protocol messages as plain JSON and back, so that they can lie in the database: for retry receipts, quotes and downloads.
import { BufferJSON, proto, type WAMessage, type WAMessageKey } from '@whiskeysockets/baileys'

/** A message as it is stored in `raw` and in media handles. */
export interface PlainMessage {
  readonly key: WAMessageKey
  readonly message: unknown
  readonly messageTimestamp?: number
  readonly pushName?: string
  /** The whole message in base64, where the library's definitions do not have all of it: a later version's may. */
  readonly bytes?: string
}

/** Bytes become `{type:'Buffer'}` or base64, 64-bit numbers text; `toProtoMessage` takes both. */
export function toPlainMessage(message: WAMessage, bytes?: Uint8Array): PlainMessage {
  const seconds = Number(message.messageTimestamp ?? 0)
  const { remoteJid, remoteJidAlt, fromMe, id, participant, participantAlt, addressingMode } = message.key
  const key = { remoteJid, remoteJidAlt, fromMe, id, participant, participantAlt, addressingMode }
  return JSON.parse(
    JSON.stringify(
      {
        key,
        message: message.message ?? null,
        ...(seconds > 0 && { messageTimestamp: seconds }),
        ...(message.pushName && { pushName: message.pushName }),
        ...(bytes && { bytes: Buffer.from(bytes).toString('base64') }),
      },
      BufferJSON.replacer,
    ),
  )
}

/** The protocol message inside a stored one; undefined when there is none. */
export function toProtoMessage(plain: unknown): proto.IMessage | undefined {
  if (!isPlain(plain)) return undefined
  if (plain.bytes) return proto.Message.decode(Buffer.from(plain.bytes, 'base64'))
  const revived: unknown = JSON.parse(JSON.stringify(plain.message), BufferJSON.reviver)
  return revived && typeof revived === 'object' ? proto.Message.fromObject(revived) : undefined
}

export function isPlain(value: unknown): value is PlainMessage {
  return typeof value === 'object' && value !== null && 'key' in value && 'message' in value
}
