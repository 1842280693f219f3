// Everything a socket tells → neutral events, handed to the desk in order.
import {
  type BinaryNode,
  type Contact,
  getBinaryNodeChild,
  type PresenceData,
  proto,
  type WAMessage,
} from '@whiskeysockets/baileys'
import type { ChannelEvent, DriverHost } from '../../../platform/channel/driver.ts'
import type { EventPublisher } from '../shared/event-publisher.ts'
import { within } from '../shared/link-machine.ts'
import { type Arrivals, type ArrivalTurn, giveArrivalTurns } from './arrival-turns.ts'
import type { Envelopes } from './before-receipt.ts'
import { type BaileysGroups, toGroupMembers } from './groups.ts'
import type { Socket } from './link.ts'
import { createUnreadableCard, toChannelEvents, toPrivateMessage } from './message.ts'
import { addOrderLines } from './order-lines.ts'
import { extractLid, extractPhone, isNoConversation, isSelf, type PairedAccount, toPeer } from './peers.ts'
import { toAckEvents, toCallEvents, toFoldedAckEvents, toGroupAckEvents } from './receipts.ts'
import { RecentNames } from './recent-names.ts'
import { findSealedTarget, listAuthorAddresses, openSealedEdit } from './sealed.ts'

const CONTACTS_AT_ONCE = 100
/** A desk that cannot store anything must not keep the process from ending. */
const SETTLE_MS = 2000

export class BaileysReceiver {
  /** Told at decryption already: the library's own event for them brings nothing new but perhaps a folded tick. */
  private readonly reported = new RecentNames(5000)
  private readonly identities = new RecentNames(5000)
  private readonly names = new RecentNames(5000)
  private readonly watched = new RecentNames(2000)
  private arrivals: Arrivals | null = null

  constructor(
    private readonly host: DriverHost,
    private readonly teller: EventPublisher,
    private readonly groups: BaileysGroups,
    private readonly envelopes: Envelopes,
    /** Messages this driver sent itself: their echo is no news. */
    private readonly sent: RecentNames,
    private readonly self: () => PairedAccount | undefined,
    private readonly current: () => Socket | null,
  ) {}

  /** A message in the moment it is decrypted; resolves once it is committed. */
  async take(message: WAMessage, replay: boolean, bytes: Uint8Array, hand: ArrivalTurn['hand']): Promise<void> {
    const events = await this.read(message, replay, bytes)
    if (events.length === 0) return
    await hand(() => this.teller.tell(events))
    this.reported.add(toMessageName(message))
    if (!replay) this.watchTyping(message)
  }

  attach(sock: Socket): void {
    this.arrivals = giveArrivalTurns(sock)
    const say = (events: ChannelEvent[]) => this.teller.say(events)
    sock.ws.on('CB:message', stanza => this.envelopes.note(stanza))
    sock.ev.on('messages.upsert', ({ messages, type }) => {
      for (const message of messages) this.upserted(message, type === 'append').catch(this.failed)
    })
    sock.ev.on('messages.update', updates => say(updates.flatMap(toAckEvents)))
    sock.ev.on('message-receipt.update', updates => say(updates.flatMap(toGroupAckEvents)))
    sock.ev.on('call', calls => {
      for (const call of calls) {
        say(toCallEvents(call))
        if (call.status === 'offer' && !call.offline) this.rejectIfUnwanted(sock, call.id, call.from).catch(this.failed)
      }
    })
    sock.ev.on('presence.update', ({ id, presences }) => say(typingEvents(id, Object.values(presences))))
    sock.ws.on('CB:notification,type:contacts', (node: BinaryNode) => say(toMoveEvents(node)))
    sock.ev.on('lid-mapping.update', ({ pn, lid }) => say(this.identity(lid, pn)))
    sock.ev.on('contacts.upsert', contacts => this.sayContacts(contacts))
    sock.ev.on('contacts.update', contacts => this.sayContacts(contacts))
    sock.ev.on('messaging-history.set', ({ contacts, lidPnMappings }) => {
      for (const { pn, lid } of lidPnMappings ?? []) say(this.identity(lid, pn))
      this.sayContacts(contacts)
    })
    this.groups.watch(sock, say, this.self)
  }

  /** The library's own report: of what was not decrypted here (stubs, texts in clear) and of ticks folded into own messages. */
  private async upserted(message: WAMessage, replay: boolean): Promise<void> {
    if (message.key.fromMe && !isSelf(this.self(), message.key.remoteJid)) this.teller.say(toFoldedAckEvents(message))
    if (isUnreadable(message)) return this.tellUnreadable(message, replay)
    if (this.reported.has(toMessageName(message)) || this.sent.has(message.key.id ?? '')) return
    this.teller.say(await this.read(message, replay))
  }

  /** Messages whose key this device lacks: WhatsApp was asked to send them again, and usually does. */
  private tellUnreadable(message: WAMessage, replay: boolean): void {
    const { fromMe, remoteJid } = message.key
    const self = this.self()
    if (fromMe || !self || !remoteJid || this.reported.has(toMessageName(message))) return
    const card = createUnreadableCard(message, self, replay)
    if (card) this.teller.say([{ type: 'unreadable', card }])
  }

  private async read(given: WAMessage, replay: boolean, bytes?: Uint8Array): Promise<ChannelEvent[]> {
    const self = this.self()
    const message = toPrivateMessage(given)
    const chat = message.key.remoteJid
    if (!self || !chat || isNoConversation(chat)) return []
    if (this.sent.has(message.key.id ?? '')) return []
    const known = await this.opened(await this.withBothAddresses(message), self)
    const own = toChannelEvents(known, { self, replay, chatName: await this.groupName(chat), bytes })
    if (own.length === 0) return []
    const named = await Promise.all(own.map(event => this.withNamedPeople(event, chat)))
    const events = await Promise.all(named.map(event => addOrderLines(event, known.message, this.current())))
    const { remoteJid, remoteJidAlt, participant, participantAlt } = known.key
    return [...this.identity(remoteJid, remoteJidAlt), ...this.identity(participant, participantAlt), ...events]
  }

  /** A sealed edit as a plain one, where the secret of its message is kept; otherwise it waits in the inbox for its message. */
  private async opened(message: WAMessage, self: PairedAccount): Promise<WAMessage> {
    const target = findSealedTarget(message)
    if (target === undefined) return message
    return openSealedEdit(message, await this.host.secretsOf(target), listAuthorAddresses(message, self)) ?? message
  }

  /** The server leaves the phone out for some contacts; the device may know it from earlier (Baileys #2744). */
  private async withBothAddresses(message: WAMessage): Promise<WAMessage> {
    const { remoteJid, remoteJidAlt, participant, participantAlt } = message.key
    const chat = remoteJidAlt ?? (await this.phoneBehind(remoteJid))
    const author = participantAlt ?? (await this.phoneBehind(participant))
    if (chat === remoteJidAlt && author === participantAlt) return message
    const key = {
      ...message.key,
      ...(chat && { remoteJidAlt: chat }),
      ...(author && { participantAlt: author }),
    }
    return { ...message, key }
  }

  private async phoneBehind(address: string | null | undefined): Promise<string | undefined> {
    const lid = extractLid(address)
    const mapping = this.current()?.signalRepository.lidMapping
    if (!lid || !mapping) return undefined
    return (await mapping.getPNForLID(lid).catch(() => null)) ?? undefined
  }

  /** Who is named in a group, by both addresses and the name the group shows. */
  private async withNamedPeople(event: ChannelEvent, chat: string): Promise<ChannelEvent> {
    if ((event.type !== 'message' && event.type !== 'edit') || !event.mentions) return event
    const group = this.groups.cached(chat)
    const members = new Map(
      (group ? toGroupMembers(group) : []).flatMap(one => [one.lid, one.jid].map(key => [key, one] as const)),
    )
    const mentions = event.mentions.map(async one => {
      const member = members.get(one.jid)
      const pn = one.pn ?? member?.pn ?? extractPhone(await this.phoneBehind(one.jid))
      return { ...one, ...(pn && { pn }), ...(member?.name && { name: member.name }) }
    })
    return { ...event, mentions: await Promise.all(mentions) }
  }

  private async groupName(jid: string): Promise<string | undefined> {
    const sock = this.current()
    if (!jid.endsWith('@g.us')) return undefined
    return sock ? this.groups.name(sock, jid) : this.groups.cached(jid)?.subject
  }

  /** That two addresses are one person, told once. */
  private identity(one: string | null | undefined, other: string | null | undefined): ChannelEvent[] {
    const lid = extractLid(one) ?? extractLid(other)
    const pn = extractPhone(one) ?? extractPhone(other)
    if (!lid || !pn || !this.identities.add(`${lid} ${pn}`)) return []
    return [{ type: 'identity', pn, lid }]
  }

  private sayContacts(contacts: readonly Partial<Contact>[]): void {
    const events = contacts.flatMap(contactEvents).filter(event => this.isNews(event))
    for (let from = 0; from < events.length; from += CONTACTS_AT_ONCE)
      this.teller.say(events.slice(from, from + CONTACTS_AT_ONCE))
  }

  /** The library tells a person's name again with every message. */
  private isNews(event: ChannelEvent): boolean {
    if (event.type !== 'contact') return true
    return this.names.add(`${event.source} ${event.peer.jid} ${event.name}`)
  }

  /** Who writes is told about while typing only to those who asked for it. */
  private watchTyping({ key }: WAMessage): void {
    const chat = key.remoteJid
    if (!chat || key.fromMe || chat.endsWith('@g.us') || !this.watched.add(chat)) return
    this.current()
      ?.presenceSubscribe(chat)
      .catch(() => {})
  }

  /** A new socket has subscribed to nobody. */
  /** Opens no more, and waits a little for what is being opened. */
  async settle(): Promise<void> {
    await within(SETTLE_MS, this.arrivals?.settle() ?? Promise.resolve()).catch(() => {})
  }

  reset(): void {
    this.watched.clear()
  }

  private async rejectIfUnwanted(sock: Socket, callId: string, from: string): Promise<void> {
    if (!(await this.host.acceptsCalls())) await sock.rejectCall(callId, from)
  }

  private readonly failed = (error: unknown): void => {
    this.host.log.error({ err: error, connectionId: this.host.connectionId }, 'what WhatsApp told was not dealt with')
  }
}

function isUnreadable(message: WAMessage): boolean {
  return message.messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT && !message.key.isViewOnce
}

function toMessageName({ key }: WAMessage): string {
  return `${key.remoteJid} ${key.id}`
}

function contactEvents(contact: Partial<Contact>): ChannelEvent[] {
  const { id, lid, phoneNumber, name, notify } = contact
  if (!id || id.endsWith('@g.us') || isNoConversation(id)) return []
  const peer = toPeer(id, phoneNumber ?? lid)
  if (name) return [{ type: 'contact', peer, name, source: 'phone' }]
  return notify ? [{ type: 'contact', peer, name: notify, source: 'push' }] : []
}

/** Somebody has another number: told to everybody who has the old one in his contacts. The library lets it pass. */
export function toMoveEvents(notification: BinaryNode): ChannelEvent[] {
  const change = getBinaryNodeChild(notification, 'modify')?.attrs
  const { id, t } = notification.attrs
  if (!id || !change?.old || !change.new) return []
  const names = (address: string, lid: string | undefined) => {
    const { pn, lid: hidden } = toPeer(address, lid)
    return { ...(pn && { pn }), ...(hidden && { lid: hidden }) }
  }
  const at = Number(t ?? 0) * 1000
  const told = { from: names(change.old, change.old_lid), to: names(change.new, change.new_lid) }
  return [{ type: 'moved', id, ...(at > 0 && { at }), ...told }]
}

function typingEvents(chat: string, presences: readonly PresenceData[]): ChannelEvent[] {
  const last = presences.at(-1)?.lastKnownPresence
  const state = last === 'composing' ? 'typing' : last === 'recording' || last === 'paused' ? last : undefined
  return state ? [{ type: 'typing', chat: toPeer(chat), state }] : []
}
