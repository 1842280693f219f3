// A message as its customer saw it, for a report: on its side, with what stood in it. What was deleted stays hidden.
import {
  fillBraces,
  formatMoney,
  formatSlashedDay,
  formatTimeOfDay,
  getMessageKind,
  type Language,
  type Message,
  type MessageCard,
  type MessageCardByKind,
  type MessageState,
  type OrderLine,
  toWallClock,
} from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import {
  formatDuration,
  formatFileSize,
  parseContactCards,
  parseLocation,
  parseTemplateMessage,
} from '@balcao/contract/messages/message-bodies'
import { type Inline, parseBody, toPlainText } from '@balcao/contract/messages/whatsapp-text'
import type { BubblePart, DocumentBlock, StyledText } from '@balcao/formats/pdf/document'
import { CONVERSATION_WORDS, type ConversationWords } from './conversation-words.ts'
import { formatSystemLine } from './line-words.ts'

export interface ConversationFormat {
  readonly words: ConversationWords
  readonly language: Language
  readonly timezone: string
  /** Where a file of a message lies; null when it is not there. */
  readonly pathOf: (mediaUrl: string) => string | null
}

export function createConversationFormat(
  language: Language,
  timezone: string,
  pathOf: ConversationFormat['pathOf'],
): ConversationFormat {
  return { language, timezone, pathOf, words: CONVERSATION_WORDS[language] }
}

/** What stands in the document for it; `author` where it is the first of several of somebody. */
export function toBlock(message: Message, author: string | undefined, format: ConversationFormat): DocumentBlock {
  const time = formatTime(message.createdAt, format)
  if (message.mediaType === 'system')
    return { kind: 'line', text: `${formatSystemLine(message, format.language)} · ${time}` }
  if (message.mediaType === 'call_log') return { kind: 'line', text: `${format.words.missedCall} · ${time}` }
  return {
    kind: 'message',
    side: message.fromMe ? 'ours' : 'theirs',
    ...(author === undefined ? {} : { author }),
    parts: toParts(message, format),
    foot: [formatState(message, format.words), message.isEdited && !message.isDeleted ? format.words.edited : '', time]
      .filter(text => text !== '')
      .join(' · '),
  }
}

/** What kept it from its customer; empty for what was sent. */
export function formatState(
  { fromMe, state, isDeleted }: Pick<Message, 'fromMe' | 'state' | 'isDeleted'>,
  words: ConversationWords,
): string {
  if (!fromMe || isDeleted) return ''
  const stateWords: Partial<Record<MessageState, string>> = {
    failed: words.notSent,
    unknown: words.unsure,
    queued: words.waiting,
    sending: words.waiting,
  }
  return stateWords[state] ?? ''
}

/** What somebody would read of it on a phone, as plain text. */
export function formatText(message: Message, format: ConversationFormat): string {
  if (message.isDeleted) return format.words.deleted
  if (message.mediaType === 'system') return formatSystemLine(message, format.language)
  return toParts({ ...message, quotedMsg: null, transcription: null, media: null, reactions: [] }, format)
    .map(part => ('text' in part ? plain(part.text) : part.part === 'pair' ? `${part.left} ${part.right}`.trim() : ''))
    .filter(text => text !== '')
    .join('\n')
}

/** 'arquivo.pdf', and its size. */
export function formatFile(
  { media, isDeleted }: Message,
  { language }: ConversationFormat,
): { readonly name: string; readonly size: string } {
  if (!media || isDeleted) return { name: '', size: '' }
  return { name: media.name, size: media.size === null ? '' : formatFileSize(media.size, language) }
}

/** `14:32`, in the company's time zone. */
export function formatTime(instant: string, { timezone }: Pick<ConversationFormat, 'timezone'>): string {
  return formatTimeOfDay(toWallClock(new Date(instant), timezone))
}

/** `24/11/2026` */
export function formatDay(instant: string, { timezone }: Pick<ConversationFormat, 'timezone'>): string {
  return formatSlashedDay(toWallClock(new Date(instant), timezone))
}

function toParts(message: Message, format: ConversationFormat): BubblePart[] {
  const { words } = format
  if (message.isDeleted) return [{ part: 'quiet', text: [{ text: words.deleted, slant: true }] }]
  const above: string[] = []
  if (message.automatic) above.push(words.automatic)
  if (message.forward) above.push(message.forward === 'frequently' ? words.forwardedOften : words.forwarded)
  const { origin, hiddenEdit, card } = message.details ?? {}
  if (origin) above.push([words.origin[origin.kind], origin.title].filter(Boolean).join(': '))
  if (hiddenEdit) above.push(words.editedOnPhone)
  return [
    ...above.map(text => ({ part: 'quiet' as const, text })),
    ...quoted(message, format),
    ...file(message, format),
    ...(card ? onCard(card, format) : inBody(message, format)),
    ...(message.transcription
      ? [
          {
            part: 'quiet' as const,
            text: [{ text: `${words.transcription}: `, strong: true }, { text: message.transcription }],
          },
        ]
      : []),
    ...quiets([...new Set(message.reactions.map(({ emoji }) => emoji))].join(' ')),
  ]
}

function quoted({ quotedMsg }: Message, { words }: ConversationFormat): BubblePart[] {
  if (!quotedMsg) return []
  const { mediaType, body, isDeleted, fromMe, contact } = quotedMsg
  const { body: says, named, isFile } = getMessageKind(mediaType)
  const kind = words.kinds[mediaType] ?? ''
  const text = says === 'words' ? toPlainText(body, 400) : ''
  const gist = text === '' ? kind : named && !isFile ? `${kind}: ${text}` : text
  return [
    { part: 'quote', author: contact.name || (fromMe ? '' : words.noName), text: isDeleted ? words.deleted : gist },
  ]
}

function file({ mediaType, media, mediaUrl }: Message, { words, language, pathOf }: ConversationFormat): BubblePart[] {
  if (!media) return []
  const kind = words.kinds[mediaType] ?? ''
  const about = [
    mediaType === 'application' || media.name === '' ? '' : kind,
    media.size === null ? '' : formatFileSize(media.size, language),
    media.seconds === null ? '' : fillBraces(words.duration, { clock: formatDuration(media.seconds) }),
    media.state === 'ready' ? '' : words.notFetched,
  ]
  const name = media.name || kind
  const path = media.state === 'ready' && mediaUrl && PICTURES.has(mediaType) ? pathOf(mediaUrl) : null
  if (path !== null) return [{ part: 'picture', path, name: `${kind}: ${name}`, small: mediaType === 'sticker' }]
  return [{ part: 'file', name, about: about.filter(Boolean).join(' · ') }]
}

export const PICTURES = new Set<string>(['image', 'sticker'])

/** Words, or data that only a drawing can show. */
function inBody({ mediaType, body, media, templateData }: Message, format: ConversationFormat): BubblePart[] {
  const { words } = format
  switch (mediaType) {
    case 'location': {
      const { description, link } = parseLocation(body)
      return [label(words.kinds.location ?? ''), ...texts(description), ...quiets(link)]
    }
    case 'vcard':
    case 'contact_array':
      return parseContactCards(body).map(({ name, number }) => ({
        part: 'pair',
        left: name || words.noName,
        right: number === null ? '' : formatPhone(number),
      }))
    case 'template':
      return onCard(parseTemplateMessage(templateData, body).card, format)
    case 'unknown':
      return [{ part: 'quiet', text: body.trim() || words.notices.new_kind }]
    default: {
      const isName = mediaType === 'application' && body.trim() === media?.name
      return getMessageKind(mediaType).body === 'words' && !isName ? texts(body) : []
    }
  }
}

function onCard(card: MessageCard, format: ConversationFormat): BubblePart[] {
  const { words, language } = format
  switch (card.kind) {
    case 'actions':
      return onActions(card)
    case 'order': {
      const total = card.total ? formatMoney(card.total, language) : ''
      const head = [
        `${words.kinds.order}: ${card.count === 1 ? words.oneItem : fillBraces(words.items, { count: String(card.count) })}`,
        total,
      ]
        .filter(Boolean)
        .join(', ')
      return [
        label(head),
        ...lines(card.lines, format),
        ...texts(card.text),
        ...quiets(card.id && fillBraces(words.number, { id: card.id })),
      ]
    }
    case 'product':
      return [
        label(card.title || (words.kinds.product ?? '')),
        ...texts(card.price ? formatMoney(card.price, language) : ''),
        ...texts(card.text),
        ...quiets(card.code && fillBraces(words.code, { code: card.code }), card.link),
      ]
    case 'payment': {
      const what = card.pix && card.state === 'asked' && !card.total ? words.pixKey : words.payment[card.state]
      return [
        label(card.total ? `${what}: ${formatMoney(card.total, language)}` : what),
        ...texts(card.text),
        ...lines(card.lines, format),
        ...(card.pix ? [...texts(card.pix.holder), ...texts(`${card.pix.type || words.pixKey}: ${card.pix.key}`)] : []),
        ...texts(card.code),
        ...quiets(card.link, card.reference && fillBraces(words.reference, { reference: card.reference })),
      ]
    }
    case 'event':
      return [
        label(card.name || (words.kinds.event ?? '')),
        ...quiets(card.isCanceled ? words.eventCanceled : ''),
        ...texts([card.startsAt, card.endsAt].flatMap(at => when(at, format) ?? []).join(' – ')),
        ...texts(card.place),
        ...texts(card.text),
        ...quiets(card.link),
      ]
    case 'poll':
      return [
        label(card.question || (words.kinds.poll ?? '')),
        ...quiets(card.isMultiple ? words.pollMany : words.pollOne),
        ...card.options.flatMap(option => texts(`• ${option}`)),
      ]
    case 'form':
      return [
        label(card.title || (words.kinds.form ?? '')),
        ...card.fields.flatMap(({ name, value }) => [...quiets(name), ...texts(value.trim() === '' ? '—' : value)]),
      ]
    case 'notice':
      return quiets(words.notices[card.code] ?? words.notices.new_kind)
  }
}

function onActions({ header, text, footer, buttons, cards = [] }: MessageCardByKind<'actions'>): BubblePart[] {
  const pressed = (all: typeof buttons) => quiets(...all.map(({ text: says, link }) => `[ ${says || link || ''} ]`))
  return [
    ...(header ? [label(header)] : []),
    ...texts(text),
    ...quiets(footer),
    ...pressed(buttons),
    ...cards.flatMap(one => [...(one.header ? [label(one.header)] : []), ...texts(one.text), ...pressed(one.buttons)]),
  ]
}

/** '2 × Café', what they cost together, and what one of them does. */
function lines(all: readonly OrderLine[], { words, language }: ConversationFormat): BubblePart[] {
  return all.map(({ name, quantity, price }) => {
    const each = price && quantity !== 1 ? ` (${fillBraces(words.each, { price: formatMoney(price, language) })})` : ''
    const sum = price ? formatMoney({ ...price, amount: price.amount * quantity }, language) : ''
    return { part: 'pair', left: `${quantity} × ${name}${each}`, right: sum }
  })
}

function when(at: string | null, format: ConversationFormat): string | null {
  return at === null || Number.isNaN(Date.parse(at)) ? null : `${formatDay(at, format)}, ${formatTime(at, format)}`
}

function label(text: string): BubblePart {
  return { part: 'label', text }
}

function texts(text: string | undefined): BubblePart[] {
  return text === undefined || text.trim() === '' ? [] : [{ part: 'text', text: toSpans(text) }]
}

function quiets(...all: readonly (string | null | undefined)[]): BubblePart[] {
  return all.flatMap(text => (text ? [{ part: 'quiet', text }] : []))
}

/** A body with WhatsApp's marks as they look. */
function toSpans(body: string): StyledText[] {
  return parseBody(body).flatMap((block, at) => {
    const feed = at === 0 ? '' : '\n'
    if (block.kind === 'code') return [{ text: `${feed}${block.text}` }]
    const before = { line: '', quote: '│ ', bullet: '• ', number: block.kind === 'number' ? `${block.n}. ` : '' }[
      block.kind
    ]
    return [...(feed + before === '' ? [] : [{ text: feed + before }]), ...inline(block.children, {})]
  })
}

function inline(parts: readonly Inline[], looks: Omit<StyledText, 'text'>): StyledText[] {
  return parts.flatMap(part => {
    switch (part.kind) {
      case 'bold':
        return inline(part.children, { ...looks, strong: true })
      case 'italic':
        return inline(part.children, { ...looks, slant: true })
      case 'strike':
        return inline(part.children, { ...looks, struck: true })
      default:
        return [{ ...looks, text: part.text }]
    }
  })
}

function plain(words: string | readonly StyledText[]): string {
  return typeof words === 'string' ? words : words.map(({ text }) => text).join('')
}
