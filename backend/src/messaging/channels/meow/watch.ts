// The life of one connection: the gateway tells nobody when a device is paired, lost or logged out, so it is asked again and again.
import { stripAddress } from '../../../platform/channel/addresses.ts'
import { ChannelError, type DriverHost, type Peer } from '../../../platform/channel/driver.ts'
import { choosePause, LINK_PAUSES, LinkMachine, type LinkStatus, NOT_PAIRED } from '../shared/link-machine.ts'
import type { TroubleReport } from '../shared/trouble.ts'
import type { DeviceState, MeowDevice } from './device.ts'
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
  backoffMs: LINK_PAUSES.backoffMs,
  codeMs: 180_000,
  graceMs: 20_000,
}

/** Waiting for a phone to read or to type, and until when. */
interface Pairing {
  readonly by: 'qr' | 'code'
  readonly until: number
}

export class Watch {
  private pairing: Pairing | null = null
  /** Somebody waits for a code that could not be shown yet. */
  private isCodeWanted = false
  private missed = 0
  private readonly machine = new LinkMachine({
    connect: turn => (this.isCodeWanted ? this.show(turn) : this.check(turn)),
    disconnect: () => {
      this.pairing = null
      this.missed = 0
    },
    tell: status => this.tell(status),
    failed: error => this.noted(error),
  })

  constructor(
    private readonly host: DriverHost,
    private readonly device: MeowDevice,
    private readonly memory: Memory,
    private readonly times: WatchTimes,
    /** It is connected, after it was not. */
    private readonly onOpen: () => void,
  ) {}

  get connected(): boolean {
    return this.machine.isOpen
  }

  async start(): Promise<void> {
    this.isCodeWanted = false
    await this.machine.restart(() => this.tell({ status: 'OPENING' }))
  }

  async stop(): Promise<void> {
    this.machine.leave()
    await this.tell({ status: 'DISCONNECTED', trouble: null })
  }

  /** The slot stays, so that the same connection is paired again under the same id. */
  async logout(): Promise<void> {
    this.machine.leave()
    await this.device.logout().catch(this.noted)
    await this.memory.forget()
    await this.machine.down('LOGGEDOUT', LOGGED_OUT)
  }

  async remove(): Promise<void> {
    this.machine.leave()
    await this.device.remove().catch(this.noted)
    await this.memory.forget()
  }

  /** Asking for a new code makes the present one void: who asks knows that it has run out, or wants another one. */
  async pairByQr(): Promise<void> {
    if (this.machine.isOpen) return
    const isNext = this.pairing?.by === 'qr'
    this.isCodeWanted = true
    await this.machine.restart(() => (isNext ? undefined : this.tell({ status: 'OPENING' })))
  }

  /** @returns the eight characters to be typed on the phone with these digits */
  async pairByCode(phone: string): Promise<string> {
    if (this.machine.isOpen) throw new ChannelError('already_paired', 'This connection is paired already')
    const turn = this.machine.leave()
    this.isCodeWanted = false
    try {
      await this.device.ensure()
      const code = await this.device.codeFor(phone)
      if (turn !== this.machine.turn) throw new ChannelError('timeout', 'Something else was asked for meanwhile')
      this.pairing = { by: 'code', until: Date.now() + this.times.codeMs }
      await this.tell({ status: 'PAIRING', code, trouble: null })
      this.again(turn, this.times.pairingPollMs)
      return code
    } catch (error) {
      await this.failed(turn, error)
      throw error instanceof ChannelError ? error : new ChannelError(toTroubleCode(error), 'The gateway gave no code')
    }
  }

  /** Something went wrong beside: it looks at once how things are. */
  doubt(): void {
    if (this.machine.isOpen) this.again(this.machine.turn, 0)
  }

  private async show(turn: number): Promise<void> {
    try {
      const device = await this.device.ensure()
      if (turn !== this.machine.turn) return
      if (device.state === 'logged_in') return await this.see(turn, device)
      const { qr, lifeMs } = await this.device.showCode()
      if (turn !== this.machine.turn) return
      const until = Date.now() + lifeMs
      this.pairing = { by: 'qr', until }
      this.isCodeWanted = false
      this.machine.trouble.attempt = 0
      await this.tell({ status: 'qrcode', qr, qrExpiresAt: until, trouble: null })
      this.again(turn, this.times.pairingPollMs)
    } catch (error) {
      await this.failed(turn, error)
    }
  }

  private async check(turn: number): Promise<void> {
    try {
      const device = await (this.machine.isOpen || this.pairing ? this.device.read() : this.device.ensure())
      if (turn !== this.machine.turn) return
      this.missed = 0
      await this.see(turn, device)
    } catch (error) {
      await this.failed(turn, error)
    }
  }

  private async see(turn: number, device: DeviceState | null): Promise<void> {
    const { machine } = this
    const { jid } = device ?? {}
    if (device?.state === 'logged_in' && jid) return this.opened(turn, jid)
    // Paired, and without a line to WhatsApp: the gateway is asked to take it up again.
    if (device && jid)
      return this.lost(turn, { code: 'disconnected', reason: 'network' }, () => this.device.reconnect())
    const before = machine.isOpen || (await this.memory.read()) !== null
    if (turn !== machine.turn) return
    if (before) {
      machine.suspend()
      this.pairing = null
      await this.memory.forget()
      await machine.down('LOGGEDOUT', LOGGED_OUT)
    } else if (!this.pairing) await machine.down('DISCONNECTED', NOT_PAIRED)
    else if (Date.now() > this.pairing.until + (this.pairing.by === 'qr' ? this.times.graceMs : 0)) {
      this.pairing = null
      await machine.down('TIMEOUT', NOT_PAIRED)
    }
    this.again(turn, this.pairing ? this.times.pairingPollMs : this.times.pollMs)
  }

  private async opened(turn: number, jid: string): Promise<void> {
    const { machine } = this
    if (!machine.isOpen) {
      await this.remember(jid)
      if (turn !== machine.turn) return
      this.pairing = null
      this.isCodeWanted = false
      await machine.opened(turn, { me: toSelfPeer(jid) })
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

  private async failed(turn: number, error: unknown): Promise<void> {
    if (turn !== this.machine.turn) return
    // One answer that does not come says little of a gateway that is busy; a code that somebody points at stays.
    const isBusy = error instanceof GatewayUnreachable ? error.handedOver : toTroubleReason(error) === 'gateway_down'
    if ((this.pairing || (this.machine.isOpen && isBusy)) && this.missed++ < (this.pairing ? 3 : 1))
      return this.again(turn, this.times.backoffMs[0] ?? 1000)
    await this.lost(turn, { code: toTroubleCode(error), reason: toTroubleReason(error) })
  }

  private async lost(turn: number, why: Pick<TroubleReport, 'code' | 'reason'>, mend = async () => {}): Promise<void> {
    await this.machine.lost(turn, why.code, async ({ attempt }) => {
      await mend().catch(this.noted)
      return { ...why, status: 'DISCONNECTED', next: 'retry', afterMs: choosePause(this.times.backoffMs, attempt) }
    })
  }

  private again(turn: number, afterMs: number): void {
    if (turn === this.machine.turn) this.machine.later(afterMs, () => this.check(turn))
  }

  private async tell(status: LinkStatus): Promise<void> {
    await this.host.emit([{ type: 'status', ...status }]).catch(this.noted)
  }

  private readonly noted = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : 'unknown'
    this.host.log.warn({ connectionId: this.host.connectionId, reason }, 'the watch over a gateway met an error')
  }
}

const LOGGED_OUT = { code: 'logged_out', reason: 'logged_out', next: 'read_qr' } as const

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
