// The life of one connection: the gateway tells nobody when a device is paired, lost or logged out, so it is asked again and again.
import type { ConnectionStatus } from '@balcao/contract'
import { stripAddress } from '../../../platform/channel/addresses.ts'
import { ChannelError, type ChannelEvent, type DriverHost, type Peer } from '../../../platform/channel/driver.ts'
import { Trouble, type TroubleReport } from '../shared/trouble.ts'
import type { Device, DeviceState } from './device.ts'
import { GatewayError, GatewayProtocolError, GatewayUnreachable } from './gateway.ts'
import type { Memory } from './memory.ts'

export interface WatchTimes {
  /** Between two looks at a device, and while a code is shown. */
  readonly pollMs: number
  readonly pairingPollMs: number
  readonly backoffMs: readonly number[]
  /** How long a pair code may be typed. */
  readonly codeMs: number
  /** After a QR code has run out, until nobody asking for the next one means that nobody looks. */
  readonly graceMs: number
}

export const WATCH_TIMES: WatchTimes = {
  pollMs: 15_000,
  pairingPollMs: 2000,
  backoffMs: [1000, 2000, 5000, 15_000, 30_000, 60_000],
  codeMs: 180_000,
  graceMs: 20_000,
}

/** Waiting for a phone to read or to type, and until when. */
interface Pairing {
  readonly by: 'qr' | 'code'
  readonly until: number
}

export class Watch {
  /** Grows with every beginning and every stop: what belongs to an older turn is void. */
  private turn = 0
  private open = false
  private pairing: Pairing | null = null
  private missed = 0
  private readonly trouble = new Trouble()
  private timer: ReturnType<typeof setTimeout> | null = null

  constructor(
    private readonly host: DriverHost,
    private readonly device: Device,
    private readonly memory: Memory,
    private readonly times: WatchTimes,
    /** It is connected, after it was not. */
    private readonly onOpen: () => void,
  ) {}

  get connected(): boolean {
    return this.open
  }

  async start(): Promise<void> {
    const turn = this.leave()
    await this.tell([{ type: 'status', status: 'OPENING' }])
    await this.look(turn, () => this.device.ensure())
  }

  async stop(): Promise<void> {
    this.leave()
    await this.tell([{ type: 'status', status: 'DISCONNECTED', trouble: null }])
  }

  /** The slot stays, so that the same connection is paired again under the same id. */
  async logout(): Promise<void> {
    this.leave()
    await this.device.logout().catch(this.noted)
    await this.memory.forget()
    await this.down('LOGGEDOUT', LOGGED_OUT)
  }

  async remove(): Promise<void> {
    this.leave()
    await this.device.remove().catch(this.noted)
    await this.memory.forget()
  }

  /** Asking for a new code makes the present one void: who asks knows that it has run out, or wants another one. */
  async pairByQr(): Promise<void> {
    if (this.open) return
    const isNext = this.pairing?.by === 'qr'
    const turn = this.leave()
    if (!isNext) await this.tell([{ type: 'status', status: 'OPENING' }])
    await this.show(turn)
  }

  /** @returns the eight characters to be typed on the phone with these digits */
  async pairByCode(phone: string): Promise<string> {
    if (this.open) throw new ChannelError('already_paired', 'This connection is paired already')
    const turn = this.leave()
    try {
      await this.device.ensure()
      const code = await this.device.codeFor(phone)
      if (turn !== this.turn) throw new ChannelError('timeout', 'Something else was asked for meanwhile')
      this.pairing = { by: 'code', until: Date.now() + this.times.codeMs }
      await this.tell([{ type: 'status', status: 'PAIRING', code, trouble: null }])
      this.again(turn, this.times.pairingPollMs)
      return code
    } catch (error) {
      if (turn === this.turn) await this.failed(turn, error)
      throw error instanceof ChannelError ? error : new ChannelError(toTroubleCode(error), 'The gateway gave no code')
    }
  }

  /** Something went wrong beside: it looks at once how things are. */
  doubt(): void {
    if (this.open) this.again(this.turn, 0)
  }

  private async show(turn: number): Promise<void> {
    try {
      const device = await this.device.ensure()
      if (turn !== this.turn) return
      if (device.state === 'logged_in') return await this.see(turn, device)
      const { qr, lifeMs } = await this.device.showCode()
      if (turn !== this.turn) return
      const until = Date.now() + lifeMs
      this.pairing = { by: 'qr', until }
      this.trouble.attempt = 0
      await this.tell([{ type: 'status', status: 'qrcode', qr, qrExpiresAt: until, trouble: null }])
      this.again(turn, this.times.pairingPollMs)
    } catch (error) {
      // Nobody has seen a code yet: it is asked for again.
      if (turn === this.turn) await this.failed(turn, error, () => this.show(turn))
    }
  }

  private async look(turn: number, ask: () => Promise<DeviceState | null>): Promise<void> {
    try {
      const device = await ask()
      if (turn !== this.turn) return
      this.missed = 0
      await this.see(turn, device)
    } catch (error) {
      if (turn === this.turn) await this.failed(turn, error)
    }
  }

  private async see(turn: number, device: DeviceState | null): Promise<void> {
    const { jid } = device ?? {}
    if (device?.state === 'logged_in' && jid) return this.opened(turn, jid)
    if (device && jid) return this.lost(turn)
    const before = this.open || (await this.memory.read()) !== null
    if (turn !== this.turn) return
    if (before) {
      this.closed()
      await this.memory.forget()
      await this.down('LOGGEDOUT', LOGGED_OUT)
    } else if (!this.pairing) await this.down('DISCONNECTED', NOT_PAIRED)
    else if (Date.now() > this.pairing.until + (this.pairing.by === 'qr' ? this.times.graceMs : 0)) {
      this.pairing = null
      await this.down('TIMEOUT', NOT_PAIRED)
    }
    this.again(turn, this.pairing ? this.times.pairingPollMs : this.times.pollMs)
  }

  private async opened(turn: number, jid: string): Promise<void> {
    if (!this.open) {
      await this.remember(jid)
      if (turn !== this.turn) return
      this.open = true
      this.pairing = null
      this.trouble.attempt = 0
      this.trouble.over()
      await this.tell([{ type: 'status', status: 'CONNECTED', trouble: null, me: toSelfPeer(jid) }])
      this.onOpen()
    }
    this.again(turn, this.times.pollMs)
  }

  private async remember(jid: string): Promise<void> {
    const known = await this.memory.read()
    const now = Date.now()
    if (known === null || stripAddress(known.jid) !== stripAddress(jid))
      await this.memory.keep({ jid, since: now, readUntil: now })
  }

  /** Paired, and without a line to WhatsApp: the gateway is asked to take it up again. */
  private async lost(turn: number): Promise<void> {
    this.closed()
    await this.device.reconnect().catch(this.noted)
    if (turn === this.turn) await this.retry(turn, { code: 'disconnected', reason: 'network' })
  }

  private async failed(turn: number, error: unknown, next?: () => Promise<void>): Promise<void> {
    // One answer that does not come says little of a gateway that is busy; a code that somebody points at stays.
    const isBusy = error instanceof GatewayUnreachable ? error.handedOver : toTroubleReason(error) === 'gateway_down'
    if ((this.pairing || (this.open && isBusy)) && this.missed++ < (this.pairing ? 3 : 1))
      return this.again(turn, this.times.backoffMs[0] ?? 1000)
    this.closed()
    await this.retry(turn, { code: toTroubleCode(error), reason: toTroubleReason(error) }, next)
  }

  private async retry(
    turn: number,
    what: Pick<TroubleReport, 'code' | 'reason'>,
    next?: () => Promise<void>,
  ): Promise<void> {
    this.trouble.attempt++
    const pause = this.times.backoffMs.slice(0, this.trouble.attempt).at(-1) ?? 60_000
    const afterMs = Math.round(pause * (0.8 + 0.4 * Math.random()))
    await this.down('DISCONNECTED', { ...what, next: 'retry', afterMs })
    if (turn === this.turn) this.again(turn, afterMs, next)
  }

  private again(turn: number, afterMs: number, next?: () => Promise<void>): void {
    if (turn !== this.turn) return
    if (this.timer) clearTimeout(this.timer)
    const ask = () => (this.open || this.pairing ? this.device.read() : this.device.ensure())
    this.timer = setTimeout(() => {
      if (turn === this.turn) (next?.() ?? this.look(turn, ask)).catch(this.noted)
    }, afterMs)
  }

  private closed(): void {
    this.open = false
    this.pairing = null
  }

  private leave(): number {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.missed = 0
    this.closed()
    return ++this.turn
  }

  private down(status: ConnectionStatus, told: TroubleReport): Promise<void> {
    return this.tell([{ type: 'status', status, trouble: this.trouble.told(told) }])
  }

  private async tell(events: readonly ChannelEvent[]): Promise<void> {
    await this.host.emit(events).catch(this.noted)
  }

  private readonly noted = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : 'unknown'
    this.host.log.warn({ connectionId: this.host.connectionId, reason }, 'the watch over a gateway met an error')
  }
}

const LOGGED_OUT = { code: 'logged_out', reason: 'logged_out', next: 'read_qr' } as const
const NOT_PAIRED = { code: 'none', reason: 'qr_not_read', next: 'read_qr' } as const

function toSelfPeer(jid: string): Peer {
  const pn = /@s\.whatsapp\.net$/.test(jid) || !jid.includes('@') ? stripAddress(jid).replace(/\D/g, '') : ''
  return { jid: jid.replace(/:\d+@/, '@'), ...(pn && { pn }), group: false }
}

function toTroubleReason(error: unknown): TroubleReport['reason'] {
  if (error instanceof GatewayUnreachable) return 'gateway_down'
  if (error instanceof GatewayProtocolError) return 'gateway_odd'
  if (!(error instanceof GatewayError)) return 'other'
  if (error.status === 401 && error.code !== 'AUTHENTICATION_ERROR') return 'gateway_refused'
  return error.status >= 500 ? 'gateway_down' : 'gateway_odd'
}

function toTroubleCode(error: unknown): string {
  if (error instanceof GatewayUnreachable) return 'unreachable'
  if (error instanceof GatewayProtocolError) return error.code
  return error instanceof GatewayError ? String(error.status) : 'error'
}
