// After how many seconds a chat's messages vanish, as the gateway has it: its own calls do not all keep to it, so each message says it. One
// question makes it count all messages of the chat, so what it said is remembered.
import { readAddress } from '../../../platform/channel/addresses.ts'
import type { DriverHost } from '../../../platform/channel/driver.ts'
import { LatestEntries } from '../../../platform/latest-entries.ts'
import { isRecord, toNumber } from '../shared/json.ts'
import { type Gateway, GatewayError } from './gateway.ts'

/** The gateway takes no others. */
const DURATIONS: ReadonlySet<number> = new Set([86_400, 604_800, 7_776_000])
/** A message waits for it no longer. */
const LONGEST_WAIT_MS = 3000
const MOST_CHATS = 1000

export class ChatTimers {
  private readonly known = new LatestEntries<{ readonly seconds: number; readonly until: number }>(MOST_CHATS)
  /** Until when nobody is asked: a gateway that is slow or in trouble would hold up every message. */
  private restsUntil = 0

  constructor(
    private readonly gateway: Pick<Gateway, 'get'>,
    private readonly host: Pick<DriverHost, 'connectionId' | 'emit' | 'log'>,
    /** For how long what it said counts. */
    private readonly timerMs: number,
  ) {}

  /** One that the gateway takes; 0: they stay. `stored`: as the desk has it, which counts where the gateway does not say. Never throws. */
  async read(chat: string, stored: number): Promise<number> {
    const known = this.known.get(chat)
    if (known && Date.now() < known.until) return known.seconds
    const answer = Date.now() < this.restsUntil ? null : await this.fetch(chat)
    const seconds = toDuration(answer ?? stored)
    if (answer === null) return seconds
    this.known.set(chat, { seconds, until: Date.now() + this.timerMs })
    if (seconds !== stored) this.report(chat, seconds)
    return seconds
  }

  /** Null: it does not say, or knows no such chat. */
  private async fetch(chat: string): Promise<number | null> {
    try {
      const answer = await this.gateway.get(['chat', chat, 'messages'], { limit: 1 }, LONGEST_WAIT_MS)
      const info = isRecord(answer) && isRecord(answer.chat_info) ? answer.chat_info : {}
      const seconds = toNumber(info.ephemeral_expiration)
      return Number.isNaN(seconds) ? null : seconds
    } catch (error) {
      if (!(error instanceof GatewayError && error.status === 404)) this.rest()
      return null
    }
  }

  private rest(): void {
    if (Date.now() >= this.restsUntil)
      this.warn('the gateway does not say when messages vanish: it is not asked for a while')
    this.restsUntil = Date.now() + this.timerMs
  }

  private report(jid: string, seconds: number): void {
    this.host
      .emit([{ type: 'timer', chat: readAddress(jid), seconds, at: Date.now() }])
      .catch(() => this.warn('when messages of a chat vanish could not be stored'))
  }

  private warn(text: string): void {
    this.host.log.warn({ connectionId: this.host.connectionId }, text)
  }
}

function toDuration(seconds: number): number {
  return DURATIONS.has(seconds) ? seconds : 0
}
