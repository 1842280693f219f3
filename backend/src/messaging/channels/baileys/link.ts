// One connection: pairing, log-in and the socket of each attempt. Ends and new beginnings are the machine's.
import makeWASocket, {
  type AuthenticationCreds,
  Browsers,
  type ConnectionState,
  makeCacheableSignalKeyStore,
  type ReachoutTimelockState,
  type UserFacingSocketConfig,
  type WAVersion,
} from '@whiskeysockets/baileys'
import { ChannelError, type DriverHost } from '../../../platform/channel/driver.ts'
import type { EventPublisher } from '../shared/event-publisher.ts'
import {
  LINK_PAUSES,
  LinkMachine,
  type LinkPauses,
  type LinkStatus,
  NOT_PAIRED,
  within,
} from '../shared/link-machine.ts'
import { AuthStore } from './auth-store.ts'
import { isSameVersion, readKnownVersion, refreshVersion } from './client-version.ts'
import { createLibraryLogger } from './library-logger.ts'
import { extractLid, extractPhone, normalizeJid, type PairedAccount } from './peers.ts'
import { QrScreen } from './qr-screen.ts'
import { getDisconnectCode, hasQrRunOut, planReconnect } from './reconnect.ts'

export type Socket = ReturnType<typeof makeWASocket>

export interface BaileysLinkTimes extends LinkPauses {
  /** How long a QR code lives; six are shown. */
  readonly qrMs: number
  /** The same while a pair code is being typed: six of them are the 180 s a code lives. */
  readonly codeMs: number
  /** A server that has not answered by then cannot be reached. */
  readonly connectMs: number
  /** An attempt that neither opens nor ends nor shows a code by then is given up. */
  readonly watchdogMs: number
}

export const LINK_TIMES: BaileysLinkTimes = {
  ...LINK_PAUSES,
  qrMs: 15_000,
  codeMs: 30_000,
  connectMs: 20_000,
  watchdogMs: 60_000,
}

type Mode = 'login' | 'qr' | 'code'

export class BaileysLink {
  private sock: Socket | null = null
  private creds: AuthenticationCreds | null = null
  /** Between the code's being read and the line that opens with it. */
  private isLinking = false
  private mode: Mode = 'login'
  private version: WAVersion | null = null
  /** One for each attempt. */
  private store: AuthStore
  private readonly machine: LinkMachine

  constructor(
    private readonly host: DriverHost,
    private readonly teller: EventPublisher,
    private readonly times: BaileysLinkTimes,
    /** What a new socket needs of those who read and send. */
    private readonly config: () => Partial<UserFacingSocketConfig>,
    private readonly onSocket: (sock: Socket) => void,
    private readonly onEnd: () => void,
  ) {
    this.store = this.newStore()
    this.machine = new LinkMachine(
      {
        connect: turn => this.connect(turn),
        disconnect: wasOpen => this.disconnect(wasOpen),
        tell: status => this.tell(status),
        failed: this.failed,
      },
      times.steadyMs,
    )
  }

  /** The open socket, or null. */
  get current(): Socket | null {
    return this.machine.isOpen ? this.sock : null
  }

  /** Our own account, once paired. */
  get self(): PairedAccount | undefined {
    const me = this.creds?.me
    return me && { id: me.id, lid: me.lid }
  }

  /** Logs in with the stored pairing; without one it waits for `pairByQr` or `pairByCode`. */
  async start(): Promise<void> {
    this.mode = 'login'
    await this.machine.restart(() => {
      if (this.host.config.whatsappWebUrl === null) refreshVersion(this.store).catch(this.failed)
    })
  }

  async stop(): Promise<void> {
    this.machine.leave()
    await this.store.settled()
    // A desk that cannot store anything must not keep the process from ending.
    await within(2000, this.teller.tell([{ type: 'status', status: 'DISCONNECTED', trouble: null }])).catch(() => {})
  }

  async logout(): Promise<void> {
    const { current } = this
    if (current) this.sock = null
    this.machine.leave()
    if (current) await within(5000, current.logout()).catch(() => {})
    await this.forget()
    const trouble = this.machine.trouble.describe(LOGGED_OUT)
    await this.teller.tell([{ type: 'status', status: 'LOGGEDOUT', trouble }])
  }

  async pairByQr(): Promise<void> {
    if (this.current) return
    this.mode = 'qr'
    await this.machine.restart(() => this.forget())
  }

  /**
   * Shows a code to be typed on the phone with these digits, now or when there is a way to WhatsApp again.
   * @returns the eight characters
   */
  async pairByCode(phone: string): Promise<string> {
    if (this.current) throw new ChannelError('already_paired', 'This connection is paired already')
    this.mode = 'code'
    this.phone = phone
    this.codeShown = Promise.withResolvers()
    await this.machine.restart(() => this.forget())
    return within(2 * this.times.connectMs, this.codeShown.promise).catch(() => {
      throw new ChannelError('timeout', 'WhatsApp did not answer')
    })
  }

  /** Whom the code is for, and who waits for it. */
  private phone = ''
  private codeShown = Promise.withResolvers<string>()

  private async showPairCode(sock: Socket, turn: number): Promise<void> {
    const code = await within(this.times.connectMs, sock.requestPairingCode(this.phone))
    if (turn !== this.machine.turn) return
    await this.teller.tell([{ type: 'status', status: 'PAIRING', code, trouble: null }])
    this.codeShown.resolve(code)
  }

  /** A save that is still under way would bring the pairing back. */
  private async forget(): Promise<void> {
    await this.store.settled()
    await this.store.forget()
  }

  private newStore(): AuthStore {
    return new AuthStore(this.host, () => this.abandon())
  }

  /** Another owner, or stopped: nothing of this link does anything any more. */
  private abandon(): void {
    this.host.log.warn({ connectionId: this.host.connectionId }, 'another process owns this connection: stopped')
    this.machine.leave()
    this.teller.close()
  }

  /** While a code that was read becomes a line, that is what is shown. */
  private tell(status: LinkStatus): void {
    if (!this.isLinking || status.status !== 'OPENING') this.teller.say([{ type: 'status', ...status }])
  }

  private disconnect(wasOpen: boolean): void {
    this.store.close()
    this.isLinking = false
    if (wasOpen) this.onEnd()
    // A socket that is already broken cannot be ended in order, and need not be.
    this.sock?.end(undefined).catch(() => {})
    this.sock = null
  }

  private readonly failed = (error: unknown): void => {
    this.host.log.error({ err: error, connectionId: this.host.connectionId }, 'the link to WhatsApp met an error')
  }

  private async connect(turn: number): Promise<void> {
    this.store.close()
    await this.store.settled()
    if (turn !== this.machine.turn) return
    this.store = this.newStore()
    await this.store.assertOwner()
    const { creds, paired } = await this.store.load()
    if (turn !== this.machine.turn) return
    if (this.mode === 'login' && !paired) return this.machine.down('DISCONNECTED', NOT_PAIRED)
    this.creds = creds
    this.version ??= await readKnownVersion(this.store)
    if (turn === this.machine.turn) this.openSocket(turn, creds)
  }

  private openSocket(turn: number, creds: AuthenticationCreds): void {
    const { host, times } = this
    this.tell({ status: 'OPENING' })
    const logger = createLibraryLogger(host.log, host.connectionId)
    const sock = makeWASocket({
      ...this.config(),
      auth: { creds, keys: makeCacheableSignalKeyStore(this.store, logger) },
      logger,
      version: this.version ?? undefined,
      browser: Browsers.ubuntu('Chrome'),
      connectTimeoutMs: times.connectMs,
      qrTimeout: this.mode === 'code' ? times.codeMs : times.qrMs,
      syncFullHistory: false,
      ...(host.config.whatsappWebUrl !== null && { waWebSocketUrl: host.config.whatsappWebUrl }),
    })
    this.sock = sock
    const mine = () => turn === this.machine.turn
    let hasPairCode = false
    const screen = new QrScreen(sock, creds, times.qrMs, code => {
      if (!mine()) return
      this.machine.cancel()
      if (this.mode === 'code' && !hasPairCode) {
        hasPairCode = true
        this.showPairCode(sock, turn).catch(error => this.end(turn, error))
      }
      if (this.mode === 'qr') this.tell({ status: 'qrcode', trouble: null, ...code })
    })
    this.machine.later(times.watchdogMs, () => this.end(turn, new Error('No answer')))
    sock.ev.on('creds.update', () => mine() && this.save(creds, mine))
    sock.ev.on('connection.update', update => {
      if (!mine()) return
      if (update.isNewLogin) this.linking()
      // The library goes on showing codes until WhatsApp ends the line, also once one was read.
      if (update.qr && !this.isLinking) screen.show(update.qr)
      if (update.connection === 'open') this.opened(turn, sock)
      if (update.reachoutTimeLock && this.machine.isOpen) this.restricted(update.reachoutTimeLock)
      if (update.connection === 'close') this.end(turn, closingError(update))
    })
    this.onSocket(sock)
  }

  private save(creds: AuthenticationCreds, mine: () => boolean): void {
    this.store.saveCreds(creds).catch(() => {
      if (mine()) setTimeout(() => mine() && this.save(creds, mine), 1000)
    })
  }

  /** The phone has the code: WhatsApp ends this line (515), and the next one is open. */
  private linking(): void {
    this.isLinking = true
    this.tell({ status: 'PAIRING', trouble: null })
  }

  private opened(turn: number, sock: Socket): void {
    this.machine.cancel()
    this.isLinking = false
    this.mode = 'login'
    const me = sock.user
    const pn = extractPhone(me?.id)
    const lid = extractLid(me?.lid)
    const peer = me && { jid: normalizeJid(me.id), ...(pn && { pn }), ...(lid && { lid }), group: false }
    this.machine.opened(turn, peer && { me: peer }).catch(this.failed)
  }

  /** WhatsApp forbids new conversations for a while: connected all the same, but somebody should know. */
  private restricted({ isActive, timeEnforcementEnds }: ReachoutTimelockState): void {
    const { trouble } = this.machine
    const afterMs = timeEnforcementEnds ? Math.max(0, timeEnforcementEnds.getTime() - Date.now()) : null
    const restriction = isActive ? trouble.describe({ code: '463', reason: 'other', next: 'none', afterMs }) : null
    if (!isActive) trouble.clear()
    this.tell({ status: 'CONNECTED', trouble: restriction })
  }

  private end(turn: number, error: unknown): void {
    const code = getDisconnectCode(error)
    const wasLinking = this.isLinking
    const { machine, times } = this
    const plan = machine.lost(turn, code === 0 ? 'none' : String(code), async failures => {
      const mine = machine.turn
      const paired = Boolean(this.creds?.account)
      const next = planReconnect({ code, paired, ...failures, codesRanOut: hasQrRunOut(error) }, times)
      if (paired) this.mode = 'login'
      await this.store.saveCreds(this.creds ?? (await this.store.load()).creds).catch(() => {})
      if (next.forget) await this.forget().catch(() => {})
      const isNewer = next.refreshVersion && mine === machine.turn && (await this.foundNewerVersion())
      if (mine === machine.turn) this.isLinking = wasLinking && next.reason === 'restart'
      return { ...next, code: code === 0 ? 'none' : String(code), ...(isNewer && { afterMs: 0 }) }
    })
    plan.catch(this.failed)
  }

  private async foundNewerVersion(): Promise<boolean> {
    if (this.host.config.whatsappWebUrl !== null) return false
    const before = this.version
    this.version = await refreshVersion(this.store)
    return before !== null && !isSameVersion(before, this.version)
  }
}

const LOGGED_OUT = { code: '401', reason: 'logged_out', next: 'read_qr' } as const

function closingError(update: Partial<ConnectionState>): unknown {
  return update.lastDisconnect?.error
}
