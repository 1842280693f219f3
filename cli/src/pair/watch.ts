// What happens while a phone is paired: told by the live line, shown on the terminal, ended by itself.
import type { Connection } from '@balcao/contract'
import { type QrState, resolveQrState } from '@balcao/contract/connections/qr-state'
import { openPage } from '../kit/browse.ts'
import type { CommandContext } from '../kit/command.ts'
import type { Desk } from '../kit/desk.ts'
import { openLive } from '../kit/live.ts'
import type { TerminalScreen } from '../kit/screen.tsx'
import { formatClock } from '../kit/when.ts'
import { hasRoom, type PairEvent, renderPairLines } from './lines.ts'

export interface PairOptions {
  /** Digits of the phone that types a code instead of reading one. */
  readonly phone: string | null
  /** Forgets a pairing that stands. */
  readonly again: boolean
  /** It came back from a backup, and the old server is off for good. */
  readonly isRestored: boolean
}

type PairContext = Pick<CommandContext, 'out' | 't' | 'language' | 'ending'>

const TICK_MS = 250
/** A kind that gives codes only to who asks is asked this soon once the present one has run out. */
const SOON_MS = 1000
const STOPPED = 130
const TOLD: ReadonlySet<QrState['step']> = new Set(['typing', 'linking', 'connected'])

/** Shows codes until the phone is connected (0) or nobody has read one in time (1). */
export async function watchPairing(
  around: PairContext,
  desk: Desk,
  first: Connection,
  way: PairOptions,
): Promise<number> {
  const { out, t, language, ending } = around
  const { api } = desk
  const params = { id: first.id }
  const page = `${desk.url}/connections`
  let isPageOpen = false
  let openedAt = Date.now()
  let connection = first
  let codes = 0
  let shownCode: string | null = null
  let before: QrState['step'] | null = null
  let paircode: string | null = null
  let screen: TerminalScreen | null = null
  const moments: PairEvent[] = []

  const happened = (event: string, more: Readonly<Record<string, unknown>> = {}) => {
    moments.push({ at: formatClock(language), event })
    out.event({ event, ...more }, () => {
      if (!out.isTerminal) out.line(`${formatClock(language)} ${t(`event.${event}`)}`)
    })
  }
  // Until the old pairing is forgotten it still says that it is connected.
  let isOld = way.again && first.status === 'CONNECTED'
  let [isDown, isAsked] = [false, false]
  const check = () => {
    isOld = isOld && connection.status === 'CONNECTED'
    const now = resolveQrState(connection, Date.now(), openedAt)
    // While the line is down, and until what was missed is known, the code may have been read, or have another one after it; who types one
    // reads none.
    const isOpen =
      isOld || ((isDown || isAsked) && now.step === 'expired') || (way.phone !== null && now.step === 'code')
    const state: QrState = isOpen ? { step: 'waiting' } : now
    if (state.step === 'code' && state.text !== shownCode) {
      shownCode = state.text
      codes += 1
      happened(codes === 1 ? 'code' : 'newCode', {
        qrcode: state.text,
        expiresAt: connection.qrExpiresAt,
        page,
      })
    } else if (state.step !== before && TOLD.has(state.step) && !(state.step === 'typing' && way.phone !== null)) {
      happened(state.step)
    }
    before = state.step
    if (screen && !isPageOpen && state.step === 'code' && !hasRoom(state.text, out)) isPageOpen = openPage(page)
    screen?.draw(renderPairLines({ state, codes, paircode, moments, page }, out, t))
    return state
  }
  const take = (newer: Connection) => {
    if (newer.id === connection.id && newer.version >= connection.version) connection = newer
  }

  if (out.isTerminal) screen = (await import('../kit/screen.tsx')).openScreen(ending)
  const { line, over } = openLive(desk, ending, news => {
    if (news === 'down' || news === 'back') {
      isDown = news === 'down'
      moments.push({ at: formatClock(language), event: isDown ? 'offline' : 'online' })
    }
  })
  // What was told while the line was down is asked for.
  line.onReset(() => {
    isAsked = true
    void api('GET /whatsapp/:id', { params })
      .then(take, () => undefined)
      .finally(() => {
        isAsked = false
      })
  })
  line.on('whatsappSession', ({ session }) => {
    take(session)
    // What is over before the next look is told as well.
    check()
  })
  line.start()
  try {
    if (way.phone === null) take(await begin(desk, connection, way))
    else {
      const query = toQuery(way)
      if (way.again) await api('PUT /whatsappsession/:id', { params, query })
      paircode = (await api('POST /whatsapp/pair/:id', { params, query, body: { phone: way.phone } })).paircode
      happened('paircode', { paircode })
    }
    openedAt = Date.now()
    let askedAt = openedAt
    while (!ending.signal.aborted) {
      const state = check()
      if (state.step === 'connected') return 0
      if (state.step === 'expired') {
        happened('expired')
        check()
        return 1
      }
      const { qrAskMs } = connection.capabilities
      const wait = state.step === 'code' && state.secondsLeft === 0 ? SOON_MS : qrAskMs
      if (qrAskMs > 0 && paircode === null && Date.now() - askedAt >= wait) {
        askedAt = Date.now()
        await api('GET /whatsapp/meow/qr/:id', { params }).catch(() => undefined)
      }
      await Promise.race([over, new Promise(resolve => setTimeout(resolve, TICK_MS))])
    }
    return STOPPED
  } finally {
    line.stop()
    screen?.end()
  }
}

/** A code is asked for; one that is shown already stays. */
async function begin({ api }: Desk, connection: Connection, way: PairOptions): Promise<Connection> {
  const { id, status, trouble, pairCode } = connection
  const params = { id }
  const query = toQuery(way)
  const hasRunOut = resolveQrState(connection, Date.now()).step === 'expired'
  if ((status === 'qrcode' && !hasRunOut) || status === 'OPENING') return api('GET /whatsapp/:id', { params })
  // The pairing is gone, or is to go, or a code waits to be typed: only a fresh start shows one to read.
  if (way.again || status === 'LOGGEDOUT' || pairCode !== null || trouble?.next === 'read_qr')
    return api('PUT /whatsappsession/:id', { params, query })
  return api('POST /whatsappsession/:id', { params, query })
}

function toQuery({ isRestored }: PairOptions): { oldServerIsOff?: string } {
  return isRestored ? { oldServerIsOff: 'true' } : {}
}
