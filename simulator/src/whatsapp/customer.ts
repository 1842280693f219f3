/** A customer's phone. */
import { placeCall } from './calls'
import type { CompanyPhone } from './company'
import type { OutgoingMessage } from './compose'
import type { ChatGroup } from './group'
import { Phone, type PhoneMessage, type PhoneOptions } from './phone'
import { deliverWaiting, playVoice, readChat, type UnreadMessage } from './receipts'
import { type SendOptions, sendFrom } from './send'
import { type TypingState, typeTo } from './typing'
import type { WhatsAppNetwork } from './world'

export interface CustomerOptions extends PhoneOptions {
  /** How companies see this person: by a hidden id, as most accounts today, or by the phone number. */
  addressing?: 'pn' | 'lid'
  /** Leaves the other address out of what is sent, as the server does for some contacts. */
  withoutAlternate?: boolean
  /** Reads every message as it comes. */
  autoRead?: boolean
}

export class CustomerPhone extends Phone {
  addressing: 'pn' | 'lid'
  withoutAlternate: boolean
  autoRead: boolean
  /** Whether the number has WhatsApp: without, the server finds nobody and nothing arrives. */
  onWhatsApp = true
  /** Companies this person blocked: they see one tick and never a second. */
  readonly blocked = new Set<Phone>()
  /** What came while the phone was off. */
  readonly inbox: (() => void | Promise<void>)[] = []
  /** What was delivered here and not read yet. */
  readonly unread = new Set<UnreadMessage>()
  private connected = true

  constructor(
    private readonly world: WhatsAppNetwork,
    options: CustomerOptions,
  ) {
    super(options)
    this.addressing = options.addressing ?? 'lid'
    this.withoutAlternate = options.withoutAlternate ?? false
    this.autoRead = options.autoRead ?? false
  }

  /** The address companies see. */
  get address(): string {
    return this.addressing === 'lid' ? this.lid : this.jid
  }

  get online(): boolean {
    return this.connected
  }

  set online(online: boolean) {
    this.connected = online
    if (online) deliverWaiting(this)
  }

  offline(): void {
    this.online = false
  }

  /** Sends a message to a company or a group. @returns the message's id */
  send(to: CompanyPhone | ChatGroup, message: OutgoingMessage, options: SendOptions = {}): Promise<string> {
    return sendFrom(this.world, this, to, message, options)
  }

  /** Sends a photo in the better quality: small first, then the better file. @returns the small one's id */
  async sendHd(to: CompanyPhone | ChatGroup, small: Uint8Array, better: Uint8Array, caption?: string): Promise<string> {
    const id = await this.send(to, { type: 'image', data: small, ...(caption && { caption }) })
    await this.send(to, { type: 'better', of: id, media: 'image', data: better })
    return id
  }

  /** Whether what this phone sends arrives here. */
  hears(sender: Phone): boolean {
    return this.onWhatsApp && !this.blocked.has(sender)
  }

  /** Opens the chat: everything unread gets its blue ticks. */
  read(chat: CompanyPhone | ChatGroup): void {
    readChat(this, chat)
  }

  /** Listens to a voice note of the company. */
  play(chat: CompanyPhone | ChatGroup, id: string): void {
    playVoice(this.world, this, chat, id)
  }

  /** The messages of a chat, oldest first. */
  chat(of: CompanyPhone | ChatGroup): PhoneMessage[] {
    return this.messages('jid' in of && of instanceof Phone ? of.user : of.jid)
  }

  /** Downloads and decrypts the file of a message. */
  download(message: PhoneMessage): Promise<Uint8Array> {
    if (!('media' in message.content)) throw new Error(`Message ${message.id} has no file`)
    return this.world.media.open(message.content.media)
  }

  /** A new phone with the same number: new keys, so devices have to make new sessions. */
  reinstall(): void {
    this.forgetKeys()
    for (const company of this.world.companies) {
      for (const device of company.devices) device.forgetSenderKeysOf(this)
    }
  }

  /** Shows "typing…" at the desk. */
  typing(to: CompanyPhone | ChatGroup, state: TypingState = 'composing'): void {
    typeTo(this, to, state)
  }

  /** Calls a company; a missed call rings and ends by itself. @returns the call's id */
  call(to: CompanyPhone, options: { video?: boolean; missed?: boolean } = {}): string {
    return placeCall(this.world, this, to, options)
  }
}

/** A person who blocked the company, or has no WhatsApp, gets nothing; the server says neither. */
export function isDeaf(receiver: Phone, sender: Phone): boolean {
  return receiver instanceof CustomerPhone && !receiver.hears(sender)
}
