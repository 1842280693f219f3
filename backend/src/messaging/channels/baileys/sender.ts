// Sending: under the id the desk gave, and counted as sent only when WhatsApp's server has confirmed it.
import type { AnyMessageContent, WAMessage } from '@whiskeysockets/baileys'
import { ChannelError, type DriverHost, type Outgoing, type SendResult } from '../../../platform/channel/driver.ts'
import { NOT_HANDED_OVER, toFailure } from '../shared/own-failures.ts'
import type { Socket } from './link.ts'
import { buildContent, buildQuotedMessage, toMessageKey } from './outgoing.ts'
import { toPlainMessage } from './plain-message.ts'
import { getRefusalText } from './receipts.ts'
import type { RecentNames } from './recent-names.ts'
import { getDisconnectCode } from './reconnect.ts'
import { getMessageSecret } from './sealed.ts'

export interface BaileysSendTimes {
  /** How long WhatsApp may take to confirm. */
  readonly confirmMs: number
  /** How long everything before it may take: keys, upload. */
  readonly handOverMs: number
}

export const SEND_TIMES: BaileysSendTimes = { confirmMs: 20_000, handOverMs: 300_000 }

type Confirmation =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'none' }

export class BaileysSender {
  private readonly waiting = new Map<string, (confirmation: Confirmation) => void>()

  constructor(
    private readonly host: DriverHost,
    private readonly current: () => Socket | null,
    private readonly sent: RecentNames,
    private readonly times: BaileysSendTimes,
  ) {}

  attach(sock: Socket): void {
    sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) => {
      const answer = this.waiting.get(attrs.id ?? '')
      answer?.(attrs.error ? { kind: 'refused', code: attrs.error } : { kind: 'taken' })
    })
  }

  /** The socket is gone: nobody will confirm what it carried. */
  lineLost(): void {
    for (const answer of [...this.waiting.values()]) answer({ kind: 'none' })
  }

  async send(to: string, id: string, message: Outgoing): Promise<SendResult> {
    const sock = this.current()
    if (!sock) return NOT_CONNECTED
    if (message.type === 'template') return NO_TEMPLATES
    if (message.type === 'read') return this.read(sock, message)
    try {
      const content = await buildContent(message, this.host)
      const quoted = 'quote' in message && message.quote ? { quoted: buildQuotedMessage(message.quote) } : {}
      const timer = 'timer' in message && message.timer ? { ephemeralExpiration: message.timer } : {}
      return await this.handOver(sock, to, id, content, { ...quoted, ...timer })
    } catch (error) {
      return to.endsWith('@g.us') && isNotMember(error) ? NOT_MEMBER : failure(error)
    }
  }

  private async handOver(
    sock: Socket,
    to: string,
    id: string,
    content: AnyMessageContent,
    options: { quoted?: WAMessage; ephemeralExpiration?: number },
  ): Promise<SendResult> {
    this.sent.add(id)
    let answer: (confirmation: Confirmation) => void = () => {}
    const confirmed = new Promise<Confirmation>(resolve => {
      answer = resolve
    })
    this.waiting.set(id, answer)
    let timer = setTimeout(() => answer({ kind: 'none' }), this.times.handOverMs)
    try {
      const handed = sock.sendMessage(to, content, { messageId: id, ...options })
      const first = await Promise.race([handed, confirmed.then(() => undefined)])
      clearTimeout(timer)
      timer = setTimeout(() => answer({ kind: 'none' }), this.times.confirmMs)
      if (!first) handed.catch(() => {})
      const confirmation = await confirmed
      if (confirmation.kind === 'refused') return refused(confirmation.code)
      if (confirmation.kind === 'none')
        return { ok: false, outcome: 'unknown', code: 'no_confirmation', text: 'WhatsApp did not confirm the message' }
      // The server has it, whatever the library still says.
      const whole = first ?? (await handed.catch(() => undefined))
      const secret = getMessageSecret(whole?.message?.messageContextInfo)
      return {
        ok: true,
        id,
        ack: 'sent',
        jid: to,
        ...(whole && { raw: toPlainMessage(whole) }),
        ...(secret && { secret }),
      }
    } finally {
      clearTimeout(timer)
      this.waiting.delete(id)
    }
  }

  private async read(sock: Socket, message: Extract<Outgoing, { type: 'read' }>): Promise<SendResult> {
    try {
      await sock.readMessages(message.refs.filter(ref => !ref.fromMe).map(toMessageKey))
      return { ok: true, id: '', ack: 'sent' }
    } catch (error) {
      return failure(error)
    }
  }
}

const NOT_CONNECTED: SendResult = {
  ok: false,
  outcome: 'retry',
  code: 'not_connected',
  text: 'The connection is not open',
  afterMs: 5000,
}

/** The server tells nothing of a group to who is not in it: trying again changes nothing. */
function isNotMember(error: unknown): boolean {
  return error instanceof Error && /^(item-not-found|forbidden|not-authorized)$/.test(error.message)
}

export const NOT_MEMBER = {
  ok: false,
  outcome: 'refused',
  code: 'not_member',
  text: 'This number is not in the group any more',
} as const satisfies SendResult

const NO_TEMPLATES: SendResult = {
  ok: false,
  outcome: 'refused',
  code: 'not_supported',
  text: 'Templates belong to the official API',
}

/** The server's own refusals. 463 is never tried again: each attempt makes the restriction worse. */
function refused(code: string): SendResult {
  if (code === '479') return { ok: false, outcome: 'retry', code, text: getRefusalText(code), afterMs: 10_000 }
  return { ok: false, outcome: 'refused', code, text: getRefusalText(code) }
}

/** Nothing was handed over: it can be tried again, unless the file is gone or the content cannot be made. */
function failure(error: unknown): SendResult {
  const code = getDisconnectCode(error)
  if (error instanceof ChannelError) return toFailure(error)
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (missing) return { ok: false, outcome: 'refused', code: 'no_file', text: 'The file is not there any more' }
  if (code === 400) return { ok: false, outcome: 'refused', code: '400', text: 'WhatsApp takes no such message' }
  return code ? { ...NOT_HANDED_OVER, code: String(code) } : NOT_HANDED_OVER
}
