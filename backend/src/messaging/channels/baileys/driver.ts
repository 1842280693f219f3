// The kind `baileys`: a linked device of a WhatsApp account, on the unmodified library.

import { getCapabilities } from '@balcao/contract'
import { listPhoneVariants } from '@balcao/contract/contacts/phone'
import type { WAMessageKey } from '@whiskeysockets/baileys'
import {
  ChannelError,
  type Driver,
  type DriverHost,
  type MediaHandle,
  type Outgoing,
  type Peer,
} from '../../../platform/channel/driver.ts'
import { createProviderId } from '../../../platform/channel/ids.ts'
import { EventPublisher } from '../shared/event-publisher.ts'
import { Envelopes, persistBeforeReceipt } from './before-receipt.ts'
import { download } from './download.ts'
import { BaileysGroups, createMembershipEvent, toGroupMembers } from './groups.ts'
import { silenceSignal } from './library-logger.ts'
import { BaileysLink, type BaileysLinkTimes, LINK_TIMES, type Socket } from './link.ts'
import { isNoConversation, isSelf, toPeer } from './peers.ts'
import { toProtoMessage } from './plain-message.ts'
import { BaileysReceiver } from './receiver.ts'
import { RecentNames } from './recent-names.ts'
import { BaileysSender, type BaileysSendTimes, NOT_MEMBER, SEND_TIMES } from './sender.ts'

export type BaileysTimes = BaileysLinkTimes & BaileysSendTimes

/** A driver for one connection. `times` are for tests that cannot wait a minute. */
export function createBaileysDriver(host: DriverHost, times: Partial<BaileysTimes> = {}): Driver {
  return new BaileysDriver(host, { ...LINK_TIMES, ...SEND_TIMES, ...times })
}

class BaileysDriver implements Driver {
  readonly kind = 'baileys'
  readonly capabilities = getCapabilities(this.kind)
  private readonly teller: EventPublisher
  private readonly link: BaileysLink
  private readonly receiver: BaileysReceiver
  private readonly sender: BaileysSender
  private readonly groups = new BaileysGroups()
  private readonly sent = new RecentNames(5000)

  constructor(
    private readonly host: DriverHost,
    times: BaileysTimes,
  ) {
    silenceSignal()
    const envelopes = new Envelopes()
    const current = () => this.link.current
    const self = () => this.link.self
    this.teller = new EventPublisher(host)
    this.sender = new BaileysSender(host, current, this.sent, times)
    this.receiver = new BaileysReceiver(host, this.teller, this.groups, envelopes, this.sent, self, current)
    const makeSignalRepository = persistBeforeReceipt(envelopes, self, {
      take: (...arrived) => this.receiver.take(...arrived),
      knows: async id => (await host.rawMessage(id)) !== null,
      confirm: async ({ attrs: { from = '', participant, id = '' } }) => {
        if (!isSelf(self(), participant ?? from)) await this.open().sendReceipt(from, participant, [id], 'inactive')
      },
    })
    this.link = new BaileysLink(
      host,
      this.teller,
      times,
      () => ({
        makeSignalRepository,
        shouldIgnoreJid: isNoConversation,
        getMessage: key => this.stored(key),
        cachedGroupMetadata: async jid => this.groups.cached(jid),
      }),
      sock => {
        this.receiver.reset()
        this.receiver.attach(sock)
        this.sender.attach(sock)
      },
      () => this.sender.lineLost(),
    )
  }

  start(): Promise<void> {
    return this.link.start()
  }

  settle(): Promise<void> {
    return this.receiver.settle()
  }

  async stop(): Promise<void> {
    await this.link.stop()
  }

  logout(): Promise<void> {
    return this.link.logout()
  }

  async pair(by: { readonly qr: true } | { readonly phone: string }): Promise<{ readonly code?: string }> {
    if ('phone' in by) return { code: await this.link.pairByCode(by.phone.replace(/\D/g, '')) }
    await this.link.pairByQr()
    return {}
  }

  async send(to: string, id: string | null, message: Outgoing) {
    const result = await this.sender.send(to, id ?? createProviderId(this.kind) ?? '', message)
    // It may have been taken out while nobody was connected.
    if (!result.ok && result.code === NOT_MEMBER.code) this.teller.say([createMembershipEvent(to, false)])
    return result
  }

  download(media: MediaHandle): Promise<ReadableStream<Uint8Array>> {
    return download(media, this.link.current, this.host.config.whatsappWebUrl)
  }

  /** The address WhatsApp returns counts: it may lack the ninth digit that was asked with. */
  async check(number: string): Promise<Peer | null> {
    const sock = this.open()
    for (const spelling of listPhoneVariants(number.replace(/\D/g, ''))) {
      const found = (await sock.onWhatsApp(spelling))?.find(one => one.exists)
      if (found) return toPeer(found.jid)
    }
    return null
  }

  async group(jid: string) {
    const group = await this.groups.find(this.open(), jid)
    return group ? { subject: group.subject, desc: group.desc ?? '', members: toGroupMembers(group) } : null
  }

  private open(): Socket {
    const sock = this.link.current
    if (!sock) throw new ChannelError('not_connected', 'The connection is not open')
    return sock
  }

  /** For retry receipts: a phone that could not decrypt gets the message again, from our database. */
  private async stored(key: WAMessageKey) {
    const raw = key.id ? await this.host.rawMessage(key.id) : null
    return toProtoMessage(raw)
  }
}
