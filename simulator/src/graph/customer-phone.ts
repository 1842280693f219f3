// One customer's phone as Meta's servers see it: what it sends goes out as webhooks, what arrives is acknowledged step by step.
import { randomBytes } from 'node:crypto'
import { extractDigits } from '@balcao/contract/contacts/phone'
import type { BusinessContent, CustomerContent, GraphEntry } from './content.ts'
import type { GraphCode } from './errors.ts'
import type { GraphCustomerOptions, GraphState } from './graph.ts'
import { createMessageValue, createStatusValue } from './payloads.ts'
import type { Business, Customer, Network } from './people.ts'

const WINDOW_MS = 24 * 3_600_000
const TYPING_MS = 25_000

interface Chat {
  entries: GraphEntry[]
  lastInboundAt?: number
  typingUntil: number
}

export class GraphCustomerPhone implements Customer {
  readonly number: string
  name: string
  waId: string
  userId?: string
  username?: string
  phoneHidden: boolean
  network: Network = 'normal'
  onWhatsApp = true
  readonly blocked = new Set<Business>()
  private readonly world: GraphState
  private readonly chats = new Map<string, Chat>()
  /** What waits until the phone is back on the network, in order. */
  private waiting: (() => void)[] = []

  constructor(world: GraphState, options: GraphCustomerOptions) {
    this.world = world
    this.number = extractDigits(options.number)
    this.name = options.name
    this.waId = options.waId ?? this.number
    this.phoneHidden = options.phoneHidden ?? false
    if (options.userId) this.userId = options.userId
    if (options.username) this.username = options.username
  }

  async send(
    business: Business,
    content: CustomerContent,
    options: { quote?: string; at?: Date } = {},
  ): Promise<string> {
    const entry: GraphEntry & { from: 'customer' } = {
      id: makeWamid(this.waId),
      from: 'customer',
      at: options.at ?? new Date(this.world.now()),
      status: 'waiting',
      content,
      ...(options.quote ? { quote: options.quote } : {}),
    }
    if (content.type === 'reaction') this.react(business, content.to, content.emoji)
    else if (content.type === 'edit' || content.type === 'revoke') this.change(business, content)
    else this.put(business, entry)
    this.world.emit({ type: 'message', business, customer: this, entry })
    this.overTheNetwork(() => {
      entry.status = 'sent'
      const chat = this.chatWith(business)
      chat.lastInboundAt = Math.max(chat.lastInboundAt ?? 0, entry.at.getTime())
      business.lane.post({ field: 'messages', value: createMessageValue(business, this, entry, this.world.media) })
      entry.status = 'delivered'
      this.world.emit({ type: 'status', business, customer: this, entry })
    })
    return entry.id
  }

  read(business: Business): void {
    for (const entry of this.chatWith(business).entries)
      if (entry.from === 'business' && (entry.status === 'delivered' || entry.status === 'sent'))
        this.overTheNetwork(() => this.advance(business, entry, 'read'))
  }

  play(business: Business, id: string): void {
    const entry = business.entries.get(id)
    if (entry?.from === 'business' && entry.content.type === 'audio')
      this.overTheNetwork(() => this.advance(business, entry, 'played'))
  }

  chat(business: Business): GraphEntry[] {
    return this.chatWith(business).entries
  }

  typing(business: Business): boolean {
    return this.chatWith(business).typingUntil > this.world.now()
  }

  setNetwork(network: Network): void {
    this.network = network
    if (network === 'off') return
    const waiting = this.waiting
    this.waiting = []
    for (const run of waiting) this.overTheNetwork(run)
  }

  closeWindow(business: Business): void {
    this.chatWith(business).lastInboundAt = this.world.now() - WINDOW_MS - 60_000
  }

  /** Takes a message of the business: `sent` at once, `delivered` when the phone is reached, or `failed`. */
  receive(business: Business, content: BusinessContent, quote?: string, opaque?: string): string {
    const entry: GraphEntry & { from: 'business' } = {
      id: makeWamid(this.waId),
      from: 'business',
      at: new Date(this.world.now()),
      status: 'waiting',
      content,
      ...(quote ? { quote } : {}),
      ...(opaque === undefined ? {} : { opaque }),
    }
    business.entries.set(entry.id, entry)
    const absent = this.onWhatsApp ? undefined : 131026
    const failure =
      absent ??
      business.failures.shift() ??
      (content.type !== 'template' && !this.windowOpen(business) ? 131047 : undefined)
    const { ackDelayMs } = this.world.options
    this.world.later(() => {
      if (failure) return this.fail(business, entry, failure)
      this.advance(business, entry, 'sent')
      if (this.blocked.has(business)) return
      this.world.later(() => this.overTheNetwork(() => this.arrive(business, entry)), ackDelayMs)
    }, ackDelayMs)
    return entry.id
  }

  /** The business read this customer's message and everything before it. */
  readByBusiness(business: Business, id: string, typing: boolean): boolean {
    const chat = this.chatWith(business)
    const at = chat.entries.findIndex(entry => entry.id === id && entry.from === 'customer')
    if (at < 0) return false
    for (const entry of chat.entries.slice(0, at + 1)) {
      if (entry.from !== 'customer' || entry.status === 'read') continue
      entry.status = 'read'
      this.world.emit({ type: 'status', business, customer: this, entry })
    }
    if (typing) this.showTyping(business)
    return true
  }

  private arrive(business: Business, entry: GraphEntry & { from: 'business' }): void {
    this.stopTyping(business)
    if (entry.content.type === 'reaction') this.react(business, entry.content.to, entry.content.emoji)
    else this.put(business, entry)
    this.world.emit({ type: 'message', business, customer: this, entry })
    this.advance(business, entry, 'delivered')
  }

  private fail(business: Business, entry: GraphEntry, code: GraphCode): void {
    entry.status = 'failed'
    entry.error = code
    this.report(business, entry, 'failed', code)
  }

  private advance(business: Business, entry: GraphEntry, status: 'sent' | 'delivered' | 'read' | 'played'): void {
    if (RANK[status] <= RANK[entry.status]) return
    entry.status = status
    this.report(business, entry, status)
  }

  private report(
    business: Business,
    entry: GraphEntry,
    status: 'sent' | 'delivered' | 'read' | 'played' | 'failed',
    code?: GraphCode,
  ): void {
    const value = createStatusValue(business, this, entry, status, new Date(this.world.now()), code)
    business.lane.post({ field: 'messages', value })
    this.world.emit({ type: 'status', business, customer: this, entry })
  }

  private react(business: Business, id: string, emoji: string): void {
    const target = business.entries.get(id)
    if (!target) return
    if (emoji) target.reaction = emoji
    else delete target.reaction
  }

  /** People change what they wrote themselves. */
  private change(business: Business, change: Extract<CustomerContent, { type: 'edit' | 'revoke' }>): void {
    const target = business.entries.get(change.of)
    if (target?.from !== 'customer') return
    if (change.type === 'revoke') target.deleted = true
    else if (target.content.type === 'text')
      Object.assign(target, { content: { ...target.content, text: change.text }, edited: true })
  }

  private showTyping(business: Business): void {
    this.chatWith(business).typingUntil = this.world.now() + TYPING_MS
    this.world.emit({ type: 'typing', business, customer: this, on: true })
    this.world.aside(() => {
      if (!this.typing(business)) this.world.emit({ type: 'typing', business, customer: this, on: false })
    }, TYPING_MS + 50)
  }

  private stopTyping(business: Business): void {
    const chat = this.chatWith(business)
    if (chat.typingUntil === 0) return
    chat.typingUntil = 0
    this.world.emit({ type: 'typing', business, customer: this, on: false })
  }

  private overTheNetwork(run: () => void): void {
    if (this.network === 'off') this.waiting.push(run)
    else if (this.network === 'slow') this.world.later(run, this.world.options.slowMs)
    else run()
  }

  private windowOpen(business: Business): boolean {
    const { lastInboundAt } = this.chatWith(business)
    return lastInboundAt !== undefined && this.world.now() - lastInboundAt < WINDOW_MS
  }

  private put(business: Business, entry: GraphEntry): void {
    business.entries.set(entry.id, entry)
    this.chatWith(business).entries.push(entry)
  }

  private chatWith(business: Business): Chat {
    const found = this.chats.get(business.phoneNumberId)
    if (found) return found
    const made: Chat = { entries: [], typingUntil: 0 }
    this.chats.set(business.phoneNumberId, made)
    return made
  }
}

const RANK: Record<GraphEntry['status'], number> = { waiting: 0, sent: 1, delivered: 2, read: 3, played: 4, failed: 5 }

function makeWamid(waId: string): string {
  return `wamid.${Buffer.from(`\x1d\x12${waId}\x15\x02${randomBytes(12).toString('hex')}`).toString('base64')}`
}
