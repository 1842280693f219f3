/** WhatsApp Web as the library sees it: `window.require` gives modules under WhatsApp's names, which read and change what the world tells. */
import type { PageFrame, PageGroup, PageMessage, PagePerson } from '../frames'
import { Calls, Conn } from './account'
import { Emitter } from './emitter'
import { forgetKey, keepKey, readKey } from './kept'
import { PageLine } from './line'
import { decodeBase64, readBase64 } from './media'
import { ChatModel, Chats, ContactCollection, ContactModel, Messages, type ModelFields, Msg, toMsg } from './models'
import { doNothing, STILL_MODULES } from './still-modules'
import { createWid, MsgKey, type Wid } from './wid'

class Socket extends Emitter {
  state = 'OPENING'
  hasSynced = false

  set(state: string): void {
    this.state = state
    this.trigger('change:state', this, state)
  }

  logout(): void {
    line.say({ t: 'logout' })
    setTimeout(() => void leave(), 20)
  }

  takeover(): void {
    this.set('CONNECTED')
  }
}

class Cmd extends Emitter {
  refreshQR(): void {}

  sendRevokeMsgs(chat: ChatModel, { list }: { list: readonly Msg[] }): void {
    for (const message of list) {
      line.say({ t: 'revoke', chat: chat.id._serialized, id: message.id.id })
      messages.revoked(message)
    }
  }

  sendDeleteMsgs(): void {}
}

const socket = new Socket()
const conn = new Conn()
const cmd = new Cmd()
const calls = new Calls()
const messages = new Messages()
const chats = new Chats()
const contacts = new ContactCollection()
const people = new Map<string, PagePerson>()
let me: { pn: Wid; lid: Wid } | undefined
let line: PageLine

function getOwnWid(kind: 'pn' | 'lid'): Wid | undefined {
  return me?.[kind]
}

function findOrCreateChat(wid: Wid): ChatModel {
  const known = chats.get(wid)
  if (known) return known
  return chats.put(new ChatModel(wid, people.get(wid._serialized)?.name ?? wid.user))
}

function rememberPerson(person: PagePerson): void {
  for (const name of [person.pn, person.lid]) people.set(name, person)
  contacts.put(new ContactModel(person))
}

function rememberGroup(group: PageGroup): void {
  const known = chats.get(group.jid)
  if (!known?.groupMetadata) return void chats.put(new ChatModel(createWid(group.jid), group.subject, group))
  known.formattedTitle = group.subject
  known.groupMetadata.group = group
}

function take(incoming: PageMessage, isNew: boolean): Msg {
  const self = getOwnWid('pn') ?? createWid('')
  const message = toMsg(incoming, self, isNew)
  const before = messages.get(message.id)
  if (before) return before
  const chat = findOrCreateChat(message.id.remote)
  chat.loaded.push(message)
  return messages.take(message)
}

/** Shows a link: chats as the phone has them, of each the newest message loaded. */
async function showLink(frame: Extract<PageFrame, { t: 'linked' }>): Promise<void> {
  await keepKey(frame.key)
  me = { pn: createWid(frame.me.pn), lid: createWid(frame.me.lid) }
  conn.pushname = frame.me.name
  for (const person of [frame.me, ...frame.people]) rememberPerson(person)
  for (const group of frame.groups) rememberGroup(group)
  for (const message of frame.messages) take(message, false)
  for (const chat of chats.getModelsArray()) {
    chat.earlier = chat.loaded.slice(0, -1)
    chat.loaded = chat.loaded.slice(-1)
  }
  socket.set('CONNECTED')
  // The library listens for it only after it has seen the state: too early is never.
  const tell = () => {
    socket.hasSynced = true
    socket.trigger('change:hasSynced', socket, true)
  }
  const listening = setInterval(() => {
    if (!('onAppStateHasSyncedEvent' in window) || !('onLogoutEvent' in window)) return
    clearInterval(listening)
    setTimeout(tell, 100)
  }, 20)
}

function handleFrame(frame: PageFrame): unknown {
  const find = (chat: string, id: string) =>
    messages.getModelsArray().find(one => one.id.id === id && one.id.remote._serialized === chat)
  switch (frame.t) {
    case 'ref':
      conn.ref = frame.ref
      if (socket.state === 'OPENING') socket.set('UNPAIRED')
      return conn.trigger('change:ref', conn, frame.ref)
    case 'linked':
      return showLink(frame)
    case 'person':
      return rememberPerson(frame.person)
    case 'group': {
      rememberGroup(frame.group)
      const notice = { id: crypto.randomUUID(), chat: frame.group.jid, fromMe: false, t: Math.floor(Date.now() / 1000) }
      return take({ ...notice, type: 'gp2', fields: { subtype: frame.subtype, recipients: frame.recipients } }, true)
    }
    case 'message':
      return take(frame.message, true)
    case 'edited': {
      const message = find(frame.chat, frame.id)
      if (message && message.fields[message.mediaData ? 'caption' : 'body'] !== frame.text)
        messages.edited(message, frame.text)
      return
    }
    case 'revoked': {
      const message = find(frame.chat, frame.id)
      if (message && message.type !== 'revoked') messages.revoked(message)
      return
    }
    case 'ack': {
      const message = find(frame.chat, frame.id)
      if (message) messages.acked(message, frame.ack)
      return
    }
    case 'reaction':
      return applyReaction(find(frame.chat, frame.id), frame)
    case 'call':
      return calls.calls.set(frame.id, {
        id: frame.id,
        peerJid: createWid(frame.from),
        isVideo: frame.video,
        isGroup: false,
        outgoing: false,
      })
    case 'state':
      return socket.set(frame.state)
    case 'logout':
      return leave()
    default:
  }
}

function applyReaction(message: Msg | undefined, { by, emoji }: Extract<PageFrame, { t: 'reaction' }>): void {
  if (!message) return
  const sender = createWid(by)
  const isMine = sender._serialized === me?.pn._serialized || sender._serialized === me?.lid._serialized
  const key = new MsgKey({
    to: message.id.remote,
    id: crypto.randomUUID(),
    selfDir: isMine ? 'out' : 'in',
    participant: undefined,
  })
  const { fromMe, remote, id, _serialized } = message.id
  reactionTableMode.bulkUpsert([
    {
      id: { fromMe: key.fromMe, remote: key.remote._serialized, id: key.id, _serialized: key._serialized },
      reactionParentKey: { fromMe, remote: remote._serialized, id, _serialized },
      reactionText: emoji,
      reactionTimestamp: Date.now(),
      author: sender,
      from: sender,
    },
  ])
}

/** What the library puts its own function in the place of, to hear of reactions. */
const reactionTableMode = { bulkUpsert(_given: readonly ModelFields[]): void {} }

/** Unlinked: the page forgets its keys and comes back as one that shows a code. */
async function leave(): Promise<void> {
  await forgetKey()
  cmd.trigger('logout')
  setTimeout(() => location.assign('/?post_logout=1'), 50)
}

async function send(chat: ChatModel, fields: ModelFields & { id: MsgKey; type: string }): Promise<void> {
  const message = new Msg({ ...fields, from: getOwnWid('pn'), to: chat.id })
  chat.loaded.push(message)
  messages.put(message)
  messages.trigger('add', message)
  const data = fields.directPath ? await readBase64(fields.directPath) : undefined
  const plain = JSON.parse(JSON.stringify({ ...fields, id: undefined, mediaBlob: undefined }))
  const quoted = typeof fields.quotedStanzaID === 'string' ? fields.quotedStanzaID : undefined
  line.say({
    t: 'send',
    message: {
      id: message.id.id,
      chat: chat.id._serialized,
      fromMe: true,
      t: Number(fields.t),
      type: message.type,
      fields: plain,
      ...(quoted && { quote: { id: quoted, by: '', body: '' } }),
    },
    ...(data !== undefined && { data }),
  })
}

async function queryExists(wid: Wid): Promise<{ pn: string; lid: string } | null> {
  const found = await line.ask({ t: 'exists', wid: wid._serialized })
  const isFound = typeof found === 'object' && found !== null && 'pn' in found && 'lid' in found
  return isFound ? { pn: String(found.pn), lid: String(found.lid) } : null
}

const createGetter = (name: string, read: (contact: ContactModel) => unknown) => [name, read] as const

const MODULES: Record<string, unknown> = {
  ...STILL_MODULES,
  WADeprecatedSendIq: {
    async deprecatedCastStanza(stanza: { attrs: ModelFields; content: readonly { attrs: ModelFields }[] }) {
      line.say({ t: 'reject', to: String(stanza.attrs.to), id: String(stanza.content[0]?.attrs['call-id']) })
    },
  },
  WAWebAddonReactionTableMode: { reactionTableMode },
  WAWebAltDeviceLinkingApi: {
    setPairingType: doNothing,
    initializeAltDeviceLinking: async () => {},
    startAltLinkingFlow: (phone: string) => line.ask({ t: 'alt', phone }),
  },
  WAWebApiContact: {
    getCurrentLid: (wid: Wid) =>
      people.has(wid._serialized) ? createWid(people.get(wid._serialized)?.lid ?? '') : undefined,
    getPhoneNumber: (wid: Wid) =>
      people.has(wid._serialized) ? createWid(people.get(wid._serialized)?.pn ?? '') : undefined,
    getAlternateUserWid: doNothing,
  },
  WAWebCallCollection: calls,
  WAWebCmd: { Cmd: cmd },
  WAWebCollections: {
    Msg: messages,
    Chat: chats,
    Contact: contacts,
    Blocklist: { get: doNothing },
    BusinessProfile: { find: async () => ({}) },
    GroupMetadata: { update: async () => {} },
  },
  WAWebConnModel: { Conn: conn },
  WAWebContactGetters: Object.fromEntries([
    ...['getIsGroup', 'getStatusMute', 'getIsEnterprise', 'getVerifiedName', 'getVerifiedLevel'].map(
      name => [name, doNothing] as const,
    ),
    createGetter('getIsMe', contact => contact.person.pn === me?.pn._serialized),
    createGetter('getIsUser', () => true),
    createGetter('getIsWAContact', () => true),
    createGetter('getUserid', contact => contact.phoneNumber.user),
    createGetter('getName', doNothing),
    createGetter('getShortName', doNothing),
    createGetter('getPushname', contact => contact.person.name),
  ]),
  WAWebDownloadManager: {
    downloadManager: {
      async downloadAndMaybeDecrypt({ directPath }: { directPath: string }) {
        const bytes = await line.ask({ t: 'file', path: directPath })
        if (typeof bytes !== 'string') throw Object.assign(new Error('Gone'), { status: 404 })
        return decodeBase64(bytes)
      },
    },
  },
  WAWebFindChatAction: {
    findOrCreateLatestChat: async (wid: Wid) =>
      (await queryExists(wid)) ? { chat: findOrCreateChat(wid) } : undefined,
  },
  WAWebLidMigrationUtils: {
    toPn: (id: { _serialized: string }) =>
      people.has(id._serialized) ? { ...createWid(people.get(id._serialized)?.pn ?? '') } : null,
  },
  WAWebQueryExistsJob: {
    async queryWidExists(wid: Wid) {
      const found = await queryExists(wid)
      return found ? { wid: { ...createWid(found.pn) } } : null
    },
  },
  WAWebSendMessageEditAction: {
    async sendMessageEdit(message: Msg, text: string) {
      line.say({ t: 'edit', chat: message.id.remote._serialized, id: message.id.id, text })
      messages.edited(message, text)
    },
  },
  WAWebSendMsgChatAction: {
    addAndSendMsgToChat: (chat: ChatModel, fields: ModelFields & { id: MsgKey; type: string }) => [
      Promise.resolve(send(chat, fields)),
      Promise.resolve('OK'),
    ],
  },
  WAWebSendReactionMsgAction: {
    async sendReactionToMsg(message: Msg, emoji: string) {
      line.say({ t: 'react', chat: message.id.remote._serialized, id: message.id.id, emoji })
    },
  },
  WAWebSocketModel: { Socket: socket },
  WAWebUpdateUnreadChatAction: {
    sendSeen: async ({ chat }: { chat: ChatModel }) => line.say({ t: 'seen', chat: chat.id._serialized }),
  },
  WAWebUserPrefsMeUser: { getMaybeMePnUser: () => getOwnWid('pn'), getMaybeMeLidUser: () => getOwnWid('lid') },
}

/** Somebody asked for what is not here: it does nothing, and the world hears of it, so that a new version of the library is noticed. */
function createUnknownModule(name: string): unknown {
  line.say({ t: 'unknown', name })
  const deep: object = new Proxy(() => {}, { get: (_, key) => (key === 'then' ? undefined : deep), apply: () => deep })
  return deep
}

declare global {
  interface Window {
    LINE: string
  }
}

const held = window.LINE
Object.assign(window, {
  Debug: { VERSION: '2.3000.1' },
  require: (name: string) => MODULES[name] ?? createUnknownModule(name),
})
line = new PageLine(
  held,
  handleFrame,
  () => void readKey().then(key => line.say({ t: 'hello', key })),
  () => socket.set('TIMEOUT'),
)
