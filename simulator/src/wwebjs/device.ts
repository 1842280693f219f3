/** A page of WhatsApp Web as a linked device: it shows what the company's phone shows, and sends as it. Outlives the browser that runs it. */
import { randomBytes } from 'node:crypto'

import type { CompanyPhone } from '../whatsapp/company'
import { CustomerPhone } from '../whatsapp/customer'
import { drawChance, mergeKnobs, runAfter } from '../whatsapp/deliver'
import type { ChatGroup } from '../whatsapp/group'
import type { Phone, PhoneMessage } from '../whatsapp/phone'
import { sendFrom } from '../whatsapp/send'
import type { WorldEvent } from '../whatsapp/timeline'
import type { WhatsAppNetwork } from '../whatsapp/world'
import type { PageFrame, PageMessage, WorldFrame } from './frames'
import { toOutgoing } from './from-page'
import type { BrowserPage } from './page'
import { ACKS, toJid, toPageChat, toPageGroup, toPageMessage, toPagePerson, toWid } from './to-page'

/** Of a chat, when a page is opened. */
const SHOWN = 50

export class BrowserDevice {
  readonly platform = 'browser'
  readonly key = randomBytes(24).toString('base64url')
  loggedOut = false
  /** What becomes of the bytes of a file on their way to the page. */
  spoilFile: ((bytes: Uint8Array) => Uint8Array) | undefined
  /** Ticks are kept back until `releaseAcks`, for who wants them in another order. */
  private held: PageFrame[] | undefined
  private page: BrowserPage | undefined
  private stopListening: (() => void) | undefined
  private readonly reactions = new Map<string, Record<string, string>>()

  constructor(
    private readonly world: WhatsAppNetwork,
    readonly company: CompanyPhone,
    readonly device: number,
  ) {}

  get online(): boolean {
    return this.page !== undefined
  }

  /** Receipts come by the world's ticks. */
  push(): void {}

  /** The page is open: it gets the phone's chats, and from now on what happens. */
  open(page: BrowserPage): void {
    this.page?.say({ t: 'state', state: 'CONFLICT' })
    this.close()
    this.page = page
    const { world, company } = this
    const chats = company.chatNames().flatMap(chat => company.messages(chat).slice(-SHOWN))
    for (const message of chats) this.reactions.set(message.id, { ...message.reactions })
    page.say({
      t: 'linked',
      key: this.key,
      me: toPagePerson(company),
      people: world.phones.filter(phone => phone !== company).map(toPagePerson),
      groups: [...world.groups.values()].filter(group => group.members.includes(company)).map(toPageGroup),
      messages: chats.map(message => toPageMessage(world, company, message)),
    })
    this.stopListening = world.on(event => this.follow(event))
    world.emit({ type: 'online', company: company.user, device: this.device, replayed: 0 })
  }

  close(page = this.page): void {
    if (!page || page !== this.page) return
    this.stopListening?.()
    this.page = undefined
    this.world.emit({ type: 'offline', company: this.company.user, device: this.device })
  }

  /** The phone removes this device, or the account is in trouble: the page shows it. */
  say(frame: PageFrame): void {
    this.page?.say(frame)
  }

  logOut(): void {
    this.page?.say({ t: 'logout' })
  }

  holdAcks(): void {
    this.held = []
  }

  /** Hands over the ticks kept back, the last first. @returns how many there were */
  releaseAcks(): number {
    const held = this.held ?? []
    this.held = undefined
    for (const frame of held.toReversed()) this.say(frame)
    return held.length
  }

  get acksHeld(): number {
    return this.held?.length ?? 0
  }

  group(group: ChatGroup, subtype: string, whom?: Phone): void {
    const recipients = whom ? [toWid(group.addressOf(whom))] : []
    this.say({ t: 'group', group: toPageGroup(group), subtype, recipients })
  }

  private follow(event: WorldEvent): void {
    const { world, company } = this
    if (event.type === 'call' && event.to === company.user && event.state === 'ringing') this.ring(event)
    if (!('phone' in event) || event.phone !== company.user) return
    if (event.type === 'message') {
      const from = world.byNumber(event.message.from)
      if (from && from !== company) this.say({ t: 'person', person: toPagePerson(from) })
      const frame = { t: 'message', message: toPageMessage(world, company, event.message) } as const
      const knobs = mergeKnobs(world, company)
      runAfter(knobs.delayMs, () => this.say(frame))
      if (drawChance(world, knobs.repeat)) runAfter(knobs.delayMs + 40, () => this.say(frame))
    }
    if (event.type === 'changed') this.change(event.message)
    if (event.type === 'tick') {
      const frame = { t: 'ack', chat: toPageChat(world, event.chat), id: event.id, ack: ACKS[event.tick] } as const
      if (this.held) this.held.push(frame)
      else this.say(frame)
    }
  }

  private ring({ from, video }: Extract<WorldEvent, { type: 'call' }>): void {
    const caller = this.world.byNumber(from)
    if (caller)
      this.say({
        t: 'call',
        id: randomBytes(8).toString('hex').toUpperCase(),
        from: toPagePerson(caller).address,
        video,
      })
  }

  private change(message: PhoneMessage): void {
    const { world } = this
    const where = { chat: toPageChat(world, message.chat), id: message.id }
    if (message.revoked) {
      this.say({ t: 'revoked', ...where })
      return
    }
    const before = this.reactions.get(message.id) ?? {}
    const now = message.reactions ?? {}
    for (const by of new Set([...Object.keys(before), ...Object.keys(now)])) {
      if (before[by] === now[by]) continue
      const phone = world.byNumber(by)
      if (phone) this.say({ t: 'reaction', ...where, by: this.authorOf(message.chat, phone), emoji: now[by] ?? '' })
    }
    this.reactions.set(message.id, { ...now })
    const { content } = message
    const text = content.type === 'text' ? content.text : 'caption' in content ? (content.caption ?? '') : undefined
    if (message.edited && text !== undefined) this.say({ t: 'edited', ...where, text })
  }

  private authorOf(chat: string, phone: Phone): string {
    const group = this.world.groups.get(chat)
    return toWid(group ? group.addressOf(phone) : toPagePerson(phone).address)
  }

  async take(frame: WorldFrame): Promise<void> {
    const { world, company } = this
    switch (frame.t) {
      case 'send':
        return this.send(frame.message, frame.data)
      case 'edit':
        return this.changeOf(frame.chat, { type: 'edit', of: frame.id, text: frame.text })
      case 'revoke':
        return this.changeOf(frame.chat, { type: 'revoke', of: frame.id })
      case 'react':
        return this.changeOf(frame.chat, { type: 'reaction', of: frame.id, emoji: frame.emoji })
      case 'seen': {
        const other = this.target(frame.chat)
        if (other instanceof CustomerPhone) company.read(other)
        return
      }
      case 'reject':
        return world.emit({
          type: 'call',
          from: world.phone(toJid(frame.to))?.user ?? '',
          to: company.user,
          video: false,
          state: 'rejected',
        })
      case 'logout':
        return company.unlink(this, 'device')
      default:
    }
  }

  private target(chat: string): Phone | ChatGroup | undefined {
    return this.world.groups.get(chat) ?? this.world.phone(toJid(chat))
  }

  private async changeOf(chat: string, change: Parameters<typeof sendFrom>[3]): Promise<void> {
    const to = this.target(chat)
    if (to) await sendFrom(this.world, this.company, to, change)
  }

  private async send(message: PageMessage, data: string | undefined): Promise<void> {
    const { world, company } = this
    const to = this.target(message.chat)
    if (!to) return
    const { id, chat } = message
    const knobs = mergeKnobs(world, company, ...('user' in to ? [to] : []))
    if (drawChance(world, knobs.lose)) return
    if (knobs.refuse) {
      const code = knobs.refuse
      world.emit({ type: 'refused', company: company.user, to: chat, id, code })
      return runAfter(knobs.ackDelayMs, () => this.say({ t: 'ack', chat, id, ack: -1 }))
    }
    await sendFrom(world, company, to, toOutgoing(message, data), { id, through: this })
    runAfter(knobs.ackDelayMs, () => this.say({ t: 'ack', chat, id, ack: 1 }))
  }
}
