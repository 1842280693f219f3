// A screen without a browser: the client's own live line and reducers, fed by the real server over HTTP and its socket.
import type { Connection, LiveEvent, Message, Profile, QuickAnswer, Ticket, TicketCounts } from '@balcao/contract'
import type { Person } from '../../backend/test/desk-server.ts'
import { afterEvent as connectionsAfter, merged } from '../../mfe-admin/src/connections/list.ts'
import { afterEvent as answersAfter, firstPage, NO_ROWS } from '../../mfe-automation/src/quick-answers/list.ts'
import { MessageTable } from '../../mfe-tickets/src/conversation/message-table.ts'
import { TicketStore } from '../../mfe-tickets/src/tickets/ticket-store.ts'
import { createLive } from '../../ui/src/live/client.ts'

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
export interface Shown {
  readonly lists: Record<string, readonly Ticket[]>
  readonly counts: TicketCounts | null
  readonly conversation: readonly Message[]
  readonly quickAnswers: readonly QuickAnswer[]
  readonly connections: readonly Connection[]
  readonly settings: Record<string, string>
}

export interface Screen {
  readonly name: string
  /** The conversation that stands open, null for none. */
  open(ticketId: number | null): Promise<void>
  /** The line breaks; nothing comes until it is `mended`. */
  cut(): void
  mend(): void
  shown(): Shown
  fresh(): Promise<Shown>
  readonly resets: number
  /** Resolves when nothing is being fetched. */
  settled(): Promise<void>
  close(): void
}

export interface ScreenOptions {
  readonly name: string
  readonly userId: number
  readonly url: string
  readonly person: Person
  readonly showAll: boolean
  readonly profile: Profile
}

/** Opens one and resolves when it is live and shows everything. */
export async function openScreen({ name, userId, url, person, showAll, profile }: ScreenOptions): Promise<Screen> {
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
    },
    { id: userId, mayShowAll: profile !== 'user' },
    filters,
  )
  let conversation: { ticketId: number; contactId: number; table: MessageTable } | null = null
  let wanted: number | null = null
  let answers = NO_ROWS
  let connections: readonly Connection[] = []
  let settings: Record<string, string> = {}
  let online = true
  let resets = 0
  let fetching = Promise.resolve()

  async function get<T>(path: string): Promise<T> {
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
    const answer = await person.call<Ticket>('GET', `/tickets/${ticketId}`)
    if (answer.status !== 200) {
      store.forget(ticketId)
      conversation = null
      return
    }
    store.take(answer.body)
    const held =
      fresh && conversation?.ticketId === ticketId
        ? conversation
        : { ticketId, contactId: answer.body.contactId, table: new MessageTable() }
    conversation = held
    const before = held.table.held()
    held.table.takePage(await get(`/messages/${ticketId}?limit=200`), fresh, before)
  }

  async function fetchAll(): Promise<void> {
    takeSettings(await freshSettings())
    await store.refetch('assigned', wanted)
    await Promise.all(LISTS.map(list => store.open(list)))
    await store.refreshCounts()
    await openConversation(true)
    answers = firstPage(answers, '', await get('/quickAnswers?all=true'))
    if (admin) connections = merged(connections, await get<Connection[]>('/whatsapp'))
  }

  function takeSettings(now: Record<string, string>): void {
    settings = now
    store.offerShowAll(profile !== 'user' || now.userShowAll === 'enabled')
  }

  async function freshSettings(): Promise<Record<string, string>> {
    const list = await get<{ key: string; value: string }[]>('/settings')
    return Object.fromEntries(list.map(({ key, value }) => [key, value]))
  }

  function take(event: LiveEvent): void {
    store.takeEvents([event])
    if (conversation) {
      const { table, ticketId, contactId } = conversation
      table.takeEvent(event, { id: ticketId, contactId }, WHOLE)
      if (!store.ticket(ticketId)) conversation = null
      else if (table.lacks(event, { id: ticketId, contactId }, WHOLE))
        fetching = fetching.then(() => openConversation(true))
    } else if (wanted !== null && event.event === 'ticket' && event.action !== 'delete' && event.ticket.id === wanted) {
      fetching = fetching.then(() => openConversation(false))
    }
    if (event.event === 'quickAnswer') answers = answersAfter(answers, event)
    if (admin && (event.event === 'whatsapp' || event.event === 'whatsappSession'))
      connections = connectionsAfter(connections, event)
    if (event.event === 'settings') takeSettings({ ...settings, [event.setting.key]: event.setting.value })
  }

  // The line listens to the page's window; each screen here has a window of its own.
  const page = new EventTarget()
  const asThePage = (work: () => void) => {
    Object.assign(globalThis, {
      window: page,
      document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    })
    work()
    Reflect.deleteProperty(globalThis, 'window')
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
    fetching = fetching.then(fetchAll)
  })
  asThePage(() => line.start())
  while (state !== 'live') await Bun.sleep(5)
  await fetching

  return {
    name,
    async open(ticketId) {
      wanted = ticketId
      conversation = null
      fetching = fetching.then(() => openConversation(false))
      await fetching
    },
    cut() {
      online = false
      page.dispatchEvent(new Event('offline'))
    },
    mend() {
      online = true
      page.dispatchEvent(new Event('online'))
    },
    shown: () => ({
      lists: Object.fromEntries(
        LISTS.map(list => [list, store.list(list).ids.map(id => comparable(store.ticket(id)))]),
      ),
      counts: store.counts(),
      conversation: (conversation?.table.all() ?? []).map(withoutNames),
      quickAnswers: answers.rows,
      connections: connections.map(withoutTally),
      settings,
    }),
    async fresh() {
      const lists = await Promise.all(
        LISTS.map(async list => {
          const page = await get<{ tickets: Ticket[] }>(`/tickets?status=${STATUS[list]}&${wire}&limit=100`)
          return [list, page.tickets.map(comparable)] as const
        }),
      )
      const seen = wanted === null ? null : await person.call('GET', `/tickets/${wanted}`)
      return {
        lists: Object.fromEntries(lists),
        counts: await get(`/tickets/counts?${wire}`),
        conversation:
          seen?.status === 200
            ? (await get<{ messages: Message[] }>(`/messages/${wanted}?limit=200`)).messages.map(withoutNames)
            : [],
        quickAnswers: (await get<{ quickAnswers: QuickAnswer[] }>('/quickAnswers?all=true')).quickAnswers,
        connections: admin ? merged([], await get<Connection[]>('/whatsapp')).map(withoutTally) : [],
        settings: await freshSettings(),
      }
    },
    settled: () => fetching,
    get resets() {
      return resets
    },
    close: () => asThePage(() => line.stop()),
  }
}

/** Whether a connection is up is told and shown elsewhere, not in a ticket. */
function comparable(ticket: Ticket | undefined): Ticket {
  if (!ticket) throw new Error('A list names a ticket the screen does not know')
  return { ...ticket, whatsapp: { ...ticket.whatsapp, status: 'DISCONNECTED' } }
}

/** Own messages and quotes carry a name that nobody reads there; where it is read it is told with the contact. */
function withoutNames(message: Message): Message {
  const quotedMsg = message.quotedMsg && { ...message.quotedMsg, contact: { name: '' } }
  return { ...message, contact: { ...message.contact, name: '' }, quotedMsg }
}

/** These two are looked at now and then, not told: see `useConnections`. */
function withoutTally(connection: Connection): Connection {
  return { ...connection, lastMessageAt: null, waiting: 0 }
}
