// Each store of the client on a small server: what a person does with it, what it shows, and what a fresh fetch shows.
import { ApiError, type Live } from '@balcao/client'
import type {
  Chat,
  ChatMessage,
  Connection,
  MassSend,
  Message,
  Question,
  QuickAnswer,
  Schedule,
  Ticket,
} from '@balcao/contract'
import { compareConnections, toRowChange, withAddress } from '../../mfe-admin/src/connections/list.ts'
import { makeConnection } from '../../mfe-admin/test/connection.ts'
import {
  type BotQuery,
  toBotRowChange as botChangeOf,
  compareLatestFirst,
  isBotTicketMatch as isBotTicketFound,
} from '../../mfe-automation/src/bot-tickets/list.ts'
import {
  compareQuestions as inBotOrder,
  isQuestionMatch as isQuestionFound,
} from '../../mfe-automation/src/questions/list.ts'
import { compareByShortcut } from '../../mfe-automation/src/quick-answers/list.ts'
import {
  isScheduleMatch as isScheduleFound,
  compareNewestSchedules as newestScheduleFirst,
  type ScheduleQuery,
} from '../../mfe-automation/src/schedules/list.ts'
import {
  isSendShown,
  compareNewestFirst as newestSendFirst,
  type SendQuery,
} from '../../mfe-automation/src/sends/list.ts'
import { makeSchedule } from '../../mfe-automation/test/schedule.ts'
import { makeMassSend } from '../../mfe-automation/test/send.ts'
import { ChatConversation } from '../../mfe-tickets/src/chats/chat-conversation.ts'
import { ChatStore } from '../../mfe-tickets/src/chats/chat-store.ts'
import { createUnreadFeed, sumUnread, toUnreadCounts } from '../../mfe-tickets/src/chats/unread-store.ts'
import { ConversationHistory } from '../../mfe-tickets/src/conversation/conversation-store.ts'
import { TicketStore } from '../../mfe-tickets/src/tickets/ticket-store.ts'
import { makeMessage, makeTicket, toMinute, VIEWER } from '../../mfe-tickets/test/make.ts'
import { ME, makeChat, makeChatMessage } from '../../mfe-tickets/test/make-chats.ts'
import { createSettingsFeed, toSettings } from '../../shell/src/session/settings-store.ts'
import { RowStore, subscribeToFetchedRows } from '../../ui/src/rows/index.ts'
import { type Row, SmallRows, type SmallServer, takeHistoryPage, takePage } from './small-server.ts'

const WHOLE = { onlyThisTicket: false }

/** A store on a server: what a person does with it, what it shows, and what a fresh fetch of as much shows. */
export interface StoreScreen {
  /** Something on the server becomes another, and is told. */
  readonly happen: () => void
  readonly act: () => unknown
  /** All that is shown is fetched again. */
  readonly reset: () => unknown
  /** Goes on to the ends of what is shown; true when it is there. */
  readonly toTheEnds: () => boolean
  readonly shown: () => unknown
  readonly fresh: () => unknown
}

export const SCREENS: Record<string, (server: SmallServer, live: Live) => StoreScreen> = {
  'lists and counts of tickets': ticketLists,
  'a conversation': conversation,
  'an internal chat': internalChat,
  'the internal chats': internalChats,
  'what is unread in internal chats': unreadInChats,
  'a list of rows, as the quick answers are': quickAnswers,
  'the questions of the bot': questions,
  'the tickets the bot has': botTickets,
  'the mass sends, by how they stand': massSends,
  'the scheduled sends': schedules,
  'the connections': connections,
  'the settings': settings,
}

function ticketLists(server: SmallServer, live: Live): StoreScreen {
  const { chance, pick, upTo } = server.random
  const lists = {
    assigned: 'open',
    groups: 'group',
    pending: 'pending',
    paused: 'paused',
    followed: 'followed',
  } as const
  const names = ['assigned', 'groups', 'pending', 'paused', 'followed'] as const
  const follower = { id: VIEWER.id, name: 'Marina', profilePicUrl: null }
  const rows = new SmallRows<Ticket>(
    server,
    compareByLatest,
    row => {
      const status = pick(['open', 'open', 'pending', 'pending', 'paused', 'closed'] as const)
      return makeTicket({
        ...row,
        status,
        isGroup: chance(0.2),
        lastMessageAt: toMinute(upTo(600)),
        unreadMessages: upTo(3),
        ...(status !== 'closed' && chance(0.3) && { followers: [follower] }),
      })
    },
    (ticket, action) =>
      action === 'delete'
        ? { event: 'ticket', action, version: ticket.version, ticketId: ticket.id, reason: 'hidden' }
        : { event: 'ticket', action, version: ticket.version, ticket },
  )
  const listed = (status: string | undefined) =>
    rows.all().filter(ticket => {
      if (ticket.followers) return status === 'followed'
      if (status === 'group') return ticket.isGroup && (ticket.status === 'open' || ticket.status === 'pending')
      return ticket.status === status && (status === 'paused' || !ticket.isGroup)
    })
  const counts = () => ({
    assigned: listed('open').length,
    groups: listed('group').length,
    pending: listed('pending').length,
    paused: listed('paused').length,
    bot: 0,
    pausedUnread: 0,
    followed: listed('followed').length,
    followedUnread: listed('followed').filter(({ unreadMessages }) => unreadMessages > 0).length,
    unread: rows.all().reduce((all, { unreadMessages }) => all + unreadMessages, 0),
  })
  const store = new TicketStore(
    {
      tickets: ({ status, cursor }) =>
        server.ask(() => {
          const { rows: tickets, ...page } = takePage(listed(status), compareByLatest, cursor)
          return { tickets, ...page }
        }),
      counts: () => server.ask(counts),
      pinned: async () => [],
      followed: () => server.ask(() => listed('followed')),
      ticket: id => server.ask(() => rows.find(id) ?? raise('ERR_NO_TICKET_FOUND')),
    },
    { ...VIEWER, serves: ticket => !ticket.followers },
    { showAll: true, queueIds: null },
  )
  live.on('ticket', event => store.takeEvents([event]))
  const openOne = (id: number) =>
    store.fetch(() => server.ask(() => rows.find(id) ?? raise('ERR_NO_TICKET_FOUND'))).catch(() => undefined)
  return {
    happen: () => pick([() => rows.add(), () => rows.change(), () => rows.change(), () => rows.remove()])(),
    act() {
      if (chance(0.6)) return store.loadMore(pick(names))
      return chance(0.5) ? openOne(rows.some()) : saveChange(server, rows, ticket => store.take(ticket))
    },
    async reset() {
      await store.refetch(pick(names), null)
      for (const name of names) void store.open(name)
    },
    toTheEnds() {
      const open = names.filter(name => store.list(name).nextCursor)
      for (const name of open) void store.loadMore(name)
      return open.length === 0
    },
    shown: () => ({
      counts: store.counts(),
      lists: names.map(name => {
        const { status, ids } = store.list(name)
        return { name, status, tickets: ids.map(id => store.ticket(id)) }
      }),
    }),
    fresh: () => ({
      counts: counts(),
      lists: names.map(name => ({ name, status: 'ready', tickets: takeShown(listed(lists[name]), store.list(name)) })),
    }),
  }
}

function conversation(server: SmallServer, live: Live): StoreScreen {
  const { pick } = server.random
  const order = (a: Message, b: Message) => compare(a.createdAt, b.createdAt) || a.seq - b.seq
  const rows = new SmallRows<Message>(
    server,
    order,
    // Some were written long before they came.
    row => makeMessage({ ...row, createdAt: toMinute(row.id % 5 === 0 ? row.id - 8 : row.id) }),
    (message, action) =>
      action === 'delete'
        ? { event: 'appMessage', action, version: message.version, messageId: message.id, ticketId: 1 }
        : { event: 'appMessage', action, version: message.version, message },
  )
  const history = new ConversationHistory(1, {
    messages: (_, query) => server.ask(() => takeHistoryPage(rows.all(), order, query, createMissingError)),
  })
  live.on('appMessage', event => history.takeEvents([event], { id: 1, contactId: 1 }, WHOLE))
  return {
    ...createReadingScreen(
      server,
      history,
      rows,
      message => history.takeAnswer(message),
      id => rows.remove(id),
    ),
    happen: () => pick([() => rows.add(), () => rows.add(), () => rows.change({ back: false }), () => rows.remove()])(),
    reset: () => history.load({ fresh: true }),
  }
}

function internalChat(server: SmallServer, live: Live): StoreScreen {
  const order = (a: ChatMessage, b: ChatMessage) => a.seq - b.seq
  const rows = new SmallRows<ChatMessage>(
    server,
    order,
    row => makeChatMessage(row.id, row),
    (message, action) => {
      if (action === 'delete') throw new Error('A message that is taken back keeps its place')
      return { event: 'appMessageChat', action, version: message.version, message }
    },
  )
  const history = new ChatConversation(1, ME, {
    messages: query => server.ask(() => takeHistoryPage(rows.all(), order, query, createMissingError)),
  })
  live.on('appMessageChat', event => history.take(event.message))
  return {
    ...createReadingScreen(server, history, rows, message => history.take(message)),
    happen: () => server.random.pick([() => rows.add(), () => rows.change()])(),
    reset: () => history.load({ fresh: true }),
  }
}

type History = Pick<ChatConversation, 'view' | 'loadOlder' | 'loadNewer' | 'reach' | 'toNewest'>

/** A conversation is read to and fro; what it shows is a stretch of the whole. */
function createReadingScreen<T extends Row>(
  server: SmallServer,
  history: History,
  rows: SmallRows<T>,
  take: (row: T) => void,
  remove: (id: number) => void = () => undefined,
): Omit<StoreScreen, 'happen' | 'reset'> {
  return {
    act() {
      const { pick } = server.random
      const step = pick(['older', 'older', 'older', 'newer', 'newer', 'some', 'newest', 'save'])
      if (step === 'save') {
        // What is changed may be gone before its answer is there.
        const row = saveChange(server, rows, take)
        if (row && server.random.chance(0.5)) remove(row.id)
        return
      }
      if (step === 'older') return history.loadOlder()
      if (step === 'newer') return history.loadNewer()
      return step === 'some' ? history.reach(rows.some()) : history.toNewest()
    },
    toTheEnds() {
      const { hasMore, hasNewer } = history.view()
      if (hasMore) void history.loadOlder()
      else if (hasNewer) void history.loadNewer()
      return !hasMore && !hasNewer
    },
    shown: () => ({ status: history.view().status, messages: history.view().messages.map(summarizeRow) }),
    fresh() {
      const { messages, hasMore, hasNewer } = history.view()
      const all = rows.all().map(summarizeRow)
      const ids = rows.all().map(({ id }) => id)
      const from = hasMore ? ids.indexOf(messages[0]?.id ?? 0) : 0
      const to = hasNewer ? ids.indexOf(messages.at(-1)?.id ?? 0) + 1 : all.length
      return { status: 'ready', messages: messages.length === 0 && hasMore ? [] : all.slice(from, to) }
    },
  }
}

function internalChats(server: SmallServer, live: Live): StoreScreen {
  const { chance, pick } = server.random
  const rows = chatRows(server)
  const store = new ChatStore(
    {
      list: ({ cursor }) =>
        server.ask(() => {
          const { rows: chats, ...page } = takePage(rows.all(), compareByLatest, cursor)
          return { chats, ...page }
        }),
    },
    ME,
  )
  live.on('chat', event => store.takeEvents([event]))
  live.on('unreadMessageChat', event => store.takeEvents([event]))
  const openOne = (id: number) =>
    store.fetch(() => server.ask(() => rows.find(id) ?? raise('ERR_NO_CHAT_FOUND'))).catch(() => undefined)
  return {
    happen: () => pick([() => rows.add(), () => rows.change(), () => rows.change(), () => rows.remove()])(),
    act() {
      if (chance(0.6)) return store.more()
      return chance(0.5) ? openOne(rows.some()) : saveChange(server, rows, chat => store.take(chat))
    },
    reset: () => store.refetch(),
    toTheEnds() {
      const { nextCursor } = store.list()
      void store.more()
      return nextCursor === null
    },
    shown: () => ({ status: store.list().status, chats: store.list().ids.map(id => summarizeChat(store.chat(id))) }),
    fresh: () => ({ status: 'ready', chats: takeShown(rows.all(), store.list()).map(summarizeChat) }),
  }
}

function unreadInChats(server: SmallServer, live: Live): StoreScreen {
  const rows = chatRows(server)
  const feed = createUnreadFeed(ME)
  live.on('chat', event => feed.take(event))
  live.on('unreadMessageChat', event => feed.take(event))
  const unread = () =>
    rows.all().flatMap(({ id, unreadMessages }) => (unreadMessages > 0 ? [{ chatId: id, unreadMessages }] : []))
  const load = () =>
    feed.fetch(
      () => server.ask(() => ({ chats: unread() })),
      (_, answer) => toUnreadCounts(answer),
      { afresh: true },
    )
  return {
    happen: () => server.random.pick([() => rows.add(), () => rows.change(), () => rows.remove()])(),
    act: load,
    reset: load,
    toTheEnds: () => true,
    shown: () => sumUnread(feed.now()),
    fresh: () => unread().reduce((all, { unreadMessages }) => all + unreadMessages, 0),
  }
}

function chatRows(server: SmallServer): SmallRows<Chat> {
  const { chance, upTo } = server.random
  return new SmallRows<Chat>(
    server,
    compareByLatest,
    ({ id, version }, before) => {
      const unread = upTo(4)
      // Somebody reads it, or something is said in it.
      if (!before || chance(0.6)) return makeChat(id, { version, unread, at: upTo(600) })
      const users = before.users.map(user => (user.id === ME ? { ...user, unreadMessages: unread } : user))
      return { ...before, version, users, unreadMessages: unread, messagesUnread: unread }
    },
    (chat, action, before) => {
      const { version, unreadMessages } = chat
      if (action === 'delete') return { event: 'chat', action, version, chatId: chat.id }
      if (before?.lastMessageAt !== chat.lastMessageAt) return { event: 'chat', action, version, chat }
      const read = { chatId: chat.id, userId: ME, unreadMessages, readSeq: 0 }
      return { event: 'unreadMessageChat', action: 'update', version, ...read }
    },
  )
}

/** `useRows`, as a list that is searched and read on: quick answers, and whatever else is a list of rows. */
function quickAnswers(server: SmallServer, live: Live): StoreScreen {
  const { chance, pick, upTo } = server.random
  const rows = new SmallRows<QuickAnswer>(
    server,
    compareByShortcut,
    row => {
      const shortcut = `s${String(upTo(500)).padStart(3, '0')}`
      const words = { shortcut, message: pick(['Olá', 'Até logo']) }
      return { ...row, ...words, mediaUrl: null, mediaType: null, mediaName: null, queueId: null, userId: null }
    },
    (quickAnswer, action) => {
      const { id, version } = quickAnswer
      if (action === 'delete') return { event: 'quickAnswer', action, version, quickAnswerId: id }
      return { event: 'quickAnswer', action, version, quickAnswer }
    },
  )
  const matches = ({ message }: QuickAnswer, { search }: { readonly search: string }) => message.includes(search)
  const found = () => rows.all().filter(row => matches(row, store.now().query))
  const store = new RowStore<QuickAnswer, { readonly search: string }>(
    {
      order: compareByShortcut,
      matches,
      page: (query, cursor) =>
        server.ask(() => {
          const all = rows.all().filter(row => matches(row, query))
          return { ...takePage(all, compareByShortcut, cursor), count: all.length }
        }),
    },
    { search: '' },
  )
  live.on('quickAnswer', event => {
    if (event.action === 'delete') store.take({ gone: event.quickAnswerId, version: event.version })
    else store.take({ put: event.quickAnswer, isNew: event.action === 'create' })
  })
  return {
    happen: () => pick([() => rows.add(), () => rows.add(), () => rows.change(), () => rows.remove()])(),
    act() {
      if (chance(0.7)) return store.more()
      if (chance(0.5)) return store.load({ search: pick(['', 'Olá', 'logo']) })
      return saveChange(server, rows, answer => store.take({ put: answer }))
    },
    reset: () => store.load(),
    toTheEnds() {
      void store.more()
      return store.now().nextCursor === null
    },
    shown: () => store.now().rows,
    fresh: () => takeShown(found(), store.now()),
  }
}

/** All of them are there, in an order of their own. */
function questions(server: SmallServer, live: Live): StoreScreen {
  const { pick, upTo } = server.random
  const rows = new SmallRows<Question>(
    server,
    inBotOrder,
    row => {
      const pergunta = pick(['Horário', 'Endereço'])
      return { ...row, pergunta, resposta: 'Às 9h', queueId: null, openTicket: false, queue: null, order: upTo(20) }
    },
    (pergunta, action) => {
      const { id, version } = pergunta
      if (action === 'delete') return { event: 'pergunta', action, version, perguntaId: id }
      return { event: 'pergunta', action, version, pergunta }
    },
  )
  const listing = { order: inBotOrder, matches: isQuestionFound }
  const store = new RowStore<Question, RowQuery>({ ...listing, page: wholePage(server, rows, listing) }, { search: '' })
  live.on('pergunta', event => {
    if (event.action === 'delete') store.take({ gone: event.perguntaId, version: event.version })
    else store.take({ put: event.pergunta, isNew: event.action === 'create' })
  })
  return {
    ...createSearchScreen(
      server,
      store,
      ['', 'Hor', 'ende'].map(search => ({ search })),
    ),
    happen: () => pick([() => rows.add(), () => rows.change(), () => rows.change(), () => rows.remove()])(),
    fresh: () => rows.all().filter(row => isQuestionFound(row, store.now().query)),
  }
}

/** One that people take leaves the list, and comes back with its next flow. */
function botTickets(server: SmallServer, live: Live): StoreScreen {
  const { pick, upTo } = server.random
  const rows = new SmallRows<Ticket>(
    server,
    compareLatestFirst,
    row =>
      makeTicket({
        ...row,
        status: pick(['bot', 'bot', 'pending', 'closed'] as const),
        queueId: pick([null, 7]),
        lastMessageAt: toMinute(upTo(600)),
      }),
    (ticket, action) =>
      action === 'delete'
        ? { event: 'ticket', action, version: ticket.version, ticketId: ticket.id, reason: 'deleted' }
        : { event: 'ticket', action, version: ticket.version, ticket },
  )
  const found = (query: BotQuery) => rows.all().filter(row => row.status === 'bot' && isBotTicketFound(row, query))
  const store = new RowStore<Ticket, BotQuery>(
    {
      order: compareLatestFirst,
      matches: isBotTicketFound,
      page: query => server.ask(() => ({ rows: found(query), nextCursor: null, count: found(query).length })),
    },
    { search: '', queueId: null },
  )
  live.on('ticket', event => store.take(botChangeOf(event)))
  return {
    ...createSearchScreen(
      server,
      store,
      [null, 0, 7].map(queueId => ({ search: '', queueId })),
    ),
    happen: () => pick([() => rows.add(), () => rows.change(), () => rows.change(), () => rows.remove()])(),
    fresh: () => found(store.now().query),
  }
}

/** Events name them alone: each is asked for, and its answer comes whenever. */
function massSends(server: SmallServer, live: Live): StoreScreen {
  const { pick } = server.random
  const rows = new SmallRows<MassSend>(
    server,
    newestSendFirst,
    row => makeMassSend({ ...row, state: pick(['running', 'waiting', 'paused', 'stopped', 'done'] as const) }),
    ({ id, version }, action) => {
      if (action === 'delete') throw new Error('A send that began stays')
      return { event: 'envioMassa', action, version, envioMassaId: id }
    },
  )
  const listing = { order: newestSendFirst, matches: isSendShown }
  const page = makePager(server, rows, listing)
  const store = new RowStore<MassSend, SendQuery>({ ...listing, page }, { search: '', show: null })
  subscribeToFetchedRows(live, 'envioMassa', makeFinder(server, rows), change => store.take(change))
  const shows = [null, 'active', 'stopped', 'ended'] as const
  return {
    ...createSearchScreen(
      server,
      store,
      shows.map(show => ({ search: '', show })),
    ),
    happen: () => pick([() => rows.add(), () => rows.change(), () => rows.change()])(),
    fresh: () => toShownPages(rows, listing, store),
  }
}

function schedules(server: SmallServer, live: Live): StoreScreen {
  const { pick } = server.random
  const rows = new SmallRows<Schedule>(
    server,
    newestScheduleFirst,
    row =>
      makeSchedule({
        ...row,
        title: pick(['Boleto', 'Aniversário']),
        recurrence: pick(['once', 'every_day'] as const),
      }),
    ({ id, version }, action) => ({ event: 'agendamento', action, version, agendamentoId: id }),
  )
  const listing = { order: newestScheduleFirst, matches: isScheduleFound }
  const nothing: ScheduleQuery = { search: '', recurrence: null }
  const queries: ScheduleQuery[] = [nothing, { ...nothing, search: 'ANIVERSARIO' }, { ...nothing, recurrence: 'once' }]
  const store = new RowStore<Schedule, ScheduleQuery>({ ...listing, page: makePager(server, rows, listing) }, nothing)
  subscribeToFetchedRows(live, 'agendamento', makeFinder(server, rows), change => store.take(change))
  return {
    ...createSearchScreen(server, store, queries),
    happen: () => pick([() => rows.add(), () => rows.add(), () => rows.change(), () => rows.remove()])(),
    fresh: () => toShownPages(rows, listing, store),
  }
}

interface RowQuery {
  readonly search: string
}

interface Listing<R, Q> {
  readonly order: (one: R, other: R) => number
  readonly matches: (row: R, query: Q) => boolean
}

function wholePage<R extends Row, Q>(server: SmallServer, rows: SmallRows<R>, { matches }: Listing<R, Q>) {
  return (query: Q) =>
    server.ask(() => {
      const found = rows.all().filter(row => matches(row, query))
      return { rows: found, nextCursor: null, count: found.length }
    })
}

function makePager<R extends Row, Q>(server: SmallServer, rows: SmallRows<R>, { order, matches }: Listing<R, Q>) {
  return (query: Q, cursor: string | null) =>
    server.ask(() => {
      const found = rows.all().filter(row => matches(row, query))
      return { ...takePage(found, order, cursor), count: found.length }
    })
}

/** How the server answers for one. */
function makeFinder<R extends Row>(server: SmallServer, rows: SmallRows<R>) {
  return (id: number) => server.ask(() => rows.find(id) ?? raise('ERR_NO_SEND_FOUND'))
}

function toShownPages<R extends Row, Q extends object>(
  rows: SmallRows<R>,
  { matches }: Listing<R, Q>,
  store: RowStore<R, Q>,
) {
  const found = rows.all().filter(row => matches(row, store.now().query))
  return takeShown(found, store.now())
}

/** A list that is read on and filtered. */
function createSearchScreen<R extends Row, Q extends object>(
  { random: { chance, pick } }: SmallServer,
  store: RowStore<R, Q>,
  queries: readonly Q[],
): Omit<StoreScreen, 'happen' | 'fresh'> {
  return {
    act: () => (chance(0.6) ? store.more() : store.load(pick(queries))),
    reset: () => store.load(),
    toTheEnds() {
      void store.more()
      return store.now().nextCursor === null
    },
    shown: () => store.now().rows,
  }
}

function connections(server: SmallServer, live: Live): StoreScreen {
  const { chance, pick, upTo } = server.random
  const rows = new SmallRows<Connection>(
    server,
    compareConnections,
    row => makeConnection({ ...row, isDefault: chance(0.1), name: `Loja ${100 + upTo(100)} ${1000 + row.id}` }),
    (whatsapp, action) => {
      const { id, version } = whatsapp
      if (action === 'delete') return { event: 'whatsapp', action, version, whatsappId: id }
      if (chance(0.5)) return { event: 'whatsapp', action, version, whatsapp }
      return { event: 'whatsappSession', action: 'update', version, session: whatsapp }
    },
  )
  const page = () => server.ask(() => ({ rows: [...rows.all()], nextCursor: null }))
  const store = new RowStore<Connection, object>(
    { page, order: compareConnections, matches: () => true, keep: withAddress },
    {},
  )
  for (const kind of ['whatsapp', 'whatsappSession'] as const)
    live.on(kind, event => {
      const change = toRowChange(event)
      if (change) store.take(change)
    })
  return {
    happen: () => pick([() => rows.add(), () => rows.change({ back: false }), () => rows.remove()])(),
    act: () => (chance(0.5) ? store.look() : saveChange(server, rows, connection => store.take({ put: connection }))),
    reset: () => store.load(),
    toTheEnds: () => true,
    shown: () => store.now().rows,
    fresh: () => rows.all(),
  }
}

function settings(server: SmallServer, live: Live): StoreScreen {
  const rows = new SmallRows<Row & { readonly key: string; readonly value: string }>(
    server,
    (a, b) => a.id - b.id,
    row => ({ ...row, key: `setting${row.id}`, value: String(server.random.upTo(1000)) }),
    ({ key, value, version }) => ({ event: 'settings', action: 'update', version, setting: { key, value } }),
  )
  for (let many = 0; many < 6; many++) rows.add()
  const feed = createSettingsFeed()
  live.on('settings', ({ setting }) => feed.take(setting))
  const load = () =>
    feed.fetch(
      () => server.ask(() => rows.all().map(({ key, value }) => ({ key, value }))),
      (_, answer) => toSettings(answer),
      { afresh: true },
    )
  return {
    happen: () => rows.change(),
    act: load,
    reset: load,
    toTheEnds: () => true,
    shown: () => feed.now(),
    fresh: () => toSettings([...rows.all()]),
  }
}

/** Something is changed from here, and its answer taken when it comes. */
function saveChange<T extends Row>(server: SmallServer, rows: SmallRows<T>, take: (row: T) => void) {
  const row = rows.save()
  if (row) server.later(row, take)
  return row
}

/** So much of all as is shown. */
function takeShown<T>(
  all: readonly T[],
  { ids, nextCursor }: { readonly ids: readonly unknown[]; readonly nextCursor: string | null },
) {
  return nextCursor ? all.slice(0, ids.length) : all
}

function compareByLatest(a: TicketStub, b: TicketStub): number {
  return compare(b.lastMessageAt, a.lastMessageAt) || b.id - a.id
}

interface TicketStub {
  readonly id: number
  readonly lastMessageAt: string
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function summarizeRow({ id, version }: Row): string {
  return `${id} in version ${version}`
}

/** What the list shows of a chat: the counts of all who are in it. */
function summarizeChat(chat: Pick<Chat, 'id' | 'version' | 'lastMessageAt' | 'users'> | undefined) {
  return chat && { id: chat.id, version: chat.version, at: chat.lastMessageAt, users: chat.users }
}

function createMissingError(): Error {
  return new ApiError('ERR_NO_MESSAGE_FOUND', 404, 'Mensagem não encontrada')
}

function raise(code: 'ERR_NO_TICKET_FOUND' | 'ERR_NO_CHAT_FOUND' | 'ERR_NO_SEND_FOUND'): never {
  throw new ApiError(code, 404, 'Não encontrado')
}
