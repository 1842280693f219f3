// The life of one connection: pairing, log-in, ends and new beginnings. One socket object an attempt; whoever captured an old one is ignored.
import type { ConnectionTrouble } from '@balcao/contract'
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
import { Trouble } from '../shared/trouble.ts'
import { AuthStore } from './auth-store.ts'
import { isSameVersion, readKnownVersion, refreshVersion } from './client-version.ts'
import { createLibraryLogger } from './library-logger.ts'
import { extractLid, extractPhone, normalizeJid, type Self } from './peers.ts'
import { QrScreen } from './qr-screen.ts'
import {
  type ConnectionEnd,
  getDisconnectCode,
  hasQrRunOut,
  PAUSES,
  planReconnect,
  type ReconnectPauses,
  type ReconnectPlan,
} from './reconnect.ts'

export type Socket = ReturnType<typeof makeWASocket>

export interface LinkTimes extends ReconnectPauses {
  /** How long a QR code lives; six are shown. */
  readonly qrMs: number
  /** The same while a pair code is being typed: six of them are the 180 s a code lives. */
  readonly codeMs: number
  /** A server that has not answered by then cannot be reached. */
  readonly connectMs: number
  /** An attempt that neither opens nor ends nor shows a code by then is given up. */
  readonly watchdogMs: number
  /** A connection that held this long starts again with the shortest pause. */
  readonly steadyMs: number
}

export const LINK_TIMES: LinkTimes = {
  ...PAUSES,
  qrMs: 15_000,
  codeMs: 30_000,
  connectMs: 20_000,
  watchdogMs: 60_000,
  steadyMs: 30_000,
}

type Mode = 'login' | 'qr' | 'code'

export class Link {
  private sock: Socket | null = null
  private creds: AuthenticationCreds | null = null
  private open = false
  /** Between the code's being read and the line that opens with it. */
  private isLinking = false
  private openedAt = 0
  private mode: Mode = 'login'
  /** Grows with every attempt and every stop: what belongs to an older turn is void. */
  private turn = 0
  private lastCode = -1
  private repeated = 0
  private readonly trouble = new Trouble()
  private version: WAVersion | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private watchdog: ReturnType<typeof setTimeout> | null = null
  /** One for each attempt. */
  private store: AuthStore

  constructor(
    private readonly host: DriverHost,
    private readonly teller: EventPublisher,
    private readonly times: LinkTimes,
    /** What a new socket needs of those who read and send. */
    private readonly config: () => Partial<UserFacingSocketConfig>,
    private readonly onSocket: (sock: Socket) => void,
    private readonly onEnd: () => void,
  ) {
    this.store = this.newStore()
  }

  /** The open socket, or null. */
  get current(): Socket | null {
    return this.open ? this.sock : null
  }

  /** Our own account, once paired. */
  get self(): Self | undefined {
    const me = this.creds?.me
    return me && { id: me.id, lid: me.lid }
  }

  /** Logs in with the stored pairing; without one it waits for `pairByQr` or `pairByCode`. */
  async start(): Promise<void> {
    this.leave()
    if (this.host.config.whatsappWebUrl === null) refreshVersion(this.store).catch(this.failed)
    await this.begin('login')
  }

  async stop(): Promise<void> {
    this.leave()
    await this.store.settled()
    // A desk that cannot store anything must not keep the process from ending.
    await within(2000, this.teller.tell([{ type: 'status', status: 'DISCONNECTED', trouble: null }])).catch(() => {})
  }

  async logout(): Promise<void> {
    const sock = this.current
    this.leave({ keepSocket: true })
    if (sock) await within(5000, sock.logout()).catch(() => {})
    else this.hangUp(this.sock)
    this.sock = null
    await this.forget()
    await this.teller.tell([{ type: 'status', status: 'LOGGEDOUT', trouble: this.told(LOGGED_OUT, 401) }])
  }

  async pairByQr(): Promise<void> {
    if (this.current) return
    this.leave()
    await this.forget()
    await this.begin('qr')
  }

  /**
   * Shows a code to be typed on the phone with these digits, now or when there is a way to WhatsApp again.
   * @returns the eight characters
   */
  async pairByCode(phone: string): Promise<string> {
    if (this.current) throw new ChannelError('already_paired', 'This connection is paired already')
    this.leave()
    await this.forget()
    this.phone = phone
    const shown = new Promise<string>(resolve => {
      this.codeShown = resolve
    })
    await this.begin('code')
    return within(2 * this.times.connectMs, shown).catch(() => {
      throw new ChannelError('timeout', 'WhatsApp did not answer')
    })
  }

  /** Whom the code is for, and who waits for it. */
  private phone = ''
  private codeShown: ((code: string) => void) | null = null

  private async showPairCode(sock: Socket, mine: () => boolean): Promise<void> {
    const code = await within(this.times.connectMs, sock.requestPairingCode(this.phone))
    if (!mine()) return
    await this.teller.tell([{ type: 'status', status: 'PAIRING', code, trouble: null }])
    this.codeShown?.(code)
    this.codeShown = null
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
    this.leave()
    this.teller.close()
  }

  private leave(options: { keepSocket?: boolean } = {}): void {
    this.turn++
    this.store.close()
    this.clearTimers()
    const wasOpen = this.open
    this.open = this.isLinking = false
    if (wasOpen) this.onEnd()
    if (options.keepSocket) return
    this.hangUp(this.sock)
    this.sock = null
  }

  /** A socket that is already broken cannot be ended in order, and need not be. */
  private hangUp(sock: Socket | null): void {
    sock?.end(undefined).catch(() => {})
  }

  private readonly failed = (error: unknown): void => {
    this.host.log.error({ err: error, connectionId: this.host.connectionId }, 'the link to WhatsApp met an error')
  }

  private clearTimers(): void {
    if (this.timer) clearTimeout(this.timer)
    if (this.watchdog) clearTimeout(this.watchdog)
    this.timer = this.watchdog = null
  }

  private async begin(mode: Mode): Promise<number> {
    const turn = ++this.turn
    this.mode = mode
    this.store.close()
    try {
      await this.store.settled()
      if (turn !== this.turn) return turn
      this.store = this.newStore()
      await this.store.assertOwner()
      const { creds, paired } = await this.store.load()
      if (turn !== this.turn) return turn
      if (mode === 'login' && !paired) {
        this.teller.say([{ type: 'status', status: 'DISCONNECTED', trouble: this.told(NOT_PAIRED, 0) }])
        return turn
      }
      this.creds = creds
      this.version ??= await readKnownVersion(this.store)
      if (turn === this.turn) this.connect(turn, creds)
    } catch {
      if (turn === this.turn) this.again(turn, 1000)
    }
    return turn
  }

  private connect(turn: number, creds: AuthenticationCreds): void {
    const { host, times } = this
    if (!this.isLinking) this.teller.say([{ type: 'status', status: 'OPENING' }])
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
    const mine = () => turn === this.turn && this.sock === sock
    let isAsked = false
    const screen = new QrScreen(sock, creds, times.qrMs, code => {
      if (!mine()) return
      this.relieveWatchdog()
      if (this.mode === 'code' && !isAsked) {
        isAsked = true
        this.showPairCode(sock, mine).catch(error => mine() && this.end(turn, error))
      }
      if (this.mode === 'qr') this.teller.say([{ type: 'status', status: 'qrcode', trouble: null, ...code }])
    })
    this.watchdog = setTimeout(() => {
      if (!mine()) return
      this.hangUp(sock)
      this.end(turn, new Error('No answer'))
    }, times.watchdogMs)
    sock.ev.on('creds.update', () => mine() && this.save(creds, mine))
    sock.ev.on('connection.update', update => {
      if (!mine()) return
      if (update.isNewLogin) this.linking()
      // The library goes on showing codes until WhatsApp ends the line, also once one was read.
      if (update.qr && !this.isLinking) screen.show(update.qr)
      if (update.connection === 'open') this.opened(sock)
      if (update.reachoutTimeLock && this.open) this.restricted(update.reachoutTimeLock)
      if (update.connection === 'close') this.end(turn, closingError(update))
    })
    this.onSocket(sock)
  }

  private save(creds: AuthenticationCreds, mine: () => boolean): void {
    this.store.saveCreds(creds).catch(() => {
      if (mine()) setTimeout(() => mine() && this.save(creds, mine), 1000)
    })
  }

  private relieveWatchdog(): void {
    if (this.watchdog) clearTimeout(this.watchdog)
    this.watchdog = null
  }

  /** The phone has the code: WhatsApp ends this line (515), and the next one is open. */
  private linking(): void {
    this.isLinking = true
    this.teller.say([{ type: 'status', status: 'PAIRING', trouble: null }])
  }

  private opened(sock: Socket): void {
    this.relieveWatchdog()
    this.isLinking = false
    this.open = true
    this.openedAt = Date.now()
    this.trouble.over()
    this.mode = 'login'
    const me = sock.user
    const pn = extractPhone(me?.id)
    const lid = extractLid(me?.lid)
    const peer = me && { jid: normalizeJid(me.id), ...(pn && { pn }), ...(lid && { lid }), group: false }
    this.teller.say([{ type: 'status', status: 'CONNECTED', trouble: null, ...(peer && { me: peer }) }])
  }

  /** WhatsApp forbids new conversations for a while: connected all the same, but somebody should know. */
  private restricted({ isActive, timeEnforcementEnds }: ReachoutTimelockState): void {
    const ends = timeEnforcementEnds ? Math.max(0, timeEnforcementEnds.getTime() - Date.now()) : null
    const trouble = isActive ? this.told({ reason: 'other', next: 'none', afterMs: ends }, 463) : null
    if (!isActive) this.trouble.over()
    this.teller.say([{ type: 'status', status: 'CONNECTED', trouble }])
  }

  /** Whatever goes wrong while an end is written down, the connection tries again. */
  private end(turn: number, error: unknown): void {
    this.ended(turn, error).catch(reason => {
      this.failed(reason)
      this.again(this.turn, 1000)
    })
  }

  private async ended(turn: number, error: unknown): Promise<void> {
    if (turn !== this.turn) return
    const wasLinking = this.isLinking
    const ended = this.account(error)
    const mine = this.turn
    const next = planReconnect(ended, this.times)
    await this.store.saveCreds(this.creds ?? (await this.store.load()).creds).catch(() => {})
    if (next.forget) await this.forget().catch(() => {})
    if (mine !== this.turn) return
    const afterMs = next.refreshVersion && (await this.foundNewerVersion()) ? 0 : next.afterMs
    if (mine !== this.turn) return
    const isRestart = next.reason === 'restart'
    this.isLinking = wasLinking && isRestart
    const trouble = isRestart ? null : this.told({ ...next, afterMs }, ended.code)
    if (!this.isLinking) this.teller.say([{ type: 'status', status: next.status, trouble }])
    if (afterMs !== null) this.again(mine, afterMs)
  }

  /** Books an end: closes the turn and counts failures in a row. */
  private account(error: unknown): ConnectionEnd {
    const code = getDisconnectCode(error)
    const held = this.open && Date.now() - this.openedAt >= this.times.steadyMs
    this.leave()
    const attempt = code === 515 ? 0 : held ? 1 : this.trouble.attempt + 1
    this.trouble.attempt = attempt
    this.repeated = code === this.lastCode && !held ? this.repeated + 1 : 1
    this.lastCode = code
    const paired = Boolean(this.creds?.account)
    return { code, paired, attempt, repeated: this.repeated, codesRanOut: hasQrRunOut(error) }
  }

  private async foundNewerVersion(): Promise<boolean> {
    if (this.host.config.whatsappWebUrl !== null) return false
    const before = this.version
    this.version = await refreshVersion(this.store)
    return before !== null && !isSameVersion(before, this.version)
  }

  private again(turn: number, afterMs: number): void {
    this.timer = setTimeout(() => {
      if (turn !== this.turn) return
      this.begin(this.creds?.account ? 'login' : this.mode).catch(this.failed)
    }, afterMs)
  }

  private told(
    { reason, next, afterMs }: Pick<ReconnectPlan, 'reason' | 'next' | 'afterMs'>,
    code: number,
  ): ConnectionTrouble {
    return this.trouble.told({ code: code === 0 ? 'none' : String(code), reason, next, afterMs })
  }
}

const LOGGED_OUT = { reason: 'logged_out', next: 'read_qr', afterMs: null } as const
const NOT_PAIRED = { reason: 'qr_not_read', next: 'read_qr', afterMs: null } as const

function closingError(update: Partial<ConnectionState>): unknown {
  return update.lastDisconnect?.error
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChannelError('timeout', 'No answer in time')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
