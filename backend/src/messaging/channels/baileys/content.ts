// What a message carries, by kind: the one place that knows WhatsApp's many forms. One row a kind.
import {
  getCardMediaType,
  getCardText,
  type MediaType,
  type MessageCard,
  type MessageDetails,
  type MessageOrigin,
  type NoticeCode,
} from '@balcao/contract'
import type { proto } from '@whiskeysockets/baileys'
import type { MediaHandle } from '../../../platform/channel/driver.ts'
import { renderVcard } from '../../../platform/channel/vcard.ts'
import { toCardLink, toCardText, toStoryOrigin } from '../shared/cards.ts'
import { toLinkPreview } from '../shared/link-preview.ts'
import { toLocationContent } from '../shared/location.ts'
import {
  toButtonsCard,
  toEventCard,
  toInteractiveCard,
  toListCard,
  toOrderCard,
  toPollCard,
  toProductCard,
  toRequestCard,
  toResponseCard,
  toTemplateCard,
} from './cards.ts'
import { findMessageFile } from './files.ts'
import { unwrapMessage } from './unwrap.ts'

export interface BaileysContent {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: Omit<MediaHandle, 'handle'>
  readonly details?: MessageDetails
  readonly context?: proto.IContextInfo | null | undefined
}

/** The content of a message, or null for what no conversation shows. A kind nobody knows becomes a card, it is never dropped. */
export function toContent(raw: proto.IMessage | null | undefined): BaileysContent | null {
  const message = unwrapMessage(raw)?.message
  if (!message) return null
  let unknown: string | undefined
  for (const [name, part] of Object.entries(message)) {
    if (part === null || part === undefined || part === '' || SILENT.has(name)) continue
    if (name === 'interactiveMessage' && isEmpty(part)) continue
    const content = isKind(name) ? read(message, name) : undefined
    if (content) return withMore(message, part, content)
    unknown ??= name
  }
  return unknown === undefined ? null : createNotice(isKind(unknown) ? 'only_on_phone' : 'new_kind', unknown)
}

/** Nothing in it, however nested: not even something that only the phone could show. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null || value === undefined || value === ''
  return Object.values(value).every(isEmpty)
}

/** What stands for something that can't be shown. */
export function createNotice(code: NoticeCode, name: string): BaileysContent {
  return carded({ kind: 'notice', code, name })
}

/** WhatsApp marks what was passed on five times or more. */
export function toForwardMark(context: BaileysContent['context']): 'true' | 'frequently' | undefined {
  if (!context?.isForwarded) return undefined
  return (context.forwardingScore ?? 0) >= 5 ? 'frequently' : 'true'
}

/** Travel as messages but never are one: keys, settings, votes, what is said in a status or to an assistant, parts and changes of other messages. */
const SILENT: ReadonlySet<string> = new Set<keyof proto.IMessage>([
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'encCommentMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'pollUpdateMessage',
  'encEventResponseMessage',
  'secretEncryptedMessage',
  'chat',
  'call',
  'callLogMesssage',
  'scheduledCallEditMessage',
  'albumMessage',
  'eventCoverImage',
  'pollCreationOptionImageMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'stickerSyncRmrMessage',
  'botInvokeMessage',
  'botTaskMessage',
  'limitSharingMessage',
  'requestPhoneNumberMessage',
  'statusMentionMessage',
  'groupStatusMentionMessage',
  'statusAddYours',
  'statusNotificationMessage',
  'statusStickerInteractionMessage',
])

/** Null: there is nothing in it to show. */
type Read<K extends keyof proto.IMessage> = (
  part: NonNullable<proto.IMessage[K]>,
  message: proto.IMessage,
) => BaileysContent | null

const KINDS: { readonly [K in keyof proto.IMessage]?: Read<K> } = {
  conversation: text => chat(text),
  extendedTextMessage: part => readLinkedText(part) ?? (part.contextInfo ? advertised(part.contextInfo) : null),
  imageMessage: (part, message) => fileContent(message, part.caption),
  videoMessage: (part, message) => fileContent(message, part.caption),
  ptvMessage: (part, message) => fileContent(message, part.caption),
  audioMessage: (_, message) => fileContent(message),
  documentMessage: (part, message) => fileContent(message, part.caption),
  // One that is drawn by a program, without a picture of it.
  stickerMessage: (_, message) => fileContent(message) ?? createNotice('only_on_phone', 'lottieStickerMessage'),
  locationMessage: part => place(part, [part.name, part.address]),
  liveLocationMessage: part => place(part, [part.caption]),
  contactMessage: part => ({ mediaType: 'vcard', body: toVcard(part) }),
  contactsArrayMessage: part => ({
    mediaType: 'contact_array',
    body: (part.contacts ?? []).map(toVcard).join('\n'),
  }),

  buttonsResponseMessage: part => joinWords(part.selectedDisplayText || part.selectedButtonId),
  listResponseMessage: part => joinWords(part.title || part.singleSelectReply?.selectedRowId, part.description),
  templateButtonReplyMessage: part => joinWords(part.selectedDisplayText || part.selectedId),
  interactiveResponseMessage: part => cardedIf(toResponseCard(part)),
  questionResponseMessage: part => joinWords(part.text),
  statusQuestionAnswerMessage: part => joinWords(part.text),
  statusQuotedMessage: part => joinWords(part.text),

  interactiveMessage: (part, message) => cardedIf(toInteractiveCard(part), message),
  templateMessage: (part, message) => cardedIf(toTemplateCard(part), message),
  highlyStructuredMessage: part =>
    cardedIf(part.hydratedHsm ? toTemplateCard(part.hydratedHsm) : null) ?? joinWords(...(part.params ?? [])),
  buttonsMessage: (part, message) => cardedIf(toButtonsCard(part), message),
  listMessage: part => cardedIf(toListCard(part)),
  orderMessage: part => carded(toOrderCard(part)),
  productMessage: part => {
    const card = toProductCard(part)
    return card && carded(card)
  },
  requestPaymentMessage: part => carded(toRequestCard(part)),
  sendPaymentMessage: part => carded(paymentCard('paid', toContent(part.noteMessage)?.body)),
  declinePaymentRequestMessage: () => carded(paymentCard('declined')),
  cancelPaymentRequestMessage: () => carded(paymentCard('canceled')),
  invoiceMessage: part => carded(paymentCard('asked', part.note)),
  paymentInviteMessage: () => createNotice('payment_on_phone', 'paymentInviteMessage'),
  placeholderMessage: () => createNotice('code_on_phone', 'placeholderMessage'),

  eventMessage: part => carded(toEventCard(part)),
  scheduledCallCreationMessage: part =>
    carded(toEventCard({ name: part.title ?? null, startTime: Number(part.scheduledTimestampMs ?? 0) / 1000 })),
  pollCreationMessage: part => carded(toPollCard(part)),
  pollCreationMessageV2: part => carded(toPollCard(part)),
  pollCreationMessageV3: part => carded(toPollCard(part)),
  pollCreationMessageV5: part => carded(toPollCard(part)),
  pollResultSnapshotMessage: part => carded(resultCard(part)),
  pollResultSnapshotMessageV3: part => carded(resultCard(part)),
  groupInviteMessage: part =>
    joinWords(part.caption, part.groupName, `https://chat.whatsapp.com/${part.inviteCode ?? ''}`),
  newsletterAdminInviteMessage: part => joinWords(part.caption, part.newsletterName),
  newsletterFollowerInviteMessageV2: part => joinWords(part.caption, part.newsletterName),
  stickerPackMessage: part => joinWords(part.caption, part.name, part.publisher, part.packDescription),
  richResponseMessage: part => joinWords(...(part.submessages ?? []).map(one => one.messageText)),
  bcallMessage: part => joinWords(part.caption),
}

function isKind(name: string): name is keyof proto.IMessage {
  return Object.hasOwn(KINDS, name)
}

function read<K extends keyof proto.IMessage>(message: proto.IMessage, name: K): BaileysContent | null {
  const part: proto.IMessage[K] = message[name]
  return part === null || part === undefined ? null : (KINDS[name]?.(part, message) ?? null)
}

/** The file at a card's head, and what is said around every kind: what it answers, where its sender comes from. */
function withMore(message: proto.IMessage, part: unknown, content: BaileysContent): BaileysContent {
  const context = findContext(part)
  const file = content.details?.card ? findMessageFile(message) : null
  const origin = context ? toOrigin(context) : undefined
  return {
    ...content,
    ...(file && { media: file.facts }),
    ...(origin && { details: { ...content.details, origin } }),
    ...(context && { context }),
  }
}

function findContext(part: unknown): proto.IContextInfo | undefined {
  const context = typeof part === 'object' && part !== null && 'contextInfo' in part ? part.contextInfo : null
  return typeof context === 'object' && context !== null ? context : undefined
}

/** The advertisement or post that led here, our status that is answered, or the product that is asked about. A preview of a link that programs make looks alike, but names no source. */
function toOrigin({ externalAdReply: ad, quotedMessage, remoteJid }: proto.IContextInfo): MessageOrigin | undefined {
  if (ad && (ad.sourceType || ad.sourceId || ad.ctwaClid)) {
    const text = toCardText(ad.body)
    const link = toCardLink(ad.sourceUrl)
    const code = toCardText(ad.sourceId, 200)
    return {
      kind: ad.sourceType === 'post' ? 'post' : 'ad',
      title: toCardText(ad.title, 500) ?? '',
      ...(text && { text }),
      ...(link && { link }),
      ...(code && { code }),
    }
  }
  const card = quotedMessage?.productMessage ? toProductCard(quotedMessage.productMessage) : null
  if (!card) return toStoryOrigin(remoteJid)
  const { title, link, code } = card
  return { kind: 'product', title, ...(link && { link }), ...(code && { code }) }
}

/** An ad without a word of its own: where it does not stand as the origin, what it says is the message. */
function advertised(context: proto.IContextInfo): BaileysContent | null {
  const { title, body, sourceUrl } = context.externalAdReply ?? {}
  const kind = toOrigin(context)?.kind
  const words = kind === 'ad' || kind === 'post' ? null : joinWords(title, body, sourceUrl)
  return words ?? (kind ? chat('') : null)
}

/** Words, with what the sender's phone says of the address among them. */
function readLinkedText(part: proto.Message.IExtendedTextMessage): BaileysContent | null {
  const { text, matchedText: address, title, description, jpegThumbnail: thumbnail } = part
  if (!text) return null
  const link = toLinkPreview(text, { address, title, description, thumbnail })
  return { ...chat(text), ...(link && { details: { link } }) }
}

function chat(text: string): BaileysContent {
  return { mediaType: 'chat', body: text }
}

/** Words of several parts; null if there are none. */
function joinWords(...parts: readonly (string | null | undefined)[]): BaileysContent | null {
  const words = parts.filter(part => part?.trim())
  return words.length > 0 ? chat(words.join('\n')) : null
}

function carded(card: MessageCard): BaileysContent {
  return { mediaType: getCardMediaType(card), body: getCardText(card), details: { card } }
}

/** Words alone are a text like any other; a file at the head is worth showing without words. */
function cardedIf(card: MessageCard | null, message?: proto.IMessage): BaileysContent | null {
  if (card && card.kind !== 'actions') return carded(card)
  if (findMessageFile(message)) return carded(card ?? { kind: 'actions', text: '', buttons: [] })
  if (!card) return null
  const { header, footer, buttons, cards, text } = card
  return header || footer || buttons.length > 0 || cards ? carded(card) : joinWords(text)
}

function paymentCard(state: 'asked' | 'paid' | 'declined' | 'canceled', note?: string | null): MessageCard {
  const text = toCardText(note)
  return { kind: 'payment', state, total: null, lines: [], ...(text && { text }) }
}

function resultCard({ name, pollVotes }: proto.Message.IPollResultSnapshotMessage): MessageCard {
  const options = (pollVotes ?? []).map(vote => ({
    optionName: `${vote.optionName ?? ''} (${Number(vote.optionVoteCount ?? 0)})`,
  }))
  return toPollCard({ name: name ?? null, options })
}

function fileContent(message: proto.IMessage, caption?: string | null): BaileysContent | null {
  const file = findMessageFile(message)
  return file && { mediaType: file.mediaType, body: caption ?? '', media: file.facts }
}

function place(
  location: {
    readonly degreesLatitude?: number | null
    readonly degreesLongitude?: number | null
    readonly jpegThumbnail?: Uint8Array | null
  },
  words: readonly (string | null | undefined)[],
): BaileysContent {
  const { degreesLatitude: lat, degreesLongitude: lng, jpegThumbnail: thumbnail } = location
  return toLocationContent({ lat, lng, thumbnail, words })
}

function toVcard({ vcard, displayName }: proto.Message.IContactMessage): string {
  return vcard || renderVcard(displayName ?? '', [])
}
