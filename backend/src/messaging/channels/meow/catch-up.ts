// What was said while nobody could be told: a webhook is lost after five tries, the gateway's own memory of the chats is not.
import { and, eq, gt, inArray, or } from 'drizzle-orm'
import { contactChannels } from '../../../desk/contacts/table.ts'
import { messages } from '../../../desk/messages/table.ts'
import type { ChannelEvent, DriverHost } from '../../../platform/channel/driver.ts'
import { outbox } from '../../outbox/table.ts'
import { toText } from '../shared/json.ts'
import { fetchChatMessages, fetchChats } from './chats.ts'
import type { Gateway } from './gateway.ts'
import { isNoConversation, toStoredEvents } from './inbound.ts'
import type { Memory } from './memory.ts'

export interface CatchUpTimes {
  /** Between two readings of a connection that works: what webhooks lose all the same. */
  readonly againMs: number
  /** What is younger is still on its way by webhook, which tells more of it. */
  readonly settledMs: number
}

export const CATCH_UP_TIMES: CatchUpTimes = { againMs: 60_000, settledMs: 120_000 }

/** Messages that a phone without a line delivers late are older than they seem. */
const OVERLAP_MS = 3_600_000
/** For so long a person may be asked about a send. */
const DOUBTED_FOR_MS = 24 * 3_600_000
const MOST_CHATS = 2000
const MOST_MESSAGES = 5000
const AT_ONCE = 50

export class CatchUp {
  private running: Promise<void> | null = null
  private whole = false
  private timer: ReturnType<typeof setTimeout> | null = null
  private stopped = true

  constructor(
    private readonly gateway: Gateway,
    private readonly host: DriverHost,
    private readonly memory: Memory,
    private readonly times: CatchUpTimes,
    private readonly groupName: (jid: string) => Promise<string | undefined>,
  ) {}

  /** The connection is open after it was not: everything that is missing is taken in, and what webhooks lose from now on. */
  start(): void {
    this.stopped = false
    this.wake(true)
  }

  stop(): void {
    this.stopped = true
    if (this.timer) clearTimeout(this.timer)
  }

  /** Something could not be taken that was told. `whole`: also what is just being told. */
  wake(whole = false): void {
    this.whole ||= whole
    if (this.stopped || this.running) return
    if (this.timer) clearTimeout(this.timer)
    this.running = this.run()
      .catch(error => {
        const reason = error instanceof Error ? error.message : 'unknown'
        this.host.log.warn({ connectionId: this.host.connectionId, reason }, 'chats could not be read again')
      })
      .finally(() => {
        this.running = null
        if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.times.againMs)
      })
  }

  private async run(): Promise<void> {
    const pairing = await this.memory.read()
    if (!pairing) return
    const begun = Date.now()
    const until = this.whole ? begun + OVERLAP_MS : begun - this.times.settledMs
    this.whole = false
    // The gateway counts seconds.
    const from = Math.floor(Math.max(pairing.since, pairing.readUntil - OVERLAP_MS) / 1000) * 1000
    let complete = true
    for await (const page of fetchChats(this.gateway, MOST_CHATS)) {
      for (const chat of page) {
        const jid = toText(chat.jid)
        const last = Date.parse(toText(chat.last_message_time) ?? '')
        // The one written in last comes first.
        if (last < from) return this.done(pairing.readUntil, begun, complete)
        if (!jid || isNoConversation(jid) || this.stopped) continue
        complete = (await this.read(jid, from, until)) && complete
      }
    }
    await this.done(pairing.readUntil, begun, complete)
  }

  private async done(before: number, begun: number, complete: boolean): Promise<void> {
    const pairing = await this.memory.read()
    const readUntil = begun - this.times.settledMs
    if (complete && pairing && !this.stopped && readUntil > before) await this.memory.keep({ ...pairing, readUntil })
  }

  /** Takes in what is missing of one chat, oldest first. @returns false where some of it has to wait */
  private async read(jid: string, from: number, until: number): Promise<boolean> {
    const query = { start_time: new Date(from).toISOString(), end_time: new Date(until).toISOString() }
    const missing: Record<string, unknown>[] = []
    for await (const page of fetchChatMessages(this.gateway, jid, query, MOST_MESSAGES)) {
      const known = await this.known(page.flatMap(one => toText(one.id) ?? []))
      missing.push(...page.filter(one => !known.has(toText(one.id) ?? '')))
    }
    if (missing.length === 0) return true
    // Which of ours are sends that nobody knows of is found out elsewhere, before they count as typed on the phone.
    const waits = missing.some(one => one.is_from_me === true) && (await this.isInDoubt(jid))
    const chatName = jid.endsWith('@g.us') ? await this.groupName(jid) : undefined
    const events = missing
      .toReversed()
      .filter(one => !(waits && one.is_from_me === true))
      .flatMap((one): ChannelEvent[] => toStoredEvents(one, chatName))
    for (let at = 0; at < events.length; at += AT_ONCE) await this.host.emit(events.slice(at, at + AT_ONCE))
    return !waits
  }

  private async known(ids: readonly string[]): Promise<Set<string>> {
    const { whatsappId, providerId } = messages
    const named = and(eq(whatsappId, this.host.connectionId), inArray(providerId, [...ids]))
    const rows = ids.length === 0 ? [] : await this.host.db.select({ id: providerId }).from(messages).where(named)
    return new Set(rows.flatMap(row => row.id ?? []))
  }

  /** Something that we sent to this chat may have gone out. */
  private async isInDoubt(jid: string): Promise<boolean> {
    const { connectionId, db } = this.host
    const here = and(eq(contactChannels.contactId, outbox.contactId), eq(contactChannels.whatsappId, outbox.whatsappId))
    const isRecent = gt(outbox.createdAt, new Date(Date.now() - DOUBTED_FOR_MS).toISOString())
    const doubted = and(eq(outbox.state, 'unknown'), inArray(messages.state, ['sending', 'unknown']), isRecent)
    const rows = await db
      .select({ id: outbox.id })
      .from(outbox)
      .innerJoin(messages, eq(messages.id, outbox.messageId))
      .leftJoin(contactChannels, here)
      .where(
        and(
          eq(outbox.whatsappId, connectionId),
          eq(outbox.operation, 'message'),
          or(eq(messages.chat, jid), eq(contactChannels.jid, jid)),
          or(eq(outbox.state, 'sending'), doubted),
        ),
      )
      .limit(1)
    return rows.length > 0
  }
}
