// A chat over the simulated WhatsApp, between a customer's phone and a company's.
import { formatPhone } from '@balcao/contract/contacts/phone'
import { CompanyPhone } from '../whatsapp/company.ts'
import type { CustomerPhone } from '../whatsapp/customer.ts'
import type { OutgoingMessage, PhoneContent, PhoneMessage, WhatsAppNetwork } from '../whatsapp/index.ts'
import {
  ActionError,
  formatPreview,
  type LineFile,
  type PhoneLine,
  refuseIfBlocked,
  type UploadedFile,
} from './line.ts'
import type { Bubble, SampleMessage, SendRequestBody, Typing } from './model.ts'
import type { PagePhone } from './phones.ts'
import { ADVERTISEMENT, CART } from './samples.ts'

/** A typing sign nobody takes back goes out by itself, in ms. */
export const TYPING_MS = 25_000

/** As with the real network: what was sent before a device was linked is only on the phones. */
const UNHEARD =
  'Só no celular da empresa: o Balcão ainda não estava conectado a ele. Leia o código em Conexões e escreva de novo.'

/** Messages that are a bubble of their own name. */
const KINDS = ['image', 'video', 'audio', 'voice', 'document', 'sticker', 'location', 'contacts', 'poll'] as const

const SAMPLES: Record<Exclude<SampleMessage, 'hd'>, OutgoingMessage> = {
  cart: { type: 'order', count: 3, total: 159.9, ...CART },
  pix: { type: 'pix', holder: 'Lúcia Ferreira', keyType: 'EMAIL', key: 'lucia.ferreira@example.com' },
  ad: { type: 'ad', ...ADVERTISEMENT },
}

/** What waits on a phone without network: shown with a clock, sent when it is back. */
interface PendingSend {
  bubble?: Bubble
  run: () => Promise<unknown>
}

export class WhatsAppLine implements PhoneLine {
  readonly id: string
  readonly canEdit = true
  readonly samples: readonly SampleMessage[]
  private readonly phone: PagePhone
  private readonly owner: CustomerPhone | CompanyPhone
  private readonly other: CustomerPhone | CompanyPhone
  private readonly world: WhatsAppNetwork
  private waiting: PendingSend[] = []
  /** Sent while no desk was linked to the company's phone. */
  private readonly unheard = new Set<string>()
  private typed: { state: Typing; until: number } | undefined

  constructor(
    world: WhatsAppNetwork,
    phone: PagePhone,
    owner: CustomerPhone | CompanyPhone,
    other: CustomerPhone | CompanyPhone,
  ) {
    this.world = world
    this.phone = phone
    this.owner = owner
    this.other = other
    this.id = `wa-${other.user}`
    this.samples = other instanceof CompanyPhone ? ['cart', 'pix', 'ad', 'hd'] : []
  }

  get name(): string {
    return this.other.name
  }

  get number(): string {
    return formatPhone(this.other.number)
  }

  get subtitle(): string {
    return this.other instanceof CompanyPhone ? 'conta comercial' : this.number
  }

  get canCall(): boolean {
    return this.other instanceof CompanyPhone
  }

  get blocked(): boolean {
    return !(this.owner instanceof CompanyPhone) && this.owner.blocked.has(this.other)
  }

  block(on: boolean): void {
    if (this.owner instanceof CompanyPhone) throw new ActionError('Só o telefone de um cliente bloqueia a empresa.')
    if (on) this.owner.blocked.add(this.other)
    else this.owner.blocked.delete(this.other)
  }

  bubbles(limit: number): Bubble[] {
    const shown = this.owner.messages(this.other.user).slice(-limit)
    return [...shown.map(message => this.bubbleOf(message)), ...this.waiting.flatMap(one => one.bubble ?? [])]
  }

  unread(): number {
    if (this.owner instanceof CompanyPhone) return 0
    return [...this.owner.unread].filter(one => one.shown && one.chat === this.other.user).length
  }

  typing(): Typing | undefined {
    return this.typed && this.typed.until > Date.now() ? this.typed.state : undefined
  }

  /** The other side writes, records or stopped. */
  hear(state: Typing | 'paused'): void {
    this.typed = state === 'paused' ? undefined : { state, until: Date.now() + TYPING_MS }
  }

  async file(id: string): Promise<LineFile | undefined> {
    const content = this.owner.message(this.other.user, id)?.content
    if (!content || !('media' in content)) return undefined
    const name = content.fileName
    return { bytes: await this.world.media.open(content.media), mime: content.mimetype, ...(name ? { name } : {}) }
  }

  send(sending: SendRequestBody): Promise<unknown> {
    if (sending.type === 'sample') return this.out(SAMPLES[sending.sample])
    if (sending.type === 'option') return this.out({ type: 'text', text: sending.title, quote: sending.of })
    if (sending.type !== 'contacts') return this.out(sending, sending.type === 'text' ? { text: sending.text } : {})
    const contacts = sending.contacts.map(one => ({ name: one.name, number: one.phone.replace(/\D/g, '') }))
    const [first] = contacts
    return this.out(first && contacts.length === 1 ? { type: 'contact', ...first } : { type: 'contacts', contacts })
  }

  sendFile({ kind, bytes, mime, name, caption, seconds, better }: UploadedFile): Promise<unknown> {
    if (better) return this.out({ type: 'better', of: this.lastPhoto(), media: 'image', data: bytes })
    return this.out({
      type: kind,
      data: bytes,
      mimetype: mime,
      ...(caption ? { caption } : {}),
      ...(kind === 'document' && name ? { fileName: name } : {}),
      ...(seconds === undefined ? {} : { seconds }),
    })
  }

  edit(id: string, text: string): Promise<unknown> {
    // What was said before this world began has no secret to seal with.
    const sealed = this.owner.message(this.other.user, id)?.secret !== undefined
    return this.out({ type: 'edit', of: id, text, sealed })
  }

  remove(id: string): Promise<unknown> {
    const unsent = this.waiting.findIndex(one => one.bubble?.id === id)
    if (unsent >= 0) return Promise.resolve(this.waiting.splice(unsent, 1))
    return this.out({ type: 'revoke', of: id })
  }

  react(id: string, emoji: string): Promise<unknown> {
    return this.out({ type: 'reaction', of: id, emoji })
  }

  read(): void {
    if (this.phone.network === 'off' || this.owner instanceof CompanyPhone) return
    if (this.other instanceof CompanyPhone) this.owner.read(this.other)
  }

  played(): void {}

  showTyping(state: Typing | 'paused'): void {
    if (this.phone.network === 'off' || this.owner instanceof CompanyPhone) return
    if (this.other instanceof CompanyPhone) this.owner.typing(this.other, state)
  }

  call(video: boolean): void {
    if (this.phone.network === 'off') throw new ActionError('Sem rede, este telefone não liga.')
    if (this.owner instanceof CompanyPhone || !(this.other instanceof CompanyPhone))
      throw new ActionError('Só o telefone de um cliente liga para a empresa.')
    this.owner.call(this.other, { video })
  }

  /** Sends what waited, in order. */
  async flush(): Promise<void> {
    const waiting = this.waiting
    this.waiting = []
    for (const one of waiting) await one.run()
  }

  private lastPhoto(): string {
    const own = this.owner.messages(this.other.user).filter(({ fromMe }) => fromMe)
    const last = own.findLast(({ content }) => content.type === 'image')
    if (!last) throw new ActionError('Mande uma foto primeiro.')
    return last.id
  }

  private async out(message: OutgoingMessage, shown: Partial<Bubble> = {}): Promise<unknown> {
    const run = () => this.deliver(message)
    if (this.phone.network !== 'off') return run()
    const visible = !('of' in message) && message.type !== 'statusMention'
    const kind = message.type === 'contact' ? 'contacts' : (KINDS.find(one => one === message.type) ?? 'text')
    const facts = {
      id: crypto.randomUUID(),
      mine: true,
      at: new Date().toISOString(),
      reactions: [],
      tick: 'waiting' as const,
    }
    this.waiting.push(visible ? { run, bubble: { ...facts, kind, ...shown } } : { run })
    return undefined
  }

  private async deliver(message: OutgoingMessage): Promise<string> {
    if (this.owner instanceof CompanyPhone) return this.owner.type({ to: this.other, ...message })
    if (this.other instanceof CompanyPhone) {
      refuseIfBlocked(this)
      const heard = this.other.linked.length > 0
      const id = await this.owner.send(this.other, message)
      if (!heard) this.unheard.add(id)
      return id
    }
    throw new ActionError('Clientes só escrevem para a empresa.')
  }

  private bubbleOf(message: PhoneMessage): Bubble {
    const quoted = message.quote ? this.owner.message(message.chat, message.quote) : undefined
    return {
      id: message.id,
      mine: message.fromMe,
      at: message.at.toISOString(),
      reactions: Object.values(message.reactions ?? {}),
      ...toBubbleContent(message.content, `media/${this.phone.id}/${this.id}/${message.id}`),
      ...(quoted
        ? { quote: { mine: quoted.fromMe, text: formatPreview(this.bubbleOf({ ...quoted, quote: '' })) } }
        : {}),
      ...(message.edited ? { edited: true } : {}),
      ...(message.revoked ? { deleted: true } : {}),
      ...(this.unheard.has(message.id) ? { note: UNHEARD } : {}),
      ...(message.tick && message.content.type !== 'call' ? { tick: message.tick } : {}),
    }
  }
}

function toBubbleContent(content: PhoneContent, url: string): Pick<Bubble, 'kind'> & Partial<Bubble> {
  switch (content.type) {
    case 'text':
      return { kind: 'text', text: content.text }
    case 'location': {
      const { type, ...location } = content
      return { kind: type, location }
    }
    case 'contacts':
      return { kind: 'contacts', contacts: content.contacts.map(toCard) }
    case 'poll':
      return { kind: 'poll', text: content.name, options: content.options.map(title => ({ title })) }
    case 'card':
      return { kind: 'card', text: content.text }
    case 'call':
      return { kind: 'call', call: { video: content.video, missed: content.missed } }
    case 'unknown':
      return { kind: 'unknown' }
    default:
      return {
        kind: content.type,
        file: {
          url,
          mime: content.mimetype,
          size: content.media.length,
          ...(content.fileName ? { name: content.fileName } : {}),
          ...(content.seconds ? { seconds: content.seconds } : {}),
        },
        ...(content.caption ? { text: content.caption } : {}),
      }
  }
}

function toCard({ name, vcard }: { name: string; vcard: string }): { name: string; phone?: string } {
  const phone = /^TEL[^:]*:(.+)$/m.exec(vcard)?.[1]?.trim()
  return { name, ...(phone ? { phone: formatPhone(phone.replace(/\D/g, '')) } : {}) }
}
