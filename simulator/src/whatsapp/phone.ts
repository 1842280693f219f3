/** A phone of the simulated world: an account with its number, its Signal keys and the chats it shows. */
import { createHash, randomBytes } from 'node:crypto'
import type { PhoneContent } from './content'
import type { Knobs } from './knobs'
import { SERVER } from './nodes'
import { SignalStack } from './signal-stack'

export type Tick = 'waiting' | 'sent' | 'delivered' | 'read' | 'failed'

/** A message as a phone shows it. */
export interface PhoneMessage {
  id: string
  /** The other phone's number, or the group's jid. */
  chat: string
  fromMe: boolean
  /** Number of who wrote it. */
  from: string
  at: Date
  content: PhoneContent
  /** Of own messages only: how far it came. */
  tick?: Tick
  edited?: boolean
  revoked?: boolean
  /** Emoji by number of who reacted. */
  reactions?: Record<string, string>
  quote?: string
  /** What opens sealed edits of it. */
  secret?: Uint8Array
  /** Seconds after which it vanishes. */
  timer?: number
}

export interface PhoneOptions {
  /** As people write it, digits only. */
  number: string
  name: string
  /** The number WhatsApp knows the account by, when it differs: Brazilian accounts without the ninth digit. */
  onWhatsAppAs?: string
  lid?: string
  /** Address of a picture the number's profile shows. */
  picture?: string
  status?: string
}

/** Older messages of a chat are dropped, so that a load of thousands stays cheap. */
const KEPT_PER_CHAT = 1000

export class Phone {
  readonly number: string
  /** The account's number on WhatsApp: the user part of its jid. */
  readonly user: string
  readonly lidUser: string
  name: string
  picture: string | undefined
  status: string | undefined
  /** Turns knobs for what concerns this phone only. */
  readonly knobs: Partial<Knobs> = {}
  private readonly chats = new Map<string, Map<string, PhoneMessage>>()
  private stack: SignalStack | undefined

  constructor(options: PhoneOptions) {
    this.number = options.number
    this.user = options.onWhatsAppAs ?? options.number
    this.lidUser = options.lid ?? makeLid(this.user)
    this.name = options.name
    this.picture = options.picture
    this.status = options.status
  }

  get jid(): string {
    return `${this.user}${SERVER}`
  }

  get lid(): string {
    return `${this.lidUser}@lid`
  }

  get signal(): SignalStack {
    this.stack ??= new SignalStack(this.lid)
    return this.stack
  }

  protected forgetKeys(): void {
    this.stack = undefined
  }

  /** The messages of one chat, oldest first. */
  messages(chat: string): PhoneMessage[] {
    return [...(this.chats.get(chat)?.values() ?? [])]
  }

  /** After how many seconds the messages of a chat vanish, as the last of them says; 0: never. */
  timer(chat: string): number {
    return this.messages(chat).at(-1)?.timer ?? 0
  }

  /** Every chat this phone has, by the other's number or the group's jid. */
  chatNames(): string[] {
    return [...this.chats.keys()]
  }

  message(chat: string, id: string): PhoneMessage | undefined {
    return this.chats.get(chat)?.get(id)
  }

  /** Finds a message whose chat is not known. */
  find(id: string): PhoneMessage | undefined {
    for (const messages of this.chats.values()) {
      const found = messages.get(id)
      if (found) return found
    }
    return undefined
  }

  keep(message: PhoneMessage): void {
    let messages = this.chats.get(message.chat)
    if (!messages) {
      messages = new Map()
      this.chats.set(message.chat, messages)
    }
    messages.set(message.id, message)
    if (messages.size > KEPT_PER_CHAT) {
      for (const oldest of messages.keys()) {
        messages.delete(oldest)
        break
      }
    }
  }
}

export function makeMessageId(): string {
  return `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
}

/** Always the same for the same number, so a world made again has the same people. */
function makeLid(user: string): string {
  const digest = createHash('sha256').update(`lid of ${user}`).digest()
  return `1${String(digest.readUIntBE(0, 6) % 10 ** 14).padStart(14, '0')}`
}
