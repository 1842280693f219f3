/** A linked device of a company: its keys, its connection and what waits for it. Outlives the process that runs it. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { CompanyPhone } from './company'
import type { ServerConnection } from './connection'
import type { KeyBundle, PublicKey } from './key-bundle'
import { createNode, SERVER, toSeconds } from './nodes'
import type { Phone } from './phone'
import type { DeliveryStep } from './timeline'

const FEW_PRE_KEYS = 20
/** A phone can send again whatever it sent lately; a device may have been away for long. */
const REMEMBERED = 20_000

export class Companion {
  connection: ServerConnection | undefined
  /** True between the client's `active` and the end of its connection: stanzas go out at once. */
  active = false
  loggedOut = false
  /** True from the first login on: the history is sent once. */
  hasHistory = false
  /** Groups whose sender keys this device has, by `group/author`. */
  readonly senderKeys = new Set<string>()
  /** How to make the newest stanzas again, for when the device could not decrypt one. */
  private readonly recent = new Map<string, () => Promise<BinaryNode>>()
  private readonly preKeys: PublicKey[] = []
  private readonly pending = new Map<string, BinaryNode>()
  /** Stanzas the device asked for again: Baileys refuses the first copy a moment later, and means only that one. */
  private readonly replaced = new Set<string>()
  private askedForPreKeys = false

  constructor(
    readonly company: CompanyPhone,
    readonly device: number,
    readonly keyIndex: number,
    readonly platform: string,
    private keys: Omit<KeyBundle, 'preKey'>,
  ) {}

  get jid(): string {
    return `${this.company.user}:${this.device}${SERVER}`
  }

  get lid(): string {
    return `${this.company.lidUser}:${this.device}@lid`
  }

  get online(): boolean {
    return this.active && this.connection !== undefined
  }

  /** How many stanzas were not acknowledged yet. */
  get waiting(): number {
    return this.pending.size
  }

  get preKeyCount(): number {
    return this.preKeys.length
  }

  /** Hands a stanza to the device, now or when it is back; it is kept until the device acknowledges it. */
  push(stanza: BinaryNode): void {
    this.pending.set(getReceiptKey(stanza), stanza)
    this.note(stanza, this.online ? 'sent' : 'kept for the next login')
    if (this.online) this.connection?.send(stanza)
  }

  remember(id: string, make: () => Promise<BinaryNode>): void {
    this.recent.set(id, make)
    if (this.recent.size <= REMEMBERED) return
    for (const oldest of this.recent.keys()) {
      this.recent.delete(oldest)
      break
    }
  }

  /** Encrypts a message once more and sends it. */
  async sendAgain(id: string): Promise<void> {
    const stanza = await this.recent.get(id)?.()
    if (!stanza) return
    this.note(stanza, 'made again')
    this.push(stanza)
  }

  /** Keeps a stanza for the next login without sending it now. */
  keep(stanza: BinaryNode): void {
    this.pending.set(getReceiptKey(stanza), stanza)
    this.note(stanza, 'kept for the next login')
  }

  /** Sends what is not worth keeping, such as typing. */
  pushVolatile(stanza: BinaryNode): void {
    if (this.online) this.connection?.send(stanza)
  }

  /** @param attrs of the client's ack or receipt */
  acknowledged({ tag, attrs }: Pick<BinaryNode, 'tag' | 'attrs'>, step: DeliveryStep = 'receipt'): void {
    const key = getReceiptKey({ tag, attrs })
    const endsFirstCopy = this.replaced.delete(key) && step.startsWith('refused')
    if (!endsFirstCopy) this.pending.delete(key)
    if (step === 'asked for again') this.replaced.add(key)
    this.note({ tag, attrs }, step)
  }

  /** Everything unacknowledged again, marked as replayed. */
  replay(): number {
    for (const stanza of this.pending.values()) {
      this.note(stanza, 'replayed')
      this.connection?.send({ ...stanza, attrs: { ...stanza.attrs, offline: '1' } })
    }
    return this.pending.size
  }

  forgetSenderKeysOf(phone: Phone): void {
    for (const known of this.senderKeys) if (known.endsWith(`/${phone.user}`)) this.senderKeys.delete(known)
  }

  upload(keys: Omit<KeyBundle, 'preKey'>, preKeys: PublicKey[]): void {
    this.keys = keys
    const known = new Set(this.preKeys.map(key => key.id))
    this.preKeys.push(...preKeys.filter(key => !known.has(key.id)))
    this.askedForPreKeys = false
  }

  rotate(signedPreKey: KeyBundle['signedPreKey']): void {
    this.keys = { ...this.keys, signedPreKey }
  }

  bundle(): KeyBundle {
    const preKey = this.preKeys.shift()
    if (this.preKeys.length < FEW_PRE_KEYS) this.askForPreKeys()
    return preKey ? { ...this.keys, preKey } : this.keys
  }

  private note({ tag, attrs }: Pick<BinaryNode, 'tag' | 'attrs'>, step: DeliveryStep): void {
    if (tag === 'message') this.company.note(this, attrs.id ?? '', step)
  }

  private askForPreKeys(): void {
    if (this.askedForPreKeys || !this.online) return
    this.askedForPreKeys = true
    const id = String(Date.now())
    this.push(
      createNode('notification', { from: SERVER, type: 'encrypt', id, t: toSeconds() }, [
        createNode('count', { value: String(this.preKeys.length) }),
      ]),
    )
  }
}

/** Receipts of a group share an id and differ by member; messages are known by their id alone. */
function getReceiptKey({ tag, attrs }: Pick<BinaryNode, 'tag' | 'attrs'>): string {
  return tag === 'receipt' ? `${tag}/${attrs.id}/${attrs.participant ?? ''}/${attrs.type ?? ''}` : `${tag}/${attrs.id}`
}
