// One connection's browser: pairing, opening, and the child of each attempt. Ends and new beginnings are the machine's.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ChannelError, type DriverHost } from '../../../platform/channel/driver.ts'
import type { EventPublisher } from '../shared/event-publisher.ts'
import { LinkMachine, type LinkPauses, type LinkStatus, NOT_PAIRED, within } from '../shared/link-machine.ts'
import type { WebJournal } from './journal.ts'
import { clearLeftovers } from './leftovers.ts'
import { ChildLine } from './line.ts'
import type { OwnAddresses } from './message.ts'
import { toPeer } from './peers.ts'
import type { Heartbeat, StartCommand, WebEvent } from './protocol.ts'
import { PAUSES, planReconnect, type WebEnd } from './reconnect.ts'

export interface WebLinkTimes extends LinkPauses {
  /** An open browser that is not ready by then is given up. */
  readonly readyMs: number
  /** While nobody is linked a code is shown at least this often. */
  readonly codeMs: number
  /** A child that does not give a sign of life for so long is stuck: three beats. */
  readonly silenceMs: number
  /** How many QR codes are shown. */
  readonly codes: number
}

export const LINK_TIMES: WebLinkTimes = {
  ...PAUSES,
  readyMs: 120_000,
  codeMs: 60_000,
  silenceMs: 16_000,
  codes: 6,
}

type Mode = 'login' | 'qr' | 'code'

/** How long a code of WhatsApp Web is good for. */
const QR_MS = 20_000
const LOOK_MS = 1000

export class WebLink {
  private line: ChildLine | null = null
  private mode: Mode = 'login'
  private phone: string | undefined
  private signs = { begun: 0, code: 0, beat: 0 }
  private pageState = ''
  private codeShown: ((code: string) => void) | null = null
  private ending: Promise<void> = Promise.resolve()
  private readonly machine: LinkMachine
  self: OwnAddresses = {}

  constructor(
    private readonly host: DriverHost,
    private readonly teller: EventPublisher,
    private readonly journal: WebJournal,
    private readonly folder: string,
    private readonly times: WebLinkTimes,
    private readonly heard: {
      readonly event: (event: WebEvent) => void
      /** What is to be told before the connection counts as open again. */
      readonly opened: (line: ChildLine) => Promise<void>
      readonly lost: () => void
    },
  ) {
    this.machine = new LinkMachine(
      {
        connect: turn => this.connect(turn),
        disconnect: wasOpen => this.disconnect(wasOpen),
        tell: status => this.say(status),
        failed: this.failed,
      },
      times.steadyMs,
    )
  }

  /** The child of an open connection, or null. */
  get current(): ChildLine | null {
    return this.machine.isOpen ? this.line : null
  }

  async start(): Promise<void> {
    this.mode = 'login'
    await this.machine.restart(() => {})
  }

  async stop(): Promise<void> {
    this.machine.leave()
    await this.ending
    // A desk that cannot store anything must not keep the process from ending.
    await within(2000, this.teller.tell([{ type: 'status', status: 'DISCONNECTED', trouble: null }])).catch(() => {})
  }

  async logout(): Promise<void> {
    const { current } = this
    if (current) await within(5000, current.ask({ c: 'logout' })).catch(() => {})
    this.machine.leave()
    await this.forget()
    const trouble = this.machine.trouble.describe(planReconnect('logged_out', 1))
    await this.teller.tell([{ type: 'status', status: 'LOGGEDOUT', trouble }])
  }

  async pairByQr(): Promise<void> {
    if (this.current) return
    this.mode = 'qr'
    await this.machine.restart(() => this.forget())
  }

  /** @returns the eight characters to be typed on the phone with these digits */
  async pairByCode(phone: string): Promise<string> {
    if (this.current) throw new ChannelError('already_paired', 'This connection is paired already')
    this.mode = 'code'
    this.phone = phone
    const { promise, resolve } = Promise.withResolvers<string>()
    this.codeShown = resolve
    const turn = await this.machine.restart(() => this.forget())
    return within(this.times.codeMs, promise).catch(() => {
      if (turn === this.machine.turn) this.machine.leave()
      throw new ChannelError('timeout', 'WhatsApp did not answer')
    })
  }

  /** Once the browser is gone, so that the profile is nobody's. */
  private async forget(): Promise<void> {
    await this.ending
    clearLeftovers(this.folder)
    this.journal.forget()
    this.self = {}
  }

  private disconnect(wasOpen: boolean): void {
    const { line } = this
    this.line = null
    if (wasOpen) this.heard.lost()
    this.ending = this.ending.then(() => line?.stop()).catch(this.failed)
  }

  private readonly failed = (error: unknown): void => {
    this.host.log.error({ err: error, connectionId: this.host.connectionId }, 'the link to WhatsApp Web met an error')
  }

  private async connect(turn: number): Promise<void> {
    await this.ending
    if (turn !== this.machine.turn) return
    if (this.mode === 'login' && !this.journal.isPaired) return this.machine.down('DISCONNECTED', NOT_PAIRED)
    this.pageState = ''
    const now = Date.now()
    this.signs = { begun: now, code: now, beat: now }
    this.say({ status: 'OPENING' })
    const line = this.newLine(turn)
    if (!line) return this.end('died')
    this.line = line
    this.check()
    line
      .ask(this.startCommand())
      .then(
        ({ browser }) => line.opened(browser),
        error => this.end(error instanceof ChannelError && error.code === 'no_browser' ? error.code : 'died', turn),
      )
      .catch(this.failed)
  }

  /** Null where the system starts no process, or who runs cannot be written down: on a full disk the next attempt may. */
  private newLine(turn: number): ChildLine | null {
    const mine = () => turn === this.machine.turn
    try {
      const line: ChildLine = new ChildLine(this.folder, {
        event: event => mine() && this.take(event, line),
        beat: beat => mine() && this.beat(beat),
        ended: () => this.end('died', turn),
        printed: text =>
          this.host.log.warn({ connectionId: this.host.connectionId, said: unnamed(text) }, 'the browser said'),
      })
      return line
    } catch (error) {
      this.failed(error)
      return null
    }
  }

  private startCommand(): StartCommand {
    const { whatsappWebUrl } = this.host.config
    const page = whatsappWebUrl && new URL('/web/{version}.html', whatsappWebUrl.replace(/^ws/, 'http')).href
    return {
      c: 'start',
      folder: this.folder,
      page: page ? decodeURI(page) : null,
      codes: this.times.codes,
      ...(this.mode === 'code' && this.phone && { phone: this.phone }),
    }
  }

  private take(event: WebEvent, line: ChildLine): void {
    switch (event.type) {
      case 'qr':
        this.showQr(event.qr)
        break
      case 'code':
        this.showCode(event.code)
        break
      case 'authenticated':
        if (this.mode !== 'login') this.linking()
        break
      case 'ready':
        this.opened(event, line).catch(this.failed)
        break
      case 'state':
        this.changed(event.state)
        break
      case 'disconnected':
        this.end(parseConnectionEnd(event.reason))
        break
      case 'battery':
        if (this.machine.isOpen) this.say({ status: 'CONNECTED', battery: event.percent })
        break
      default:
        this.heard.event(event)
    }
  }

  /** A page that was linked and shows a code is not linked any more. */
  private showQr(qr: string): void {
    this.signs.code = Date.now()
    if (this.mode === 'login') this.end('logged_out')
    else if (this.mode === 'qr') this.say({ status: 'qrcode', trouble: null, qr, qrExpiresAt: Date.now() + QR_MS })
  }

  /** The library makes a new one when the first has run out: nobody typed it. */
  private showCode(code: string): void {
    if (!this.codeShown) {
      this.end('codes_shown')
      return
    }
    this.signs.code = Date.now()
    this.codeShown(code)
    this.codeShown = null
    this.say({ status: 'PAIRING', trouble: null, code })
  }

  /** The phone has the code: from here on the profile is linked, whoever opens it next, and a code would mean that it is not any more. */
  private linking(): void {
    this.mode = 'login'
    this.signs.begun = Date.now()
    this.say({ status: 'PAIRING', trouble: null })
    try {
      this.journal.paired()
    } catch (error) {
      // On a full disk: it is written once the page is ready, or never.
      this.failed(error)
    }
  }

  private say(status: LinkStatus): void {
    this.teller.say([{ type: 'status', ...status }])
  }

  private async opened({ me }: Extract<WebEvent, { type: 'ready' }>, line: ChildLine): Promise<void> {
    const { turn } = this.machine
    if (!this.journal.isPaired) this.journal.paired()
    this.mode = 'login'
    this.signs.begun = Date.now()
    const names = { ...(me.pn && { [me.pn]: me }), ...(me.lid && { [me.lid]: me }) }
    const peer = me.pn || me.lid ? toPeer(me.pn ?? me.lid ?? '', names) : undefined
    this.self = { ...(peer?.pn && { pn: peer.pn }), ...(peer?.lid && { lid: peer.lid }) }
    // Better open without what was missed than not at all: it is looked for again at the next opening.
    await this.heard.opened(line).catch(this.failed)
    if (turn !== this.machine.turn) return
    await this.machine.opened(turn, peer && { me: peer })
  }

  /** The page lost or found its own line to WhatsApp. */
  private changed(state: string): void {
    const { machine } = this
    if (!machine.openedAt) return
    if (state === 'CONNECTED' && !machine.isOpen) machine.opened(machine.turn).catch(this.failed)
    if (state !== 'TIMEOUT' && state !== 'OPENING') return
    if (machine.isOpen) this.heard.lost()
    machine.suspend()
    this.signs.begun = Date.now()
    // The page tries by itself; should it not succeed it is opened afresh.
    const report = { code: state, reason: 'network', next: 'retry', afterMs: this.times.readyMs } as const
    machine.down('DISCONNECTED', report).catch(this.failed)
  }

  private beat({ rss, state }: Heartbeat): void {
    this.signs.beat = Date.now()
    this.pageState = state
    if (rss > this.host.config.browserMemoryBytes) {
      this.host.log.warn({ connectionId: this.host.connectionId, rss }, 'the browser takes too much memory')
      this.end('memory')
    }
  }

  private check(): void {
    this.machine.later(LOOK_MS, () => this.check())
    const now = Date.now()
    const { silenceMs, codeMs, readyMs } = this.times
    if (now - this.signs.beat > silenceMs) {
      this.line?.kill()
      this.end('stuck')
      return
    }
    if (this.machine.isOpen) return
    const isUnpaired = this.pageState.startsWith('UNPAIRED')
    if (isUnpaired) this.signs.begun = now
    const code = this.mode === 'code' ? readyMs * 2 : codeMs
    if (now - this.signs.begun > readyMs || (isUnpaired && now - this.signs.code > code)) this.end('not_ready')
  }

  private end(why: WebEnd, turn = this.machine.turn): void {
    const { mode, times } = this
    const plan = this.machine.lost(turn, typeof why === 'string' ? why : why.state, ({ attempt }) => {
      const next = planReconnect(why, attempt, times)
      if (next.forget) this.forget().catch(this.failed)
      this.mode = this.journal.isPaired ? 'login' : 'qr'
      return mode === 'code' && next.next === 'retry' ? { ...next, next: 'read_qr', afterMs: null } : next
    })
    plan.catch(this.failed)
  }
}

function parseConnectionEnd(reason: string): WebEnd {
  if (reason === 'LOGOUT') return 'logged_out'
  return reason.startsWith('Max qrcode') ? 'codes_shown' : { state: reason }
}

/** A line of the library's for who looks into a fault, without anybody's number. */
function unnamed(text: string): string {
  return text.slice(0, 300).replace(/\d{5,}/g, '…')
}

/** The folder of a connection's profile. */
export function getProfileFolder(dataDir: string, connectionId: number): string {
  return join(dataDir, 'wwebjs', String(connectionId))
}

export function removeFolder(dataDir: string, connectionId: number): void {
  const folder = getProfileFolder(dataDir, connectionId)
  clearLeftovers(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
