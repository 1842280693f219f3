// What the page tells → neutral events, handed to the desk in order.
import type { ChannelEvent, DriverHost } from '../../../platform/channel/driver.ts'
import type { EventPublisher } from '../shared/event-publisher.ts'
import type { WebJournal } from './journal.ts'
import type { ChildLine } from './line.ts'
import {
  changeEvents,
  createUnreadableCard,
  editEvents,
  type OwnAddresses,
  toAck,
  toMessageEvent,
  toRevokeEvent,
} from './message.ts'
import { isNoConversation, toMessageRef, toPeer } from './peers.ts'
import type { AddressBook, WebEvent, WebMessage } from './protocol.ts'

/** What came late, and changes of what was there already, lie further back. */
const REWIND_MS = 20 * 60_000
/** A ring and the line the phone writes about it are one call. */
const ONE_CALL_MS = 180_000
const AT_ONCE = 50

export class WebReceiver {
  private readonly identities = new Set<string>()
  /** Until then what is stored says nothing of what came before it. */
  private hasCaughtUp = false
  private readonly rings = new Map<string, { readonly id: string; readonly at: number }>()

  constructor(
    private readonly host: DriverHost,
    private readonly teller: EventPublisher,
    private readonly journal: WebJournal,
    private readonly self: () => OwnAddresses,
    private readonly current: () => ChildLine | null,
    private readonly acked: (message: WebMessage, ack: number) => void,
  ) {}

  take(event: WebEvent): void {
    switch (event.type) {
      case 'message':
        this.tell(this.eventsOf(event.message, event.people, false), event.message.t * 1000)
        return
      case 'unreadable': {
        const card = createUnreadableCard(event.message, this.around(event.people, false))
        if (card) this.teller.say([{ type: 'unreadable', card }])
        return
      }
      case 'ack':
        this.acked(event.message, event.ack)
        this.teller.say(ackEvents(event.message, event.ack))
        return
      case 'call':
        this.rang(event).catch(this.failed)
        return
      default:
        this.teller.say(changeEvents(event, this.self()))
    }
  }

  /** What came while no page was open: WhatsApp Web tells nothing of it, so the chats are read. */
  async catchUp(line: ChildLine): Promise<void> {
    this.hasCaughtUp = false
    const since = this.journal.since
    const from = Math.max(since - REWIND_MS, this.journal.pairedAt)
    const found = await line.ask({ c: 'since', t: Math.floor(from / 1000) })
    const events = found.messages.flatMap(message => this.missed(message, found.people))
    for (let from = 0; from < events.length; from += AT_ONCE) await this.teller.tell(events.slice(from, from + AT_ONCE))
    this.hasCaughtUp = true
    this.journal.seen(Date.now())
  }

  private missed(message: WebMessage, people: AddressBook): ChannelEvent[] {
    if (message.type === 'revoked')
      return isNoConversation(message.id.remote) ? [] : [toRevokeEvent(message, people, Date.now())]
    if (!message.id.fromMe) {
      return [...this.eventsOf(message, people, true), ...editEvents(message, this.around(people, true))]
    }
    const { pn, lid } = people[message.id.remote] ?? {}
    const names = [message.id.remote, pn, lid].flatMap(name => name ?? [])
    const trace = this.journal.traceOf(message, names)
    if (trace === null) return [...this.eventsOf(message, people, true), ...ackEvents(message, message.ack ?? 0)]
    const ack = toAck(message.ack) ?? 'pending'
    return [{ type: 'ack', ref: toMessageRef(message.id), trace, ack }]
  }

  private eventsOf(message: WebMessage, people: AddressBook, replay: boolean): ChannelEvent[] {
    if (message.type === 'call_log') return this.callOf(message, people)
    const event = toMessageEvent(message, this.around(people, replay))
    return event ? [...this.identitiesOf(people), event] : []
  }

  private around(people: AddressBook, replay: boolean) {
    return { self: this.self(), people, replay }
  }

  /** Stored, up to here nothing has to be looked for again. */
  private tell(events: readonly ChannelEvent[], at: number): void {
    if (events.length === 0) return
    const stored = () => this.hasCaughtUp && this.journal.seen(at)
    this.teller.tell(events).then(stored).catch(this.failed)
  }

  /** That two addresses are one person, told once. */
  private identitiesOf(people: AddressBook): ChannelEvent[] {
    return Object.keys(people).flatMap(address => {
      const { pn, lid } = toPeer(address, people)
      const key = `${pn} ${lid}`
      if (!pn || !lid || this.identities.has(key)) return []
      if (this.identities.size > 5000) this.identities.clear()
      this.identities.add(key)
      return [{ type: 'identity', pn, lid }]
    })
  }

  private async rang({ id, from, video, people }: Extract<WebEvent, { type: 'call' }>): Promise<void> {
    const peer = toPeer(from, people)
    const at = Date.now()
    for (const name of [peer.pn, peer.lid]) if (name) this.rings.set(name, { id, at })
    if (this.rings.size > 200) this.rings.clear()
    this.teller.say([{ type: 'call', id, from: peer, video, state: 'offer', at }])
    if (!(await this.host.acceptsCalls())) await this.current()?.ask({ c: 'reject', call: id })
  }

  /** The line the phone writes when a call is over. */
  private callOf(message: WebMessage, people: AddressBook): ChannelEvent[] {
    const from = toPeer(message.id.remote, people)
    if (message.id.fromMe || from.group || isNoConversation(message.id.remote)) return []
    const wasTaken =
      Number(message.callDuration ?? 0) > 0 || /connect|complet|accept|ongoing/i.test(`${message.callOutcome}`)
    const at = message.t * 1000
    const ring = this.rings.get(from.pn ?? '') ?? this.rings.get(from.lid ?? '')
    const id = ring && Math.abs(ring.at - at) < ONE_CALL_MS ? ring.id : message.id.id
    const state = wasTaken ? 'ended' : 'missed'
    return [{ type: 'call', id, from, video: message.isVideoCall === true, state, at }]
  }

  private readonly failed = (error: unknown): void => {
    this.host.log.error(
      { err: error, connectionId: this.host.connectionId },
      'what WhatsApp Web told was not dealt with',
    )
  }
}

function ackEvents(message: WebMessage, number: number): ChannelEvent[] {
  const ack = toAck(number)
  if (!ack || !message.id.fromMe) return []
  const refusal = ack === 'error' ? { code: 'ack_error', text: 'WhatsApp refused the message' } : {}
  return [{ type: 'ack', ref: toMessageRef(message.id), ack, ...refusal }]
}
