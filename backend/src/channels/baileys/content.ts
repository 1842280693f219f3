// What a message carries, by kind (spec 1 §3): the one place that knows WhatsApp's many forms.
import type { MediaType } from '@balcao/contract'
import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'
import type { MediaHandle } from '../driver.ts'
import { locationBody } from '../location.ts'

export interface Content {
  readonly mediaType: MediaType
  readonly body: string
  /** Facts of the file; the handle is added by who knows the whole message. */
  readonly media?: Omit<MediaHandle, 'handle'>
  readonly context?: proto.IContextInfo | null | undefined
}

/** Kinds that travel as messages but never are one: keys, settings, votes, headers of albums, changes of other messages. */
const SILENT = new Set([
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'pollUpdateMessage',
  'encEventResponseMessage',
  'deviceSentMessage',
  'chat',
  'call',
  'albumMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'stickerSyncRmrMessage',
  'botInvokeMessage',
  'placeholderMessage',
])

/** The content of a message, or null for what no conversation shows. Unknown kinds become a card, they are never dropped. */
export function contentOf(raw: proto.IMessage | null | undefined): Content | null {
  const message = normalizeMessageContent(raw)
  if (!message) return null
  const known = textOf(message) ?? fileOf(message) ?? locationOf(message) ?? cardsOf(message) ?? answerOf(message)
  if (known) return known
  const kind = Object.entries(message).find(([name, value]) => value != null && value !== '' && !SILENT.has(name))?.[0]
  return kind ? { mediaType: 'unknown', body: kind } : null
}

/** WhatsApp marks what was passed on five times or more. */
export function forwardOf(context: Content['context']): 'true' | 'frequently' | undefined {
  if (!context?.isForwarded) return undefined
  return (context.forwardingScore ?? 0) >= 5 ? 'frequently' : 'true'
}

function textOf(message: proto.IMessage): Content | null {
  if (message.conversation) return chat(message.conversation)
  const text = message.extendedTextMessage
  return text ? chat(text.text, text.contextInfo) : null
}

function fileOf(message: proto.IMessage): Content | null {
  const { imageMessage: image, audioMessage: audio, documentMessage: document, stickerMessage: sticker } = message
  const video = message.videoMessage ?? message.ptvMessage
  if (image) {
    const media = { ...file(image, 'image/jpeg'), ...size(image) }
    return { mediaType: 'image', body: image.caption ?? '', media, context: image.contextInfo }
  }
  if (video) {
    const media = { ...file(video, 'video/mp4'), ...size(video), ...duration(video.seconds) }
    return { mediaType: 'video', body: video.caption ?? '', media, context: video.contextInfo }
  }
  if (audio) {
    const waveform = audio.waveform?.length ? { waveform: [...audio.waveform] } : {}
    const media = { ...file(audio, 'audio/ogg'), ...duration(audio.seconds), voice: audio.ptt ?? false, ...waveform }
    return { mediaType: 'audio', body: '', media, context: audio.contextInfo }
  }
  if (sticker) {
    const media = { ...file(sticker, 'image/webp'), ...size(sticker) }
    return { mediaType: 'sticker', body: '', media, context: sticker.contextInfo }
  }
  if (!document) return null
  const name = document.fileName || document.title
  const media = { ...file(document, 'application/octet-stream'), ...(name && { name }) }
  return { mediaType: 'application', body: document.caption ?? '', media, context: document.contextInfo }
}

function locationOf(message: proto.IMessage): Content | null {
  const place = message.locationMessage ?? message.liveLocationMessage
  if (!place) return null
  const words = message.locationMessage
    ? [message.locationMessage.name, message.locationMessage.address]
    : [message.liveLocationMessage?.caption]
  const body = locationBody({
    lat: place.degreesLatitude ?? 0,
    lng: place.degreesLongitude ?? 0,
    thumbnail: place.jpegThumbnail ?? null,
    description: words.filter(Boolean).join(' - '),
  })
  return { mediaType: 'location', body, context: place.contextInfo }
}

function cardsOf(message: proto.IMessage): Content | null {
  const { contactMessage: one, contactsArrayMessage: many } = message
  if (one) return { mediaType: 'vcard', body: one.vcard ?? '', context: one.contextInfo }
  if (!many) return null
  const body = (many.contacts ?? []).map(contact => contact.vcard ?? '').join('\n')
  return { mediaType: 'contact_array', body, context: many.contextInfo }
}

/** Answers to buttons and lists, polls, invitations: what a person would read of them. */
function answerOf(message: proto.IMessage): Content | null {
  const { buttonsResponseMessage: button, listResponseMessage: list, templateButtonReplyMessage: reply } = message
  if (button) return chat(button.selectedDisplayText ?? button.selectedButtonId, button.contextInfo)
  if (list) return chat(list.title ?? list.singleSelectReply?.selectedRowId, list.contextInfo)
  if (reply) return chat(reply.selectedDisplayText ?? reply.selectedId, reply.contextInfo)
  const { interactiveResponseMessage: response, buttonsMessage: buttons, listMessage, templateMessage } = message
  if (response) return chat(response.body?.text ?? response.nativeFlowResponseMessage?.paramsJson, response.contextInfo)
  if (buttons) return chat(buttons.contentText, buttons.contextInfo)
  if (listMessage) return chat(listMessage.description ?? listMessage.title, listMessage.contextInfo)
  const hydrated = templateMessage?.hydratedTemplate ?? templateMessage?.hydratedFourRowTemplate
  if (hydrated) return chat(hydrated.hydratedContentText, templateMessage?.contextInfo)
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3
  if (poll) {
    const options = (poll.options ?? []).map(option => `• ${option.optionName ?? ''}`)
    return chat([`📊 ${poll.name ?? ''}`, ...options].join('\n'), poll.contextInfo)
  }
  const invite = message.groupInviteMessage
  if (invite) {
    const link = `https://chat.whatsapp.com/${invite.inviteCode ?? ''}`
    return chat([invite.caption, invite.groupName, link].filter(Boolean).join('\n'), invite.contextInfo)
  }
  return null
}

function chat(text: string | null | undefined, context?: Content['context']): Content {
  return { mediaType: 'chat', body: text ?? '', context }
}

function file(of: { mimetype?: string | null; fileLength?: unknown }, otherwise: string) {
  const bytes = Number(of.fileLength ?? 0)
  return { mime: of.mimetype || otherwise, ...(bytes > 0 && { size: bytes }) }
}

function size(of: { width?: number | null; height?: number | null }) {
  return { ...(of.width && { width: of.width }), ...(of.height && { height: of.height }) }
}

function duration(seconds: number | null | undefined) {
  return seconds ? { seconds } : {}
}
