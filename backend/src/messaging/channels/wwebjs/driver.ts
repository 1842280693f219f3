// The kind `wwebjs`: WhatsApp Web in a browser, driven by the unmodified library in a process of its own.
import { open, rm } from 'node:fs/promises'
import { getCapabilities } from '@balcao/contract'
import { listPhoneVariants } from '@balcao/contract/contacts/phone'
import {
  ChannelError,
  type Driver,
  type DriverHost,
  type GroupFacts,
  type MediaHandle,
  type Outgoing,
  type Peer,
  type SendResult,
} from '../../../platform/channel/driver.ts'
import { EventPublisher } from '../shared/event-publisher.ts'
import { isRecord, toText } from '../shared/json.ts'
import type { KindModule } from '../shared/kind-module.ts'
import { LINKED_DEVICE } from '../shared/linked-device.ts'
import { toReadableStream } from '../shared/readable-stream.ts'
import { verifyFileStream } from '../shared/verify-file.ts'
import { isPaired, WebJournal } from './journal.ts'
import { type ChildLine, LineLostError } from './line.ts'
import { getProfileFolder, LINK_TIMES, removeFolder, WebLink, type WebLinkTimes } from './link.ts'
import { rereadMessage } from './message.ts'
import { toJid, toPeer, toWid } from './peers.ts'
import type { WebRef } from './protocol.ts'
import { WebReceiver } from './receiver.ts'
import { SEND_TIMES, WebSender, type WebSendTimes } from './sender.ts'

export const WWEBJS: KindModule = {
  ...LINKED_DEVICE,
  createDriver: (_connection, host) => createWebDriver(host),
  forget: async (_db, connectionId, { dataDir }) => removeFolder(dataDir, connectionId),
  isPairedHere: (connectionId, { dataDir }) => isPaired(getProfileFolder(dataDir, connectionId)),
  reread: rereadMessage,
  assumed: {
    code: 'assumption.browser',
    isReal: ({ whatsappWebUrl }) => whatsappWebUrl === null,
    seenBy: 'number',
  },
}

export interface WebTimes extends WebLinkTimes, WebSendTimes {
  /** How long a send in doubt waits for the page to be back and its chat to be read. */
  readonly traceMs: number
}

/** A driver for one connection. `times` are for tests that cannot wait a minute. */
export function createWebDriver(host: DriverHost, times: Partial<WebTimes> = {}): Driver {
  return new WebDriver(host, { ...LINK_TIMES, ...SEND_TIMES, traceMs: 300_000, ...times })
}

class WebDriver implements Driver {
  readonly kind = 'wwebjs'
  readonly capabilities = getCapabilities(this.kind)
  readonly traceMs: number
  private readonly link: WebLink
  private readonly sender: WebSender

  constructor(host: DriverHost, times: WebTimes) {
    this.traceMs = times.traceMs
    const folder = getProfileFolder(host.config.dataDir, host.connectionId)
    const teller = new EventPublisher(host)
    const journal = new WebJournal(folder)
    const current = () => this.link.current
    this.sender = new WebSender(host, teller, journal, current, times)
    const receiver = new WebReceiver(
      host,
      teller,
      journal,
      () => this.link.self,
      current,
      (message, ack) => this.sender.acked(message, ack),
    )
    this.link = new WebLink(host, teller, journal, folder, times, {
      event: event => receiver.take(event),
      opened: line => receiver.catchUp(line),
      lost: () => this.sender.lineLost(),
    })
  }

  start(): Promise<void> {
    return this.link.start()
  }

  stop(): Promise<void> {
    return this.link.stop()
  }

  logout(): Promise<void> {
    return this.link.logout()
  }

  async pair(by: { readonly qr: true } | { readonly phone: string }): Promise<{ readonly code?: string }> {
    if ('phone' in by) return { code: await this.link.pairByCode(by.phone.replace(/\D/g, '')) }
    await this.link.pairByQr()
    return {}
  }

  send(to: string, _id: string | null, message: Outgoing, trace?: string | null): Promise<SendResult> {
    return this.sender.send(to, message, trace ?? null)
  }

  /** The page decrypts it into a file, which is gone when it is read. */
  async download({ handle }: MediaHandle): Promise<ReadableStream<Uint8Array>> {
    const ref = toWebRefFromHandle(handle)
    if (!ref) throw new ChannelError('no_file', 'This message has no file')
    const { path, size, sha256 } = await this.askPage(line => line.ask({ c: 'download', ref }))
    return verifyFileStream(await gone(path), { size, sha256 })
  }

  async check(number: string): Promise<Peer | null> {
    for (const spelling of listPhoneVariants(number.replace(/\D/g, ''))) {
      const found = await this.askPage(line => line.ask({ c: 'check', number: spelling }))
      if (found) return toPeer(found.wid, { [found.wid]: { ...(found.lid && { lid: found.lid }) } })
    }
    return null
  }

  async group(jid: string): Promise<GroupFacts | null> {
    const group = await this.askPage(line => line.ask({ c: 'group', jid: toWid(jid) }))
    if (!group) return null
    const members = group.members.map(({ id, isAdmin }) => ({ ...toPeer(id, group.people), admin: isAdmin }))
    return { subject: group.subject, desc: group.description, members }
  }

  private async askPage<T>(ask: (line: ChildLine) => Promise<T>): Promise<T> {
    const line = this.link.current
    if (!line) throw new ChannelError('not_connected', 'The connection is not open')
    try {
      return await ask(line)
    } catch (error) {
      if (error instanceof LineLostError) throw new ChannelError('not_connected', error.message)
      throw error
    }
  }
}

/** A file that is read once. On a name that is gone its bytes last as long as somebody has it open. */
async function gone(path: string): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path)
  await rm(path, { force: true })
  const source = file.createReadStream()
  return toReadableStream(source, error => void source.destroy(error))
}

/** A stored handle is the id of its message. */
function toWebRefFromHandle(handle: unknown): WebRef | null {
  if (!isRecord(handle)) return null
  const remote = toText(handle.remote)
  const id = toText(handle.id)
  const participant = toText(handle.participant)
  if (!remote || !id) return null
  return { chat: toWid(toJid(remote)), id, fromMe: handle.fromMe === true, ...(participant && { participant }) }
}
