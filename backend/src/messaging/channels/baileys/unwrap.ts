// The envelopes around a message: vanishing, to be seen once, with a caption, forwarded by an assistant. What is inside counts.
import { proto } from '@whiskeysockets/baileys'

/** A message out of its envelopes, with what was said about it on the way. */
export interface UnwrappedMessage {
  readonly message: proto.IMessage
  readonly about: proto.IMessageContextInfo
}

const ENVELOPES = [
  'deviceSentMessage',
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'groupMentionedMessage',
  'lottieStickerMessage',
  'pollCreationMessageV4',
  'questionMessage',
  'questionReplyMessage',
  'botForwardedMessage',
  'commentMessage',
] as const satisfies (keyof proto.IMessage)[]

/** More than any phone packs; whoever packs deeper has something to hide, and is told of as unknown. */
const DEEPEST = 50

export function unwrapMessage(raw: proto.IMessage | null | undefined): UnwrappedMessage | null {
  if (!raw) return null
  let message = raw
  let about = raw.messageContextInfo ?? {}
  for (let depth = 0; depth < DEEPEST; depth++) {
    const envelope = findEnvelope(message)
    const inner = envelope && message[envelope]?.message
    if (!inner) break
    message = inner
    if (inner.messageContextInfo) about = { ...about, ...inner.messageContextInfo }
  }
  return { message, about }
}

function findEnvelope(message: proto.IMessage): (typeof ENVELOPES)[number] | undefined {
  return ENVELOPES.find(name => message[name])
}

/**
 * The number of the first field of a message that the library's definitions do not have: a kind of tomorrow. Reading drops such
 * fields, so they are looked for in the bytes. Null: there is none.
 */
export function findUnknownField(bytes: Uint8Array): number | null {
  let rest = bytes
  for (let depth = 0; depth < DEEPEST; depth++) {
    const decoded = proto.Message.decode(rest)
    const known = new Set(readFields(proto.Message.encode(decoded).finish()).map(field => field.number))
    const fields = readFields(rest)
    const unknown = fields.find(field => !known.has(field.number))
    if (unknown) return unknown.number
    const envelope = findEnvelope(decoded)
    if (!envelope) return null
    const [at] = readFields(proto.Message.encode({ [envelope]: {} }).finish())
    const content = fields.find(field => field.number === at?.number)?.content
    const inner =
      content && readFields(content).find(field => field.number === (envelope === 'deviceSentMessage' ? 2 : 1))?.content
    if (!inner) return null
    rest = inner
  }
  return null
}

interface Field {
  readonly number: number
  /** Of what has a length. */
  readonly content?: Uint8Array
}

/** The fields of protocol bytes, one level deep; it ends where they make no sense. */
function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * shift
      if (byte < 128) break
    }
    return value
  }
  while (at < bytes.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    switch (tag % 8) {
      case 0:
        varint()
        fields.push({ number })
        break
      case 1:
        at += 8
        fields.push({ number })
        break
      case 2: {
        const length = varint()
        fields.push({ number, content: bytes.subarray(at, at + length) })
        at += length
        break
      }
      case 5:
        at += 4
        fields.push({ number })
        break
      default:
        return fields
    }
  }
  return fields
}
