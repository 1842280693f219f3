// A device slot of the gateway: pairs with a company's phone, hears what happens there and posts it, keeps its chats.
import { randomBytes } from 'node:crypto'
import type { CompanyPhone } from '../whatsapp/company.ts'
import { CustomerPhone } from '../whatsapp/customer.ts'
import type { OutgoingMessage, PhoneMessage, WhatsAppNetwork, WorldEvent } from '../whatsapp/index.ts'
import { confirmByPhone } from '../whatsapp/receipts.ts'
import { makeReference } from '../whatsapp/reference.ts'
import { type GowaLaneOptions, Lane, type Webhook } from './lane.ts'
import {
  type ChatPartner,
  createCommonFields,
  findHiddenId,
  formatRfc3339,
  makeStaticPath,
  toContentFields,
} from './webhook-fields.ts'

export interface DeviceOptions extends GowaLaneOptions {
  readonly ackDelayMs: number
}

export class GowaDevice {
  webhook: Webhook | undefined
  /** The number under which the phone lists it. */
  device = 0
  phone: CompanyPhone | undefined
  private line = false
  /** What happened while it had no line: WhatsApp tells it afterwards. */
  private waiting: (() => void)[] = []
  /** The code on the screen now; asking for a login drops it. */
  shown: string | undefined
  /** The characters to be typed on the phone with this number. */
  typed: { number: string; code: string } | undefined
  readonly lane: Lane
  readonly createdAt = new Date()
  /** Sent by this device itself: the gateway posts nothing of it. */
  private readonly own = new Set<string>()
  private stopHearing: (() => void) | undefined
  /** While this device itself changes something. */
  private changing = false

  constructor(
    readonly id: string,
    private readonly world: WhatsAppNetwork,
    private readonly options: DeviceOptions,
  ) {
    this.lane = new Lane(() => this.webhook, options)
  }

  /** Whether it has a line to WhatsApp. */
  get online(): boolean {
    return this.line
  }

  set online(online: boolean) {
    this.line = online
    if (online) for (const post of this.waiting.splice(0)) post()
  }

  get state(): 'disconnected' | 'connecting' | 'connected' | 'logged_in' {
    if (this.phone) return this.online ? 'logged_in' : 'disconnected'
    return this.shown || this.typed ? 'connected' : 'disconnected'
  }

  get jid(): string {
    return this.phone ? `${this.phone.user}:${this.device}@s.whatsapp.net` : ''
  }

  /** A new code; the one before is worth nothing any more. */
  login(): string {
    this.typed = undefined
    const part = (bytes: number) => randomBytes(bytes).toString('base64')
    this.shown = `${makeReference()},${part(32)},${part(32)},${part(32)},1`
    return this.shown
  }

  loginByCode(number: string): string {
    this.shown = undefined
    const letters = [...randomBytes(8)].map(byte => 'ABCDEFGHJKLMNPQRSTVWXYZ123456789'[byte % 32]).join('')
    this.typed = { number, code: `${letters.slice(0, 4)}-${letters.slice(4)}` }
    return this.typed.code
  }

  link(phone: CompanyPhone): this {
    this.phone = phone
    this.device = phone.nextDevice()
    phone.gateways.push(this)
    this.online = true
    this.shown = undefined
    this.typed = undefined
    this.stopHearing = this.world.on(event => this.hear(event))
    this.world.emit({ type: 'linked', company: phone.user, device: this.device })
    return this
  }

  /** Logged out: on the phone, by the gateway, or because the slot is gone. */
  unlink(by: 'phone' | 'device'): void {
    const { phone, device } = this
    this.stopHearing?.()
    phone?.gateways.splice(phone.gateways.indexOf(this), 1)
    this.phone = undefined
    this.online = false
    if (phone) this.world.emit({ type: 'logged-out', company: phone.user, device, by })
  }

  /** Writes from the company's number. @returns the message's id */
  async send(to: ChatPartner, message: OutgoingMessage): Promise<string> {
    const { phone } = this
    if (!phone) throw new Error('The device is not linked')
    const id = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
    this.own.add(id)
    if (!(to instanceof CustomerPhone) && !('members' in to)) throw new Error('Companies write to customers and groups')
    this.changing = 'of' in message
    await phone.type({ to, id, ...message }).finally(() => {
      this.changing = false
    })
    if ('of' in message) return id
    if (to instanceof CustomerPhone) confirmByPhone(this.world, phone, to, phone.user, id)
    else
      for (const member of to.members)
        if (member instanceof CustomerPhone) confirmByPhone(this.world, phone, member, to.jid, id)
    return id
  }

  /** Whom the chat of a name is with. */
  other(chat: string): ChatPartner | undefined {
    return this.world.groups.get(chat) ?? this.world.phone(chat) ?? this.world.byNumber(chat)
  }

  private hear(event: WorldEvent): void {
    const { phone } = this
    if (!phone) return
    if (event.type === 'message' && event.phone === phone.user) this.tell(phone, event.message)
    if (event.type === 'changed' && event.phone === phone.user) this.tellChange(phone, event)
    if (event.type === 'tick' && event.phone === phone.user) this.tellTick(phone, event)
    if (event.type === 'call' && event.to === phone.user && event.state === 'ringing') this.tellCall(phone, event)
  }

  private tell(phone: CompanyPhone, message: PhoneMessage): void {
    if (this.own.has(message.id) || message.content.type === 'call') return
    const other = this.other(message.chat)
    const by = this.world.byNumber(message.from)
    if (!other || !by) return
    const path = () => makeStaticPath('mimetype' in message.content ? message.content.mimetype : '')
    const quote = message.quote ? { replied_to_id: message.quote } : {}
    const payload = {
      ...createCommonFields(phone, other, by, message.id, message.at),
      ...toContentFields(message, path),
      ...quote,
    }
    this.post('message', payload)
  }

  private tellChange(phone: CompanyPhone, { message, change, by }: Extract<WorldEvent, { type: 'changed' }>): void {
    const other = this.other(message.chat)
    const author = this.world.byNumber(by)
    if (!other || !author || (author === phone && this.changing)) return
    const id = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
    const common = createCommonFields(phone, other, author, id, new Date())
    if (change.type === 'edit')
      this.post('message.edited', { ...common, original_message_id: change.of, body: change.text })
    else if (change.type === 'revoke')
      this.post('message.revoked', { ...common, revoked_message_id: change.of, revoked_from_me: message.fromMe })
    else this.post('message.reaction', { ...common, reaction: change.emoji, reacted_message_id: change.of })
  }

  private tellTick(phone: CompanyPhone, { chat, id, tick, by }: Extract<WorldEvent, { type: 'tick' }>): void {
    const other = this.other(chat)
    const reader = by ? this.world.byNumber(by) : undefined
    if (!other || !reader || reader === phone || (tick !== 'delivered' && tick !== 'read')) return
    const hidden = findHiddenId(reader)
    const lid = hidden ? { from_lid: hidden } : {}
    const payload = { ids: [id], chat_id: other.jid, from: reader.jid, ...lid, receipt_type: tick }
    setTimeout(() => this.post('message.ack', payload, new Date()), this.options.ackDelayMs)
  }

  private tellCall(_phone: CompanyPhone, { id = '', from }: Extract<WorldEvent, { type: 'call' }>): void {
    const caller = this.world.byNumber(from)
    if (!caller) return
    const payload = {
      call_id: id,
      from: caller.jid,
      auto_rejected: false,
      remote_platform: 'android',
      remote_version: '2.26.1.5',
    }
    this.post('call.offer', payload, new Date())
  }

  private post(event: string, payload: Record<string, unknown>, at?: Date): void {
    const { phone } = this
    if (!phone) return
    const notice = {
      event,
      device_id: phone.jid,
      session_id: this.id,
      ...(at && { timestamp: formatRfc3339(at) }),
      payload,
    }
    if (this.online) this.lane.post(event, notice)
    else this.waiting.push(() => this.lane.post(event, notice))
  }
}

/** The name of a chat on a phone. */
export function getChatId(other: ChatPartner): string {
  return 'members' in other ? other.jid : other.user
}
