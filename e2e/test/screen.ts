// A screen without a browser: the client's own live line and reducers, fed by the real server over HTTP and its socket.
import { createLive } from '@balcao/client'
import type {
  Connection,
  LiveEvent,
  Message,
  Profile,
  QuickAnswer,
  ResponseBody,
  Ticket,
  TicketCounts,
} from '@balcao/contract'
import type { SignedInPerson } from '../../backend/test/desk-server.ts'
import { compareConnections, toRowChange, withAddress } from '../../mfe-admin/src/connections/list.ts'
import { compareByShortcut, isQuickAnswerMatch } from '../../mfe-automation/src/quick-answers/list.ts'
import { ConversationHistory } from '../../mfe-tickets/src/conversation/conversation-store.ts'
import { TicketStore } from '../../mfe-tickets/src/tickets/ticket-store.ts'
import { Feed, RowStore } from '../../ui/src/rows/index.ts'

const WHOLE = { onlyThisTicket: false }
const LISTS = ['assigned', 'groups', 'pending', 'closed', 'closedGroups', 'paused'] as const
const STATUS = {
  assigned: 'open',
  groups: 'group',
  pending: 'pending',
  closed: 'closed',
  closedGroups: 'closedGroup',
  paused: 'paused',
} as const

/** What a screen shows; compared with what a fresh fetch would. */
export interface ScreenState {
  readonly lists: Record<string, readonly Ticket[]>
  readonly counts: TicketCounts | null
  readonly conversation: readonly Message[]
  readonly quickAnswers: readonly QuickAnswer[]
  readonly connections: readonly Connection[]
  readonly settings: Record<string, string>
}

export interface LiveScreen {
  readonly name: string
  /** The conversation that stands open, null for none. */
  open(ticketId: number | null): Promise<void>
  /** The line breaks; nothing comes until it is `mended`. */
  cut(): void
  mend(): void
  shown(): ScreenState
  fresh(): Promise<ScreenState>
  readonly resets: number
  /** Resolves when nothing is being fetched. */
  settled(): Promise<void>
  close(): void
}

export interface ScreenOptions {
  readonly name: string
  readonly userId: number
  readonly url: string
  readonly person: SignedInPerson
  readonly showAll: boolean
  readonly profile: Profile
}

/** Opens one and resolves when it is live and shows everything. */
export async function openScreen({ name, userId, url, person, showAll, profile }: ScreenOptions): Promise<LiveScreen> {
  const admin = profile === 'admin'
  const filters = { showAll, queueIds: null }
  const wire = `showAll=${showAll}`
  const store = new TicketStore(
    {
      tickets: ({ status, cursor, limit }) =>
        get(
          `/tickets?status=${status}&${wire}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}&limit=${limit ?? 40}`,
        ),
      counts: () => get(`/tickets/counts?${wire}`),
      pinned: () => get('/tickets/pinned'),
      followed: () => get('/tickets/followed'),
      ticket: id => get(`/tickets/${id}`),
    },
    { id: userId, mayShowAll: profile !== 'user' },
    filters,
  )
  let conversation: { readonly contactId: number; readonly history: ConversationHistory } | null = null
  let wanted: number | null = null
  const answers = new RowStore<QuickAnswer, { readonly search: string }>(
    {
      order: compareByShortcut,
      matches: isQuickAnswerMatch,
      async page() {
        const { quickAnswers: rows, nextCursor } =
          await get<ResponseBody<'GET /quickAnswers'>>('/quickAnswers?all=true')
        return { rows, nextCursor }
      },
    },
    { search: '' },
  )
  const connections = new RowStore<Connection, object>(
    {
      order: compareConnections,
      matches: () => true,
      keep: withAddress,
      page: async () => ({ rows: (await get<Connection[]>('/whatsapp')).sort(compareConnections), nextCursor: null }),
    },
    {},
  )
  const settings = new Feed<Record<string, string>, { readonly key: string; readonly value: string }>(
    {},
    (now, { key, value }) => ({ ...now, [key]: value }),
  )
  // As the desk's pane does: what other filters took away is asked for anew.
  store.onFilters(() => begin(openAll))
  settings.subscribe(() => store.offerShowAll(profile !== 'user' || settings.now().userShowAll === 'enabled'))
  let online = true
  let resets = 0
  /** What is on its way: pages, rows and events cross as they do in a page. */
  const fetching = new Set<Promise<unknown>>()

  async function settled(): Promise<void> {
    while (fetching.size > 0) await Promise.allSettled(fetching)
  }

  function get<T>(path: string): Promise<T> {
    const promise = answerOf<T>(path).finally(() => fetching.delete(promise))
    fetching.add(promise)
    return promise
  }

  async function answerOf<T>(path: string): Promise<T> {
    const { status, body } = await person.call<T>('GET', path)
    if (status !== 200) throw new Error(`${name}: GET ${path} answered ${status}`)
    return body
  }

  async function openConversation(fresh: boolean): Promise<void> {
    const ticketId = wanted
    if (ticketId === null) {
      conversation = null
      return
    }
    let contactId = 0
    try {
      await store.fetch(async () => {
        const ticket = await get<Ticket>(`/tickets/${ticketId}`)
        contactId = ticket.contactId
        return ticket
      })
    } catch {
      store.forget(ticketId)
      conversation = null
      return
    }
    if (fresh && conversation?.history.ticketId === ticketId) return conversation.history.load({ fresh: true })
    const history = new ConversationHistory(ticketId, {
      messages: (id, query) => get(`/messages/${id}?${toWireQuery(query)}`),
    })
    conversation = { contactId, history }
    await history.load({ atLeast: 200 })
  }

  async function fetchAll(): Promise<void> {
    await Promise.all([
      settings.fetch(freshSettings, (_, now) => now, { afresh: true }),
      store.refetch('assigned', wanted).then(openAll),
      openConversation(true),
      answers.load(),
      admin ? connections.load() : null,
    ])
  }

  async function openAll(): Promise<void> {
    await Promise.all(LISTS.map(list => store.open(list)))
  }

  function begin(work: () => Promise<unknown>): void {
    const promise = work().finally(() => fetching.delete(promise))
    fetching.add(promise)
  }

  async function freshSettings(): Promise<Record<string, string>> {
    const list = await get<{ key: string; value: string }[]>('/settings')
    return Object.fromEntries(list.map(({ key, value }) => [key, value]))
  }

  function take(event: LiveEvent): void {
    store.takeEvents([event])
    if (conversation) {
      const { contactId, history } = conversation
      history.takeEvents([event], { id: history.ticketId, contactId }, WHOLE)
      if (!store.ticket(history.ticketId)) conversation = null
    } else if (wanted !== null && event.event === 'ticket' && event.action !== 'delete' && event.ticket.id === wanted) {
      begin(() => openConversation(false))
    }
    if (event.event === 'quickAnswer' && event.action === 'delete')
      answers.take({ gone: event.quickAnswerId, version: event.version })
    else if (event.event === 'quickAnswer') answers.take({ put: event.quickAnswer })
    const isOfConnections = event.event === 'whatsapp' || event.event === 'whatsappSession'
    const change = admin && isOfConnections ? toRowChange(event) : null
    if (change) connections.take(change)
    if (event.event === 'settings') settings.take(event.setting)
  }

  let state = ''
  const line = createLive({
    token: async () => {
      if (!online) throw new Error('no network')
      const { body } = await person.call<{ token: string }>('POST', '/auth/socket')
      return body.token
    },
    address: () => `${url.replace(/^http/, 'ws')}/socket`,
    onState: next => {
      state = next.state
    },
    firstWait: 5,
  })
  for (const kind of [
    'ticket',
    'appMessage',
    'contact',
    'queue',
    'whatsapp',
    'whatsappSession',
    'quickAnswer',
    'settings',
  ] as const)
    line.on(kind, take)
  line.onReset(() => {
    resets += 1
    begin(fetchAll)
  })
  line.start()
  while (state !== 'live') await Bun.sleep(5)
  await settled()

  return {
    name,
    async open(ticketId) {
      wanted = ticketId
      conversation = null
      begin(() => openConversation(false))
      await settled()
    },
    cut() {
      online = false
      line.drop()
    },
    mend() {
      online = true
      line.wake()
    },
    shown: () => ({
      lists: Object.fromEntries(
        LISTS.map(list => [list, store.list(list).ids.map(id => toComparable(store.ticket(id)))]),
      ),
      counts: store.counts(),
      conversation: (conversation?.history.view().messages ?? []).map(stripNames),
      quickAnswers: answers.now().rows,
      connections: connections.now().rows.map(stripTally),
      settings: settings.now(),
    }),
    async fresh() {
      const lists = await Promise.all(
        LISTS.map(async list => {
          const page = await get<{ tickets: Ticket[] }>(`/tickets?status=${STATUS[list]}&${wire}&limit=100`)
          return [list, page.tickets.map(toComparable)] as const
        }),
      )
      const seen = wanted === null ? null : await person.call('GET', `/tickets/${wanted}`)
      return {
        lists: Object.fromEntries(lists),
        counts: await get(`/tickets/counts?${wire}`),
        conversation:
          seen?.status === 200
            ? (await get<{ messages: Message[] }>(`/messages/${wanted}?limit=200`)).messages.map(stripNames)
            : [],
        quickAnswers: (await get<{ quickAnswers: QuickAnswer[] }>('/quickAnswers?all=true')).quickAnswers,
        connections: admin ? (await get<Connection[]>('/whatsapp')).sort(compareConnections).map(stripTally) : [],
        settings: await freshSettings(),
      }
    },
    settled,
    get resets() {
      return resets
    },
    close: line.stop,
  }
}

/** Whether a connection is up is told and shown elsewhere, not in a ticket. */
function toComparable(ticket: Ticket | undefined): Ticket {
  if (!ticket) throw new Error('A list names a ticket the screen does not know')
  return { ...ticket, whatsapp: { ...ticket.whatsapp, status: 'DISCONNECTED' } }
}

/** Own messages and quotes carry a name that nobody reads there; where it is read it is told with the contact. */
function stripNames(message: Message): Message {
  const quotedMsg = message.quotedMsg && { ...message.quotedMsg, contact: { name: '' } }
  return { ...message, contact: { ...message.contact, name: '' }, quotedMsg }
}

/** These two are looked at now and then, not told: see `useConnections`. */
function stripTally(connection: Connection): Connection {
  return { ...connection, lastMessageAt: null, waiting: 0 }
}

function toWireQuery(query: object): URLSearchParams {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
