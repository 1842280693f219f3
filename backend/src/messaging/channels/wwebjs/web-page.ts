// The library's client as the desk's commands and events: what it says is cut down and told in order, what is asked of it is done.
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type wweb from 'whatsapp-web.js'
import { isRecord } from '../shared/json.ts'
import { fileFacts, listAddresses, parseMessage, parseWid } from './parse-message.ts'
import type {
  AddressBook,
  ChildCommand,
  CommandResults,
  SendCommand,
  WebEvent,
  WebMessage,
  WebRef,
  WidText,
} from './protocol.ts'
import { toSendable } from './sendable.ts'

type PageCommand = Exclude<ChildCommand, { c: 'start' | 'stop' }>
type PersonAddresses = { pn?: WidText; lid?: WidText; name?: string }

/** Of one chat, when what came meanwhile is looked for: first so many, then more, up to what a page bears. */
const FIRST_OF_A_CHAT = 25
const MOST_OF_A_CHAT = 6400

export class WebPage {
  state = 'OPENING'
  private readonly people = new Map<WidText, PersonAddresses>()
  private readonly calls = new Map<string, wweb.Call>()
  private readonly sending = new Set<number>()
  private sends = 0
  /** Own messages that show while some of ours are on their way: which of them is ours is known when those are sent. */
  private waiting: { message: WebMessage; until: Set<number> }[] = []
  private readonly sent = new Set<string>()
  private inOrder: Promise<void> = Promise.resolve()

  constructor(
    private readonly client: wweb.Client,
    private readonly folder: string,
    private readonly say: (event: WebEvent) => void,
  ) {
    this.listen()
  }

  /** Resolves with the browser's process id; rejects when it does not open. */
  async launched(opening: Promise<void>): Promise<number> {
    let failed: unknown
    opening.catch(error => {
      failed = error
    })
    for (;;) {
      const browser = this.client.pupBrowser
      if (browser) {
        browser.on('disconnected', () => this.gone(4))
        return browser.process()?.pid ?? 0
      }
      if (failed) throw failed
      await Bun.sleep(20)
    }
  }

  /** Whether the page still does anything. */
  async answers(): Promise<boolean> {
    const { pupPage } = this.client
    if (!pupPage) return true
    return this.client.getState().then(
      state => {
        this.state = state ?? this.state
        return true
      },
      // A page that is on its way to another address has no context for a moment.
      () => !pupPage.isClosed(),
    )
  }

  async close(): Promise<void> {
    this.closing = true
    await this.client.destroy().catch(() => {})
  }

  private closing = false

  private gone(code: number): void {
    if (!this.closing) process.exit(code)
  }

  obey(command: PageCommand, handed: () => void): Promise<unknown> {
    switch (command.c) {
      case 'send':
        return this.send(command, handed)
      case 'edit':
        return this.withMessage(command.ref, message => message.edit(command.text, { linkPreview: false }))
      case 'revoke':
        return this.withMessage(command.ref, message => message.delete(true))
      case 'react':
        return this.withMessage(command.ref, message => message.react(command.emoji))
      case 'read':
        return this.client.sendSeen(command.chat)
      case 'download':
        return this.download(command.ref)
      case 'check':
        return this.check(command.number)
      case 'group':
        return this.group(command.jid)
      case 'since':
        return this.since(command.t)
      case 'reject':
        return this.calls.get(command.call)?.reject() ?? Promise.resolve()
      case 'logout':
        return this.client.logout()
    }
  }

  private listen(): void {
    const { client, say } = this
    client.on('qr', qr => say({ type: 'qr', qr }))
    client.on('code', code => say({ type: 'code', code }))
    client.on('authenticated', () => say({ type: 'authenticated' }))
    client.on('ready', () => {
      const me = parseWid(client.info.wid)
      this.client.pupPage?.on('error', () => this.gone(5))
      this.queue(async () => {
        const both = me ? await this.known(me) : {}
        this.state = 'CONNECTED'
        say({ type: 'ready', me: { ...(both.pn && { pn: both.pn }), ...(both.lid && { lid: both.lid }) } })
      })
    })
    client.on('change_state', state => {
      this.state = state
      say({ type: 'state', state })
    })
    client.on('disconnected', reason => {
      this.state = 'CLOSED'
      say({ type: 'disconnected', reason: String(reason) })
    })
    client.on('change_battery', ({ battery }) => say({ type: 'battery', percent: battery }))
    client.on('message_create', message => this.created(message))
    client.on('message_ciphertext_failed', message => this.report('unreadable', message))
    client.on('message_ack', (message, ack) => {
      const cut = parseMessage(getRawMessage(message))
      if (cut?.id.fromMe) this.queue(async () => say({ type: 'ack', message: cut, ack }))
    })
    client.on('message_edit', (message, body) => {
      const cut = parseMessage(getRawMessage(message))
      if (cut)
        this.queue(async () => say({ type: 'edit', message: cut, body: String(body), people: await this.behind(cut) }))
    })
    client.on('message_revoke_everyone', message => this.report('revoke', message))
    client.on('message_reaction', reaction => this.reacted(reaction))
    client.on('call', call => this.rang(call))
    for (const name of ['group_join', 'group_leave', 'group_update', 'group_admin_changed'] as const)
      client.on(name, notice => this.grouped(notice.chatId))
    client.on('group_join', notice => this.joinedOrLeft(notice, 'join'))
    client.on('group_leave', notice => this.joinedOrLeft(notice, 'leave'))
    client.on('contact_changed', (message, oldId, newId) =>
      say({ type: 'moved', id: message.id.id, from: `${oldId}`, to: `${newId}` }),
    )
  }

  /** One event after the other, however long it takes to learn who is behind it. */
  private queue(work: () => Promise<void>): void {
    this.inOrder = this.inOrder.then(work).catch(error => console.error(error))
  }

  private created(message: wweb.Message): void {
    const cut = parseMessage(getRawMessage(message))
    if (!cut) return
    if (cut.id.fromMe && (this.sending.size > 0 || this.sent.has(cut.id.id))) {
      if (!this.sent.has(cut.id.id)) this.waiting.push({ message: cut, until: new Set(this.sending) })
      return
    }
    this.tellMessage(cut)
  }

  private tellMessage(message: WebMessage): void {
    this.queue(async () => this.say({ type: 'message', message, people: await this.behind(message) }))
  }

  private report(type: 'unreadable' | 'revoke', message: wweb.Message): void {
    const cut = parseMessage(getRawMessage(message))
    if (cut) this.queue(async () => this.say({ type, message: cut, people: await this.behind(cut) }))
  }

  private reacted(reaction: wweb.Reaction): void {
    const { msgId, reaction: emoji, senderId, timestamp, id } = reaction
    const of = parseMessage({ id: msgId, type: 'reaction' })?.id
    const by = parseWid(senderId)
    if (!of || !by) return
    this.queue(async () => {
      const people = await this.peopleOf([of.remote, by])
      this.say({ type: 'reaction', id: id.id, of, by, fromMe: id.fromMe, emoji: emoji ?? '', t: timestamp, people })
    })
  }

  private rang(call: wweb.Call): void {
    const from = parseWid(call.from)
    if (!from || call.fromMe || call.isGroup) return
    this.calls.set(call.id, call)
    if (this.calls.size > 50) for (const oldest of [...this.calls.keys()].slice(0, 1)) this.calls.delete(oldest)
    this.queue(async () =>
      this.say({ type: 'call', id: call.id, from, video: call.isVideo, people: await this.peopleOf([from]) }),
    )
  }

  private grouped(jid: unknown): void {
    const address = parseWid(jid)
    if (!address?.endsWith('@g.us')) return
    this.people.delete(address)
    this.queue(async () => {
      const { name } = await this.known(address)
      if (name) this.say({ type: 'group', jid: address, subject: name })
    })
  }

  private joinedOrLeft(notice: wweb.GroupNotification, change: 'join' | 'leave'): void {
    const jid = parseWid(notice.chatId)
    if (!jid) return
    const id = isRecord(notice.id) && typeof notice.id.id === 'string' ? notice.id.id : ''
    this.queue(async () => {
      const people = await this.peopleOf(notice.recipientIds.flatMap(one => parseWid(one) ?? []))
      this.say({ type: 'members', id, jid, change, people, t: notice.timestamp })
    })
  }

  private behind(message: WebMessage): Promise<AddressBook> {
    return this.peopleOf(listAddresses(message))
  }

  private async peopleOf(addresses: readonly WidText[]): Promise<AddressBook> {
    const found = await Promise.all(addresses.map(async address => [address, await this.known(address)] as const))
    return Object.fromEntries(found)
  }

  /** Both addresses of somebody, or the name of a group; asked for once. */
  private async known(address: WidText): Promise<PersonAddresses> {
    const before = this.people.get(address)
    if (before) return before
    const found = await this.ask(address).catch((): PersonAddresses => ({}))
    if (found.pn || found.lid || found.name) this.people.set(address, found)
    return found
  }

  private async ask(address: WidText): Promise<PersonAddresses> {
    if (address.endsWith('@g.us')) return { name: (await this.client.getChatById(address)).name }
    if (!/@(c\.us|lid)$/.test(address)) return {}
    const [both] = await this.client.getContactLidAndPhone([address])
    const pn = parseWid(both?.pn)
    const lid = parseWid(both?.lid)
    return { ...(pn && { pn }), ...(lid && { lid }) }
  }

  private async send(command: SendCommand, handed: () => void): Promise<WebMessage> {
    const { to, quote, forward } = command
    const { content, options } = await toSendable(command)
    const quoted = quote ? await this.find(quote) : null
    const send = ++this.sends
    this.sending.add(send)
    let id: string | undefined
    try {
      handed()
      const message = await this.client.sendMessage(to, content, {
        sendSeen: false,
        linkPreview: false,
        ...options,
        ...(quoted && { quotedMessageId: quoted.id._serialized }),
        extra: {
          ...(options.extra ?? {}),
          ...(forward && { isForwarded: true, forwardingScore: forward === 'frequently' ? 5 : 1 }),
        },
      })
      // The page knows nobody of this address: it made no message.
      if (!message) throw Object.assign(new Error('Nobody has this address'), { code: 'ERR_WAPP_INVALID_CONTACT' })
      const cut = parseMessage(getRawMessage(message))
      if (!cut) throw new Error('The message has no id')
      id = cut.id.id
      return cut
    } finally {
      this.settled(send, id)
    }
  }

  private settled(send: number, id: string | undefined): void {
    if (id) this.sent.add(id)
    if (this.sent.size > 2000) for (const oldest of [...this.sent].slice(0, 500)) this.sent.delete(oldest)
    this.sending.delete(send)
    for (const { message, until } of this.waiting) {
      until.delete(send)
      if (until.size === 0 && !this.sent.has(message.id.id)) this.tellMessage(message)
    }
    this.waiting = this.waiting.filter(({ until }) => until.size > 0)
  }

  private async withMessage(ref: WebRef, work: (message: wweb.Message) => Promise<unknown>): Promise<null> {
    const message = await this.find(ref)
    if (!message) throw Object.assign(new Error('The message is not on this device'), { code: 'not_there' })
    await work(message)
    return null
  }

  /** A message by its reference: which of the addresses the page knows its chat and author by, nobody else can say. */
  private async find({ chat, id, fromMe, participant }: WebRef): Promise<wweb.Message | null> {
    const chats = await this.addresses(chat)
    const authors = chat.endsWith('@g.us')
      ? await this.addresses(participant ?? parseWid(this.client.info.wid) ?? '')
      : ['']
    for (const remote of chats)
      for (const author of [...authors, ...(authors[0] === '' ? [] : [''])]) {
        const serialized = [fromMe, remote, id, ...(author ? [author] : [])].join('_')
        const found = await this.client.getMessageById(serialized).catch(() => null)
        if (found) return found
      }
    return null
  }

  private async addresses(address: WidText): Promise<WidText[]> {
    const { pn, lid } = await this.known(address)
    return [...new Set([address, pn, lid].flatMap(one => one || []))]
  }

  private async download(ref: WebRef): Promise<CommandResults['download']> {
    const message = await this.find(ref)
    const media = message ? await message.downloadMedia() : null
    if (!media) throw Object.assign(new Error('The phone does not have this file any more'), { code: 'no_file' })
    const folder = join(this.folder, 'files')
    await mkdir(folder, { recursive: true })
    const path = join(folder, randomUUID())
    await writeFile(path, Buffer.from(media.data, 'base64'))
    return { path, ...fileFacts(message?.rawData) }
  }

  private async check(number: string): Promise<CommandResults['check']> {
    const found = parseWid(await this.client.getNumberId(number))
    if (!found) return null
    const { lid } = await this.known(found)
    return { wid: found, ...(lid && { lid }) }
  }

  private async group(jid: WidText): Promise<CommandResults['group']> {
    const chat: unknown = await this.client.getChatById(jid).catch(() => null)
    if (!isRecord(chat) || !isRecord(chat.groupMetadata)) return null
    const { subject, desc, participants } = chat.groupMetadata
    const members = (Array.isArray(participants) ? participants : []).filter(isRecord).flatMap(member => {
      const id = parseWid(member.id)
      return id ? [{ id, isAdmin: member.isAdmin === true || member.isSuperAdmin === true }] : []
    })
    return {
      subject: typeof subject === 'string' ? subject : String(chat.name ?? ''),
      description: typeof desc === 'string' ? desc : '',
      members,
      people: await this.peopleOf(members.map(({ id }) => id)),
    }
  }

  /** The library would give every chat there ever was, and ask the server about each group. */
  private async chatsSince(t: number): Promise<WidText[]> {
    const found: unknown = await this.client.pupPage?.evaluate(
      `window.require('WAWebCollections').Chat.getModelsArray().filter(one => one.t >= ${Number(t)}).map(one => one.id._serialized)`,
    )
    return Array.isArray(found) ? found.flatMap(id => parseWid(id) ?? []) : []
  }

  /** As far back as it takes: the page gives so many of the newest. */
  private async messagesSince(id: WidText, t: number): Promise<WebMessage[]> {
    const chat = await this.client.getChatById(id)
    for (let limit = FIRST_OF_A_CHAT; ; limit *= 4) {
      const found = (await chat.fetchMessages({ limit })).flatMap(message => parseMessage(getRawMessage(message)) ?? [])
      const isAll = found.length < limit || found.some(message => message.t < t) || limit >= MOST_OF_A_CHAT
      if (isAll) return found.filter(message => message.t >= t)
    }
  }

  private unread(error: unknown): WebMessage[] {
    console.error(error)
    return []
  }

  /** What the chats hold since this second: what came while no page was open is told by nothing else. */
  private async since(t: number): Promise<CommandResults['since']> {
    const messages: WebMessage[] = []
    for (const id of await this.chatsSince(t)) {
      // One chat that cannot be read keeps nobody else's messages back.
      messages.push(...(await this.messagesSince(id, t).catch(error => this.unread(error))))
    }
    messages.sort((one, other) => one.t - other.t)
    const addresses = new Set(messages.flatMap(listAddresses))
    return { messages, people: await this.peopleOf([...addresses]) }
  }
}

function getRawMessage(message: wweb.Message): unknown {
  return message.rawData
}
