// Sending: the page gives the id; what counts as sent WhatsApp's server has confirmed. What was handed over and not confirmed is looked
// for in the chat when the page is back: until then nobody knows.
import { readAddress } from '../../../platform/channel/addresses.ts'
import { ChannelError, type DriverHost, type Outgoing, type SendResult } from '../../../platform/channel/driver.ts'
import type { EventPublisher } from '../shared/event-publisher.ts'
import { NOT_HANDED_OVER } from '../shared/own-failures.ts'
import type { WebJournal } from './journal.ts'
import { type ChildLine, LineLostError } from './line.ts'
import { buildSendCommand, NO_TEMPLATES, NOT_CONNECTED, type WebOutgoing } from './outgoing.ts'
import { readDuration } from './parse-message.ts'
import { toJid, toMessageRef, toWebRef, toWid } from './peers.ts'
import type { WebMessage } from './protocol.ts'

export interface WebSendTimes {
  /** How long WhatsApp may take to confirm. */
  readonly confirmMs: number
}

export const SEND_TIMES: WebSendTimes = { confirmMs: 20_000 }

/** Ticks of messages whose answer is still under way are remembered, so many. */
const EARLY = 500

export class WebSender {
  private readonly waiting = new Map<string, (ack: number) => void>()
  private readonly acks = new Map<string, number>()

  constructor(
    private readonly host: DriverHost,
    private readonly teller: EventPublisher,
    private readonly journal: WebJournal,
    private readonly current: () => ChildLine | null,
    private readonly times: WebSendTimes,
  ) {}

  /** A tick of a message of ours. */
  acked({ id }: WebMessage, ack: number): void {
    this.acks.set(id.id, ack)
    if (this.acks.size > EARLY) for (const oldest of [...this.acks.keys()].slice(0, 1)) this.acks.delete(oldest)
    this.waiting.get(id.id)?.(ack)
  }

  /** The page is gone: nobody confirms what it carried. */
  lineLost(): void {
    for (const answer of [...this.waiting.values()]) answer(0)
  }

  async send(to: string, message: Outgoing, trace: string | null): Promise<SendResult> {
    const line = this.current()
    if (!line) return NOT_CONNECTED
    if (message.type === 'template') return NO_TEMPLATES
    try {
      switch (message.type) {
        case 'read': {
          const chats = new Set(message.refs.filter(ref => !ref.fromMe).map(ref => toWid(ref.chat)))
          for (const chat of chats) await line.ask({ c: 'read', chat })
          return DONE
        }
        case 'edit':
          await line.ask({ c: 'edit', ref: toWebRef(message.ref), text: message.text })
          return DONE
        case 'revoke':
          await line.ask({ c: 'revoke', ref: toWebRef(message.ref) })
          return DONE
        case 'reaction':
          await line.ask({ c: 'react', ref: toWebRef(message.ref), emoji: message.emoji })
          return DONE
        default:
          return await this.sendMessage(line, to, message, trace)
      }
    } catch (error) {
      return failure(error)
    }
  }

  private async sendMessage(
    line: ChildLine,
    to: string,
    message: WebOutgoing,
    trace: string | null,
  ): Promise<SendResult> {
    const { command, done } = await buildSendCommand(to, message, this.host)
    try {
      if (trace) this.journal.begun(trace, command)
      const sent = await line.ask(command)
      if (trace) this.named(trace, sent.id.id)
      this.reportTimer(to, message, sent)
      return await this.confirmed(sent, trace)
    } catch (error) {
      const result = failure(error)
      if (trace && !result.ok && result.outcome !== 'unknown') this.journal.dropped(trace)
      return result
    } finally {
      await done()
    }
  }

  /** What we write vanishes as the page has it for the chat; the desk may not know of it yet. */
  private reportTimer(to: string, { timer = 0 }: WebOutgoing, sent: WebMessage): void {
    const seconds = readDuration(sent)
    if (seconds !== null && seconds !== timer)
      this.teller.say([{ type: 'timer', chat: readAddress(to), seconds, at: Date.now() }])
  }

  /** It is out: a disk that is full changes nothing about that. */
  private named(trace: string, id: string): void {
    try {
      this.journal.named(trace, id)
    } catch (error) {
      this.host.log.warn({ err: error, connectionId: this.host.connectionId }, 'the id of a send was not written down')
    }
  }

  private async confirmed(sent: WebMessage, trace: string | null): Promise<SendResult> {
    const { id } = sent.id
    const before = Math.max(sent.ack ?? 0, this.acks.get(id) ?? 0)
    const ack = this.acks.get(id) === -1 ? -1 : before > 0 ? before : await this.ack(id)
    if (ack === -1) {
      if (trace) this.journal.dropped(trace)
      return { ok: false, outcome: 'refused', code: 'ack_error', text: 'WhatsApp refused the message' }
    }
    const jid = toJid(sent.id.remote)
    if (ack > 0) return { ok: true, id, ack: 'sent', jid, raw: sent }
    // Its id is known all the same: a receipt that comes later finds it.
    if (trace) this.teller.say([{ type: 'ack', ref: toMessageRef(sent.id), trace, ack: 'pending' }])
    return { ok: false, outcome: 'unknown', code: 'no_confirmation', text: 'WhatsApp did not confirm the message' }
  }

  private ack(id: string): Promise<number> {
    return new Promise(resolve => {
      const answer = (ack: number) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(ack)
      }
      const timer = setTimeout(() => answer(0), this.times.confirmMs)
      this.waiting.set(id, answer)
    })
  }
}

const DONE: SendResult = { ok: true, id: '', ack: 'sent' }

/** What the child could not do; the page may have done what it was handed. */
function failure(error: unknown): SendResult {
  if (error instanceof LineLostError) {
    if (error.handed) return { ok: false, outcome: 'unknown', code: 'browser_died', text: error.message }
    return NOT_CONNECTED
  }
  // What is no answer of the child's went wrong before it was asked.
  const code = error instanceof ChannelError ? error.code : 'not_handed_over'
  if (code === 'no_file' || code === 'ERR_WAPP_INVALID_CONTACT' || code === 'not_there')
    return { ok: false, outcome: 'refused', code, text: REFUSALS[code] }
  if (code === 'ENOENT')
    return { ok: false, outcome: 'refused', code: 'no_file', text: 'The file is not there any more' }
  if (code === 'not_connected') return NOT_CONNECTED
  // The page's and the library's own words are not kept: they may hold what was to be sent.
  if (code === 'error') return { ok: false, outcome: 'unknown', code, text: 'WhatsApp Web failed while it was sending' }
  return { ...NOT_HANDED_OVER, code }
}

const REFUSALS = {
  no_file: 'The file is gone',
  ERR_WAPP_INVALID_CONTACT: 'WhatsApp knows nobody there',
  not_there: 'The message is not there any more',
} as const
