/** An unmodified Baileys client with its auth state in memory, as a desk would run it. */
import { randomBytes } from 'node:crypto'
import makeWASocket, {
  type AuthenticationState,
  type BaileysEventMap,
  Browsers,
  type ConnectionState,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type WAMessage,
} from '@whiskeysockets/baileys'
import pino from 'pino'
import type { WhatsAppNetwork } from '../src/whatsapp'
import { setTrustRoot } from '../src/whatsapp'

// libsignal prints whole sessions through the console
console.info = () => undefined
console.warn = () => undefined

/** Keys in memory, copied on the way in and out like a database would. */
class Keys {
  readonly values = new Map<string, unknown>()

  get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): { [id: string]: SignalDataTypeMap[T] } {
    const found: { [id: string]: SignalDataTypeMap[T] } = {}
    for (const id of ids) {
      const value = this.values.get(`${type}/${id}`)
      if (isPresent<SignalDataTypeMap[T]>(value)) found[id] = value
    }
    return found
  }

  set(data: SignalDataSet): void {
    for (const [type, entries] of Object.entries(data)) {
      for (const [id, value] of Object.entries(entries ?? {})) {
        if (value === null) this.values.delete(`${type}/${id}`)
        else this.values.set(`${type}/${id}`, value)
      }
    }
  }
}

function isPresent<T>(value: unknown): value is T {
  return value !== undefined
}

export function createAuth(): AuthenticationState {
  return { creds: initAuthCreds(), keys: new Keys() }
}

type RecordedEvents = { [E in keyof BaileysEventMap]?: BaileysEventMap[E][] }

export class Client {
  readonly sock: ReturnType<typeof makeWASocket>
  private readonly recorded: RecordedEvents = {}
  qr: string | undefined
  readonly qrs: string[] = []
  private readonly waiting = new Set<() => void>()

  constructor(
    world: WhatsAppNetwork,
    readonly auth: AuthenticationState = createAuth(),
    options: { renewSecret?: boolean; qrTimeout?: number } = {},
  ) {
    setTrustRoot(world.root)
    this.sock = makeWASocket({
      auth,
      waWebSocketUrl: world.url,
      logger: pino({ level: process.env.BAILEYS_LOG ?? 'silent' }),
      browser: Browsers.ubuntu('Chrome'),
      ...(options.qrTimeout && { qrTimeout: options.qrTimeout }),
    })
    for (const event of WATCHED) this.watch(event)
    this.sock.ev.on('creds.update', update => Object.assign(auth.creds, update))
    this.sock.ev.on('connection.update', ({ qr }) => qr && this.show(qr))
    if (options.renewSecret !== false) this.renewSecretWhenTold()
  }

  /** The last state the connection told about. */
  get close(): Partial<ConnectionState> | undefined {
    return this.all('connection.update').findLast(update => update.connection === 'close')
  }

  /** The code a connection ended with. */
  get closeCode(): number | undefined {
    const error: unknown = this.close?.lastDisconnect?.error
    if (!error || typeof error !== 'object' || !('output' in error)) return undefined
    const { output } = error
    return output && typeof output === 'object' && 'statusCode' in output ? Number(output.statusCode) : undefined
  }

  all<E extends keyof BaileysEventMap>(event: E): BaileysEventMap[E][] {
    return this.recorded[event] ?? []
  }

  get messages(): WAMessage[] {
    return this.all('messages.upsert').flatMap(upsert => upsert.messages)
  }

  message(id: string): WAMessage | undefined {
    return this.messages.find(message => message.key.id === id)
  }

  /** The highest status known of an own message, folded into upserts or told by updates. */
  status(id: string): number {
    const updates = this.all('messages.update').flat()
    const known = updates.filter(({ key }) => key.id === id).map(({ update }) => update.status ?? 0)
    return Math.max(0, this.message(id)?.status ?? 0, ...known)
  }

  /** Waits until `check` gives something; looks again after every event. */
  async until<T>(label: string, check: () => T | undefined | false | null, timeoutMs = 8000): Promise<T> {
    const end = Date.now() + timeoutMs
    for (;;) {
      const found = check()
      if (found) return found
      if (Date.now() > end) throw new Error(`Not within ${timeoutMs} ms: ${label}`)
      await new Promise<void>(resolve => {
        const timer = setTimeout(done, 25)
        const { waiting } = this
        function done() {
          clearTimeout(timer)
          waiting.delete(done)
          resolve()
        }
        waiting.add(done)
      })
    }
  }

  opened(): Promise<unknown> {
    return this.until('the connection opens', () =>
      this.all('connection.update').find(update => update.connection === 'open'),
    )
  }

  closed(): Promise<number | undefined> {
    return this.until('the connection ends', () => this.close).then(() => this.closeCode)
  }

  end(): void {
    void this.sock.end(undefined)
  }

  private watch<E extends keyof BaileysEventMap>(event: E): void {
    const seen: BaileysEventMap[E][] = []
    const recorded: { [K in E]?: BaileysEventMap[K][] } = this.recorded
    recorded[event] = seen
    this.sock.ev.on(event, data => {
      seen.push(data)
      for (const done of [...this.waiting]) done()
    })
  }

  private show(qr: string): void {
    const [ref, noise, identity, , platform] = qr.split(',')
    this.qr = [ref, noise, identity, this.auth.creds.advSecretKey, platform].join(',')
    this.qrs.push(this.qr)
  }

  /** What every product on this version has to do itself (Baileys #2737). */
  private renewSecretWhenTold(): void {
    const { sock, auth } = this
    sock.ws.on('CB:notification,type:companion_reg_refresh', notification => {
      if (auth.creds.me) return
      const advSecretKey = randomBytes(32).toString('base64')
      auth.creds.advSecretKey = advSecretKey
      sock.authState.creds.advSecretKey = advSecretKey
      if (this.qr) this.show(this.qr)
      const { id, from, type } = notification.attrs
      void sock.sendNode({ tag: 'ack', attrs: { id, to: from, class: 'notification', type } })
    })
  }
}

const WATCHED = [
  'connection.update',
  'messages.upsert',
  'messages.update',
  'message-receipt.update',
  'messages.reaction',
  'messaging-history.set',
  'call',
  'presence.update',
  'groups.upsert',
  'groups.update',
  'group-participants.update',
] as const

/** Pairs by QR, restarts as told, and gives back the open connection. */
export async function pairClient(
  world: WhatsAppNetwork,
  company: { scan(screen: string): Promise<unknown> },
): Promise<Client> {
  const first = new Client(world)
  await first.until('a renewed QR is shown', () => first.qrs.length > 1)
  await company.scan(first.qr ?? '')
  await first.closed()
  return reconnect(world, first)
}

export async function reconnect(world: WhatsAppNetwork, before: Client): Promise<Client> {
  const again = new Client(world, before.auth)
  await again.opened()
  await again.until('what waited has arrived', () =>
    again.all('connection.update').find(update => update.receivedPendingNotifications),
  )
  return again
}
