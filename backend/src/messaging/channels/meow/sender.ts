// Sending: the gateway gives the ids, so nothing is repeated of which nobody knows whether it went out; one can look for it in the chat.
import { findFileForm } from '../../../desk/media/file-form.ts'
import { ChannelError, type DriverHost, type Outgoing, type SendResult } from '../../../platform/channel/driver.ts'
import { toText } from '../shared/json.ts'
import { NOT_HANDED_OVER, toFailure } from '../shared/own-failures.ts'
import { fetchChatMessages } from './chats.ts'
import { type Gateway, GatewayError, GatewayUnreachable } from './gateway.ts'
import { dispatchMessage } from './outgoing.ts'
import { ChatTimers } from './timers.ts'

export interface SenderTimes {
  /** How long what the gateway says of a chat's timer counts. */
  readonly timerMs: number
  /** How long the messages of a chat are marked as read. */
  readonly readMs: number
}

type Failure = Extract<SendResult, { ok: false }>

/** Clocks of two machines, in ms. */
const CLOCKS_APART_MS = 60_000

/** What becomes a message of its own, and vanishes by itself. */
const MADE: ReadonlySet<string> = new Set(['text', 'media', 'location', 'contacts'])

export class MeowSender {
  private readonly timers: ChatTimers

  constructor(
    private readonly gateway: Gateway,
    private readonly host: DriverHost,
    private readonly isConnected: () => boolean,
    /** A send met something that says that the connection may be down. */
    private readonly doubt: () => void,
    private readonly times: SenderTimes,
  ) {
    this.timers = new ChatTimers(gateway, host, times.timerMs)
  }

  async send(to: string, message: Outgoing): Promise<SendResult> {
    if (message.type === 'template') return refused('not_supported', 'Templates belong to the official API')
    if (!this.isConnected()) return NOT_CONNECTED
    try {
      if (message.type === 'read') return await this.read(message)
      const timer = MADE.has(message.type) ? await this.timers.read(to, readStoredTimer(message)) : 0
      // While it was waited for, another process may have taken over.
      if (!this.host.isOwner()) return NOT_HANDED_OVER
      const id = await dispatchMessage(this.gateway, this.host, to, message, timer)
      if (id === '' && (message.type === 'text' || message.type === 'media'))
        return { ok: false, outcome: 'unknown', code: 'no_id', text: 'The gateway took the message but gave it no id' }
      return { ok: true, id, ack: 'sent', jid: to, raw: { sent: true, message } }
    } catch (error) {
      const failure = classifyFailure(error)
      if (failure.code === 'not_connected' || failure.code === 'unreachable') this.doubt()
      return failure
    }
  }

  /** Ids of what stands in the chat as if it were this, oldest first. Places and contacts are kept there without what they say. */
  async sentLike(to: string, message: Outgoing, since: number): Promise<readonly string[]> {
    const isIt = await likeness(this.host, message)
    if (!isIt) return []
    const query = { is_from_me: true, start_time: new Date(since - CLOCKS_APART_MS).toISOString() }
    const found: string[] = []
    for await (const page of fetchChatMessages(this.gateway, to, query, MOST_LOOKED_AT))
      found.unshift(
        ...page
          .filter(isIt)
          .flatMap(one => toText(one.id) ?? [])
          .reverse(),
      )
    return found
  }

  /**
   * Each by itself, the newest first: the gateway marks no more than it is told. What is said to the contact waits behind it, so it ends
   * after a while, and one that is refused holds up no other.
   */
  private async read({ refs }: Extract<Outgoing, { type: 'read' }>): Promise<SendResult> {
    const endsAt = Date.now() + this.times.readMs
    const newest = refs.filter(({ fromMe }) => !fromMe).slice(-MOST_READ)
    let [marked, refusal]: [number, Failure | null] = [0, null]
    for (const { chat, id } of newest.toReversed()) {
      try {
        await this.gateway.post(['message', id, 'read'], { phone: chat })
        marked += 1
      } catch (error) {
        const failure = classifyFailure(error)
        if (!(error instanceof GatewayError) || failure.outcome === 'retry') throw error
        refusal ??= failure
      }
      if (Date.now() >= endsAt) break
    }
    return refusal && marked === 0 ? refusal : { ok: true, id: '', ack: 'sent' }
  }
}

function readStoredTimer(message: Outgoing): number {
  return 'timer' in message ? (message.timer ?? 0) : 0
}

const MOST_LOOKED_AT = 200

/** More than a screen shows: a group may have thousands. */
const MOST_READ = 50

const NOT_CONNECTED: Failure = {
  ok: false,
  outcome: 'retry',
  code: 'not_connected',
  text: 'The connection is not open',
  afterMs: 5000,
}

/** How one knows a message of ours again; null for kinds of which the chat does not keep enough. */
async function likeness(
  host: Pick<DriverHost, 'openMedia'>,
  message: Outgoing,
): Promise<((stored: Record<string, unknown>) => boolean) | null> {
  if (message.type === 'text') return stored => !toText(stored.media_type) && stored.content === message.text
  if (message.type !== 'media') return null
  const { path } = await host.openMedia(message.mediaId)
  const as = (await findFileForm('meow', path, message))?.as ?? message.media
  const kind = as === 'application' ? 'document' : as
  const caption = kind === 'audio' || kind === 'sticker' ? '' : (message.caption ?? '')
  return stored => {
    const isKind = stored.media_type === kind || (kind === 'audio' && stored.media_type === 'ptt')
    return isKind && (toText(stored.content) ?? '') === caption
  }
}

/** What a failure means for a message: never, later, or nobody knows. */
function classifyFailure(error: unknown): Failure {
  if (error instanceof ChannelError) return toFailure(error)
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (missing) return refused('no_file', 'The file is not there any more')
  if (error instanceof GatewayUnreachable) {
    const lost = { ok: false, code: 'unreachable', text: error.message } as const
    return error.handedOver ? { ...lost, outcome: 'unknown' } : { ...lost, outcome: 'retry', afterMs: 5000 }
  }
  if (error instanceof GatewayError) return failureOfAnswer(error)
  // It was taken, and what was said of it makes no sense.
  return { ok: false, outcome: 'unknown', code: 'gateway_odd', text: 'The gateway answered what makes no sense' }
}

function failureOfAnswer({ status, code, words }: GatewayError): Failure {
  const isTimelock = code === 'WA_REACHOUT_TIMELOCK' || /error 463$/.test(words)
  if (isTimelock) return refused('463', 'This account may not start new conversations for now')
  if (code === 'INVALID_JID') return refused('ERR_WAPP_INVALID_CONTACT', words)
  // Its own user and password, a device that is gone or not logged in: nothing was sent.
  const isAway = status === 401 || code === 'INVALID_WA_CLI' || (status === 404 && /device/i.test(`${code} ${words}`))
  if (isAway) return NOT_CONNECTED
  if (code === 'UPLOAD_MEDIA_ERROR')
    return { ok: false, outcome: 'retry', code: 'upload', text: words, afterMs: 15_000 }
  if (status === 429) return { ok: false, outcome: 'retry', code: '429', text: words, afterMs: 60_000 }
  if (status === 413) return refused('upload', 'The gateway takes no file of this size')
  if (status >= 500 || status === 408) return { ok: false, outcome: 'unknown', code: String(status), text: words }
  return refused('400', words)
}

function refused(code: string, words: string): Failure {
  return { ok: false, outcome: 'refused', code, text: words }
}
