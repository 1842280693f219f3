// A chat with a company's Cloud API number.
import { extractDigits, formatPhone } from '@balcao/contract/contacts/phone'
import type { CustomerContent, GraphEntry } from '../graph/content.ts'
import type { Business, Customer } from '../graph/people.ts'
import {
  ActionError,
  formatPreview,
  type LineFile,
  type PhoneLine,
  refuseIfBlocked,
  type UploadedFile,
} from './line.ts'
import type { Bubble, SendRequestBody, Typing } from './model.ts'
import type { PagePhone } from './phones.ts'
import { ADVERTISEMENT, CART } from './samples.ts'

export class GraphLine implements PhoneLine {
  readonly id: string
  readonly subtitle = 'conta comercial oficial'
  readonly canCall = false
  readonly canEdit = true
  readonly samples = ['cart', 'ad'] as const
  private readonly phone: PagePhone
  private readonly customer: Customer
  private readonly business: Business

  constructor(phone: PagePhone, customer: Customer, business: Business) {
    this.phone = phone
    this.customer = customer
    this.business = business
    this.id = `cloud-${business.phoneNumberId}`
  }

  get name(): string {
    return this.business.name
  }

  get number(): string {
    return formatPhone(this.business.number)
  }

  get blocked(): boolean {
    return this.customer.blocked.has(this.business)
  }

  block(on: boolean): void {
    if (on) this.customer.blocked.add(this.business)
    else this.customer.blocked.delete(this.business)
  }

  bubbles(limit: number): Bubble[] {
    const shown = this.customer.chat(this.business).filter(entry => entry.content.type !== 'unsupported')
    return shown.slice(-limit).map(entry => this.bubbleOf(entry))
  }

  unread(): number {
    return this.customer.chat(this.business).filter(entry => entry.from === 'business' && entry.status === 'delivered')
      .length
  }

  typing(): Typing | undefined {
    return this.customer.typing(this.business) ? 'composing' : undefined
  }

  async file(id: string): Promise<LineFile | undefined> {
    const content = this.business.entries.get(id)?.content
    const media = content?.type === 'template' ? content.file : content
    if (!media || !('bytes' in media)) return undefined
    return { bytes: media.bytes, mime: media.mime, ...(media.filename ? { name: media.filename } : {}) }
  }

  send(sending: SendRequestBody): Promise<unknown> {
    refuseIfBlocked(this)
    switch (sending.type) {
      case 'text':
        return this.customer.send(
          this.business,
          { type: 'text', text: sending.text },
          sending.quote ? { quote: sending.quote } : {},
        )
      case 'contacts':
        return this.customer.send(this.business, {
          type: 'contacts',
          contacts: sending.contacts.map(card => ({ ...card, waId: extractDigits(card.phone) })),
        })
      case 'sample':
        if (sending.sample === 'pix') throw new ActionError('O número oficial não recebe chaves Pix.')
        return this.customer.send(this.business, SAMPLES[sending.sample])
      case 'option':
        return this.customer.send(this.business, toOptionContent(sending), { quote: sending.of })
      default:
        return this.customer.send(this.business, sending)
    }
  }

  sendFile({ kind, bytes, mime, name, caption }: UploadedFile): Promise<unknown> {
    return this.customer.send(this.business, {
      type: kind === 'voice' ? 'audio' : kind,
      bytes,
      mime,
      ...(kind === 'voice' ? { voice: true } : {}),
      ...(name ? { filename: name } : {}),
      ...(caption ? { caption } : {}),
    })
  }

  edit(id: string, text: string): Promise<unknown> {
    return this.customer.send(this.business, { type: 'edit', of: id, text })
  }

  remove(id: string): Promise<unknown> {
    return this.customer.send(this.business, { type: 'revoke', of: id })
  }

  react(id: string, emoji: string): Promise<unknown> {
    return this.customer.send(this.business, { type: 'reaction', to: id, emoji })
  }

  read(): void {
    this.customer.read(this.business)
  }

  played(id: string): void {
    this.customer.play(this.business, id)
  }

  showTyping(): void {}

  call(): void {
    throw new ActionError('O número oficial não atende chamadas.')
  }

  private bubbleOf(entry: GraphEntry): Bubble {
    const quoted = entry.quote ? this.business.entries.get(entry.quote) : undefined
    const mine = entry.from === 'customer'
    return {
      id: entry.id,
      mine,
      at: entry.at.toISOString(),
      reactions: entry.reaction ? [entry.reaction] : [],
      ...toBubbleContent(entry, `media/${this.phone.id}/${this.id}/${encodeURIComponent(entry.id)}`),
      ...(quoted
        ? { quote: { mine: quoted.from === 'customer', text: formatPreview(this.bubbleOf(removeQuote(quoted))) } }
        : {}),
      ...(entry.edited ? { edited: true } : {}),
      ...(entry.deleted ? { deleted: true } : {}),
      ...(mine ? { tick: entry.status === 'played' ? 'read' : entry.status } : {}),
    }
  }
}

const SAMPLES: Record<'cart' | 'ad', CustomerContent> = {
  cart: { type: 'order', ...CART },
  ad: { type: 'ad', ...ADVERTISEMENT, body: ADVERTISEMENT.about },
}

function removeQuote(entry: GraphEntry): GraphEntry {
  const { quote: _, ...rest } = entry
  return rest
}

function toOptionContent(option: Extract<SendRequestBody, { type: 'option' }>): CustomerContent {
  if (option.by === 'button') return { type: 'button', text: option.title, payload: option.id }
  return { type: option.by, id: option.id, title: option.title }
}

function orderLine({ name, quantity }: { readonly name: string; readonly quantity: number }): string {
  return `${quantity} × ${name}`
}

function toBubbleContent({ content }: GraphEntry, url: string): Pick<Bubble, 'kind'> & Partial<Bubble> {
  switch (content.type) {
    case 'text':
      return { kind: 'text', text: content.text }
    case 'location': {
      const { type, ...location } = content
      return { kind: type, location }
    }
    case 'contacts':
      return { kind: 'contacts', contacts: content.contacts }
    case 'button':
    case 'ad':
    case 'enquiry':
      return { kind: 'text', text: content.text }
    case 'order':
      return { kind: 'card', text: [content.text, ...content.lines.map(orderLine)].filter(Boolean).join('\n') }
    case 'nfm_reply':
      return { kind: 'text', text: content.body }
    case 'button_reply':
    case 'list_reply':
      return { kind: 'text', text: content.title }
    case 'interactive':
      return {
        kind: 'text',
        text: content.text,
        ...(content.header ? { header: content.header } : {}),
        ...(content.footer ? { footer: content.footer } : {}),
        options: content.options.map(({ id, title }) =>
          content.kind === 'button' || content.kind === 'list'
            ? { id, title, by: content.kind === 'button' ? ('button_reply' as const) : ('list_reply' as const) }
            : { title },
        ),
      }
    case 'template': {
      const { file, header, footer, text, buttons } = content
      return {
        kind: file ? (file.type === 'audio' || file.type === 'sticker' ? 'document' : file.type) : 'text',
        text: header ? `*${header}*\n${text}` : text,
        ...(file
          ? {
              file: {
                url,
                mime: file.mime,
                size: file.bytes.byteLength,
                ...(file.filename ? { name: file.filename } : {}),
              },
            }
          : {}),
        ...(footer ? { footer } : {}),
        ...(buttons.length > 0 ? { options: buttons.map(title => ({ id: title, title, by: 'button' as const })) } : {}),
      }
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
    case 'sticker':
      return {
        kind: content.type === 'audio' && content.voice ? 'voice' : content.type,
        file: {
          url,
          mime: content.mime,
          size: content.bytes.byteLength,
          ...(content.filename ? { name: content.filename } : {}),
        },
        ...(content.caption ? { text: content.caption } : {}),
      }
    default:
      return { kind: 'unknown' }
  }
}
