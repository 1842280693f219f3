/** Messages, chats and contacts, and the collections they are kept in. */
import type { PageGroup, PageMessage, PagePerson } from '../frames'
import { Emitter } from './emitter'
import { createWid, MsgKey, type Wid } from './wid'

export type ModelFields = Record<string, unknown>

export class Msg extends Emitter {
  readonly id: MsgKey
  type: string
  ack: number
  readonly mediaData: { mediaStage: string } | undefined

  constructor(readonly fields: ModelFields & { id: MsgKey; type: string }) {
    super()
    this.id = fields.id
    this.type = fields.type
    this.ack = Number(fields.ack ?? 0)
    this.mediaData = fields.directPath ? { mediaStage: 'RESOLVED' } : undefined
    // The library reads what it needs from the message itself.
    for (const name of ['body', 'caption', 'directPath', 'mimetype', 'filename', 'size', 't', 'isNewMsg'])
      Object.defineProperty(this, name, { get: () => this.fields[name], configurable: true })
  }

  serialize(): ModelFields {
    const { fromMe, remote, id, participant, _serialized } = this.id
    const key = {
      fromMe,
      remote: remote._serialized,
      id,
      _serialized,
      ...(participant && { participant: toPlainWid(participant) }),
    }
    return {
      ...this.fields,
      type: this.type,
      ack: this.ack,
      id: key,
      from: toPlainWid(this.fields.from),
      to: toPlainWid(this.fields.to),
      author: toPlainWid(this.fields.author),
    }
  }

  unsafe(): this {
    return this
  }

  async downloadMedia(): Promise<void> {}

  msgContextInfo(): ModelFields {
    const by = this.fields.author ?? this.fields.from
    return { quotedMsg: { type: this.type, body: this.fields.body }, quotedStanzaID: this.id.id, quotedParticipant: by }
  }
}

function toPlainWid(wid: unknown): unknown {
  return typeof wid === 'object' && wid !== null && '_serialized' in wid ? { ...wid } : wid
}

class Collection<T extends { readonly id: { readonly _serialized: string } }> extends Emitter {
  protected readonly models = new Map<string, T>()

  get(id: string | { readonly _serialized: string }): T | undefined {
    return this.models.get(typeof id === 'string' ? id : id._serialized)
  }

  getModelsArray(): T[] {
    return [...this.models.values()]
  }

  put(model: T): T {
    this.models.set(model.id._serialized, model)
    return model
  }

  async find(id: string | { readonly _serialized: string }): Promise<T | undefined> {
    return this.get(id)
  }
}

/** Messages that are loaded; those of a chat that are not come by `getMessagesById` and `loadEarlierMsgs`. */
export class Messages extends Collection<Msg> {
  async getMessagesById(ids: readonly string[]): Promise<{ messages: Msg[] }> {
    return { messages: ids.flatMap(id => this.get(id) ?? []) }
  }

  /** A message is there: as news, or as what the phone had already. */
  take(message: Msg): Msg {
    const known = this.get(message.id)
    if (known) return known
    this.put(message)
    if (message.fields.isNewMsg) this.trigger('add', message)
    return message
  }

  acked(message: Msg, ack: number): void {
    message.ack = ack
    this.trigger('change:ack', message, ack)
    this.trigger('change', message)
  }

  edited(message: Msg, text: string): void {
    const name = message.mediaData ? 'caption' : 'body'
    const before = message.fields[name]
    message.fields[name] = text
    message.fields.latestEditSenderTimestampMs = Date.now()
    this.trigger('change', message)
    this.trigger(`change:${name}`, message, text, before)
  }

  revoked(message: Msg): void {
    message.type = 'revoked'
    message.fields.body = undefined
    this.trigger('change', message)
    this.trigger('change:type', message)
  }
}

export class ChatModel extends Emitter {
  readonly id: Wid
  readonly msgs: { getModelsArray(): Msg[] }
  readonly groupMetadata: GroupMetadata | undefined
  formattedTitle: string
  loaded: Msg[] = []
  earlier: Msg[] = []
  unreadCount = 0

  constructor(id: Wid, title: string, group?: PageGroup) {
    super()
    this.id = id
    this.formattedTitle = title
    this.msgs = { getModelsArray: () => this.loaded }
    this.groupMetadata = group && new GroupMetadata(group)
  }

  get t(): number {
    return Math.max(0, ...[...this.earlier, ...this.loaded].map(message => Number(message.fields.t ?? 0)))
  }

  serialize(): ModelFields {
    return { id: { ...this.id }, t: this.t, unreadCount: this.unreadCount, formattedTitle: this.formattedTitle }
  }
}

export class GroupMetadata {
  readonly isLidAddressingMode: boolean

  constructor(public group: PageGroup) {
    this.isLidAddressingMode = group.members.some(({ id }) => id.endsWith('@lid'))
  }

  serialize(): ModelFields {
    const { jid, subject, description, members } = this.group
    const participants = members.map(({ id, isAdmin }) => ({
      id: { ...createWid(id) },
      isAdmin,
      isSuperAdmin: isAdmin,
    }))
    return { id: { ...createWid(jid) }, subject, desc: description, participants }
  }
}

export class Chats extends Collection<ChatModel> {}

export class ContactModel {
  readonly id: Wid
  readonly phoneNumber: Wid
  readonly isBusiness = false
  readonly isContactBlocked = false

  constructor(readonly person: PagePerson) {
    this.id = createWid(person.address)
    this.phoneNumber = createWid(person.pn)
  }

  serialize(): ModelFields {
    return { id: { ...this.id }, pushname: this.person.name }
  }
}

export class ContactCollection extends Collection<ContactModel> {}

/** A message of the world as one of the page. */
export function toMsg(message: PageMessage, me: Wid, isNewMsg: boolean): Msg {
  const { id, chat, fromMe, author, t, ack, type, notifyName, quote, fields } = message
  const remote = createWid(chat)
  const participant = author ? createWid(author) : undefined
  const key = new MsgKey({ to: remote, id, participant, selfDir: fromMe ? 'out' : 'in' })
  return new Msg({
    ...fields,
    id: key,
    type,
    t,
    ack: ack ?? 1,
    from: fromMe ? me : remote,
    to: fromMe ? remote : me,
    isNewMsg,
    ...(participant && !fromMe && { author: participant }),
    ...(notifyName && { notifyName }),
    ...(quote && {
      quotedMsg: { type: 'chat', body: quote.body },
      quotedStanzaID: quote.id,
      quotedParticipant: createWid(quote.by),
    }),
  })
}
