// The kind `meow`: a linked device of a WhatsApp account, kept by a GOWA gateway, which posts what happens and is asked for the rest.
import { getCapabilities } from '@balcao/contract'
import { listPhoneVariants } from '@balcao/contract/contacts/phone'
import {
  ChannelError,
  type ChannelEvent,
  type Driver,
  type DriverConnection,
  type DriverHost,
  type GroupFacts,
  type MediaHandle,
  type Outgoing,
  type Peer,
  type SendResult,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../../platform/channel/driver.ts'
import { isRecord, toNumber, toText } from '../shared/json.ts'
import type { KindModule } from '../shared/kind-module.ts'
import { LINKED_DEVICE } from '../shared/linked-device.ts'
import { isSigned, parseJson } from '../shared/signed.ts'
import { Trouble } from '../shared/trouble.ts'
import { verifyFileStream } from '../shared/verify-file.ts'
import { CATCH_UP_TIMES, CatchUp, type CatchUpTimes } from './catch-up.ts'
import { MeowContacts } from './contacts.ts'
import { deriveDeviceId, MeowDevice } from './device.ts'
import { Gateway, GatewayError } from './gateway.ts'
import { MeowGroups } from './groups.ts'
import { rereadMessage, toChannelEvents } from './inbound.ts'
import { Memory } from './memory.ts'
import { loadMessageContext } from './message-context.ts'
import { MeowSender, type SenderTimes } from './sender.ts'
import { WATCH_TIMES, Watch, type WatchTimes } from './watch.ts'

export const MEOW: KindModule = {
  ...LINKED_DEVICE,
  createDriver: createMeowDriver,
  reread: rereadMessage,
  host: ({ gowa }) => gowa?.url ?? null,
}

export interface MeowTimes extends WatchTimes, CatchUpTimes, SenderTimes {
  readonly callMs: number
  /** How long a send of which nobody knows is looked for in its chat before a person is asked. */
  readonly traceMs: number
}

const TIMES: MeowTimes = {
  ...WATCH_TIMES,
  ...CATCH_UP_TIMES,
  callMs: 20_000,
  traceMs: 60_000,
  timerMs: 60_000,
  readMs: 20_000,
}

/** A driver for one connection. `times` are for tests that cannot wait a minute. */
export function createMeowDriver(
  connection: DriverConnection,
  host: DriverHost,
  times: Partial<MeowTimes> = {},
): Driver {
  const { gowa } = host.config
  const secret = toText(connection.config.webhookSecret)
  if (!gowa || !secret) return new Unset(host)
  const all = { ...TIMES, ...times }
  return new MeowDriver(host, new Gateway(gowa, deriveDeviceId(secret), all.callMs), secret, all)
}

class MeowDriver implements Driver {
  readonly kind = 'meow'
  readonly capabilities = getCapabilities(this.kind)
  private readonly watch: Watch
  private readonly sender: MeowSender
  private readonly groups: MeowGroups
  private readonly contacts: MeowContacts
  private readonly catchUp: CatchUp

  constructor(
    private readonly host: DriverHost,
    private readonly gateway: Gateway,
    private readonly secret: string,
    private readonly times: MeowTimes,
  ) {
    const memory = new Memory(host)
    const device = new MeowDevice(gateway, host.connectionId, secret)
    this.groups = new MeowGroups(gateway)
    this.contacts = new MeowContacts(gateway, host)
    this.catchUp = new CatchUp(gateway, host, memory, times, jid => this.groups.name(jid))
    this.watch = new Watch(host, device, memory, times, () => {
      this.catchUp.start()
      this.contacts.tell()
    })
    this.sender = new MeowSender(
      gateway,
      host,
      () => this.watch.connected,
      () => this.watch.doubt(),
      times,
    )
  }

  get traceMs(): number {
    return this.times.traceMs
  }

  start(): Promise<void> {
    this.catchUp.stop()
    return this.watch.start()
  }

  stop(): Promise<void> {
    this.catchUp.stop()
    return this.watch.stop()
  }

  logout(): Promise<void> {
    this.catchUp.stop()
    return this.watch.logout()
  }

  remove(): Promise<void> {
    this.catchUp.stop()
    return this.watch.remove()
  }

  async pair(by: { readonly qr: true } | { readonly phone: string }): Promise<{ readonly code?: string }> {
    if ('phone' in by) return { code: await this.watch.pairByCode(by.phone.replace(/\D/g, '')) }
    await this.watch.pairByQr()
    return {}
  }

  send(to: string, _id: string | null, message: Outgoing): Promise<SendResult> {
    return this.sender.send(to, message)
  }

  sentLike(to: string, message: Outgoing, since: number): Promise<readonly string[]> {
    return this.sender.sentLike(to, message, since)
  }

  /** The gateway fetches and decrypts it, and gives a link to its own copy. */
  async download({ handle }: MediaHandle): Promise<ReadableStream<Uint8Array>> {
    const [id, phone] = isRecord(handle) ? [toText(handle.id), toText(handle.chat)] : []
    if (!id || !phone) throw new ChannelError('gone', 'This message has no file')
    try {
      const answer = await this.gateway.get(['message', id, 'download'], { phone })
      const link = isRecord(answer) ? (toText(answer.file_url) ?? toText(answer.file_path)) : undefined
      if (!link) throw new ChannelError('no_file', 'The gateway does not say where the file is')
      const size = isRecord(answer) ? toNumber(answer.file_size) : Number.NaN
      return verifyFileStream(await this.gateway.file(link), size > 0 ? { size } : {})
    } catch (error) {
      if (error instanceof ChannelError) throw error
      const gone = error instanceof GatewayError && (error.status === 404 || error.status === 410)
      throw gone ? new ChannelError('no_file', 'WhatsApp does not have this file any more') : notReached(error)
    }
  }

  /** The gateway says only that there is somebody: which spelling is the account's is known by country and area. */
  async check(number: string): Promise<Peer | null> {
    if (!this.watch.connected) throw new ChannelError('not_connected', 'The connection is not open')
    for (const pn of likelySpellings(number.replace(/\D/g, ''))) {
      const answer = await this.gateway.get(['user', 'check'], { phone: pn }).catch(error => {
        throw notReached(error)
      })
      if (isRecord(answer) && answer.is_on_whatsapp === true) return { jid: `${pn}@s.whatsapp.net`, pn, group: false }
    }
    return null
  }

  async group(jid: string): Promise<GroupFacts | null> {
    if (!this.watch.connected) throw new ChannelError('not_connected', 'The connection is not open')
    return this.groups.find(jid)
  }

  /** 401: not signed with this connection's secret. 400: no JSON, or of another device. 503: not stored, the gateway tries again. */
  async handleWebhook({ headers, raw }: WebhookRequest): Promise<WebhookAnswer> {
    if (!isSigned(raw, headers.get('x-hub-signature-256'), this.secret)) return { status: 401, events: 0 }
    const body = parseJson(raw)
    const session = isRecord(body) ? toText(body.session_id) : undefined
    if (!isRecord(body) || (session && session !== this.gateway.deviceId)) return { status: 400, events: 0 }
    try {
      const events = toChannelEvents(body, await loadMessageContext(body, this.gateway, this.groups, this.host))
      if (events.length > 0) await this.host.emit(events)
      for (const event of events) this.rejectIfUnwanted(event)
      return { status: 200, events: events.length }
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      this.host.log.warn(
        { connectionId: this.host.connectionId, reason },
        'what a gateway told could not be stored: it will repeat it',
      )
      // It repeats only so often.
      this.catchUp.wake()
      return { status: 503, events: 0 }
    }
  }

  private rejectIfUnwanted(event: ChannelEvent): void {
    if (event.type !== 'call' || event.state !== 'offer') return
    const refuse = async () => {
      if (await this.host.acceptsCalls()) return
      await this.gateway.post(['call', 'reject'], { caller_jid: event.from.jid, call_id: event.id })
    }
    refuse().catch(() => {
      this.host.log.warn({ connectionId: this.host.connectionId }, 'a call could not be refused')
    })
  }
}

/** A connection of the kind on a server that knows no gateway: it says so, and does nothing. */
class Unset implements Driver {
  readonly kind = 'meow'
  readonly capabilities = getCapabilities(this.kind)
  private readonly trouble = new Trouble()

  constructor(private readonly host: Pick<DriverHost, 'emit'>) {}

  start(): Promise<void> {
    const report = { code: 'gateway_unset', reason: 'gateway_unset', next: 'ask_support' } as const
    return this.host.emit([{ type: 'status', status: 'DISCONNECTED', trouble: this.trouble.describe(report) }])
  }

  async stop(): Promise<void> {
    await this.host.emit([{ type: 'status', status: 'DISCONNECTED', trouble: null }]).catch(() => {})
  }

  logout(): Promise<void> {
    return this.start()
  }

  async pair(): Promise<never> {
    await this.start()
    throw new ChannelError('gateway_unset', 'This server knows no gateway')
  }

  async send(): Promise<SendResult> {
    return { ok: false, outcome: 'retry', code: 'not_connected', text: 'This server knows no gateway', afterMs: 30_000 }
  }

  async download(): Promise<never> {
    throw new ChannelError('not_connected', 'This server knows no gateway')
  }

  async check(): Promise<never> {
    throw new ChannelError('not_connected', 'This server knows no gateway')
  }

  async group(): Promise<null> {
    return null
  }

  async handleWebhook(): Promise<WebhookAnswer> {
    return { status: 401, events: 0 }
  }
}

/** Old accounts of Brazilian areas from 31 on have no ninth digit at WhatsApp, those of 11 to 28 do; Argentine ones have their 9, most Mexican ones their 1. */
function likelySpellings(number: string): string[] {
  const isShort = number.startsWith('55') && Number(number.slice(2, 4)) >= 31
  return listPhoneVariants(number).toSorted((a, b) => (isShort ? a.length - b.length : b.length - a.length))
}

function notReached(error: unknown): ChannelError {
  const code = error instanceof GatewayError ? String(error.status) : 'network'
  return new ChannelError(code, 'The gateway could not do this')
}
