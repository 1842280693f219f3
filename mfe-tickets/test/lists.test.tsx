// The lists as they are seen: tabs with their counts, filters and what comes live (spec 1 §2, §4).
import { describe, expect, test } from 'bun:test'
import type { LiveEvent, Profile, Settings, Ticket } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { waitUntil } from '../../ui/test/page.ts'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { marked } from '../src/bulk/marked.ts'
import { loadLookups } from '../src/desk/lookups.ts'
import { getStores } from '../src/desk/stores.ts'
import { ListPane } from '../src/list/ListPane.tsx'
import { SearchFilters } from '../src/search/SearchFilters.tsx'
import { ask, countSearchFilters, search, stepToRow, toResultRows } from '../src/search/search-store.ts'
import { keepFilters, readFilters } from '../src/tickets/filters.ts'
import type { ListFilters } from '../src/tickets/is-in-list.ts'
import { prepareDesk } from './desk-page.tsx'
import { makeTicket, makeUser, toMinute } from './make.ts'

addTexts('tickets', { pt, en, es })

const { show, close, answer } = prepareDesk()
let nextId = 5000

function makeUpdateEvent(ticket: Ticket): LiveEvent {
  return { event: 'ticket', action: 'update', version: ticket.version, ticket }
}

interface ListRequest {
  readonly path: string
  readonly query: URLSearchParams
}

/** The pane of lists before a server that has these tickets. */
async function pane(options: {
  readonly profile?: Profile
  readonly settings?: Partial<Settings>
  readonly connections?: number
  /** The person's own queues. */
  readonly queueIds?: readonly number[]
  /** What this person chose above the lists before. */
  readonly chosen?: ListFilters
  /** Queues say until when they answer. */
  readonly targets?: boolean
  readonly address?: string
  readonly tickets?: readonly Ticket[]
  /** How many wait, whenever it is asked. */
  readonly countPending?: () => number
}) {
  const requests: ListRequest[] = []
  const nexts: unknown[] = []
  const queues = [1, 2].map(id => ({
    id,
    name: id === 1 ? 'Financeiro' : 'Comercial',
    color: '#D0702F',
    customOrder: id,
    firstAnswerMinutes: options.targets ? 10 : null,
    answerMinutes: null,
  }))
  const counts = {
    assigned: 4,
    groups: 2,
    pending: 7,
    paused: 3,
    pausedUnread: 0,
    bot: 0,
    unread: 0,
    followed: 0,
    followedUnread: 0,
  }
  answer(async (request, url) => {
    requests.push({ path: url.pathname, query: url.searchParams })
    if (url.pathname.endsWith('/tickets/next')) {
      nexts.push(await request.json())
      return Response.json(null)
    }
    const isOnlyUnread = url.searchParams.get('withUnreadMessages') === 'true'
    if (url.pathname.endsWith('/tickets/counts') && url.searchParams.get('late') === 'true')
      return Response.json({ ...counts, assigned: 2, pending: 1 })
    if (url.pathname.endsWith('/tickets/counts'))
      return Response.json(
        isOnlyUnread
          ? { ...counts, assigned: 1, pending: 0 }
          : { ...counts, pending: options.countPending?.() ?? counts.pending },
      )
    if (url.pathname.endsWith('/tickets')) {
      const status = url.searchParams.get('status')
      const tickets = (options.tickets ?? []).filter(ticket => ticket.status === status)
      return Response.json({ tickets, hasMore: false, count: tickets.length, nextCursor: null })
    }
    if (url.pathname.endsWith('/queue')) return Response.json(queues)
    if (url.pathname.endsWith('/whatsapp'))
      return Response.json(
        Array.from({ length: options.connections ?? 1 }, (_, n) => ({
          id: n + 1,
          name: `Conexão ${n}`,
          status: 'CONNECTED',
        })),
      )
    return Response.json({ error: 'ERR_NOT_FOUND' }, { status: 404 })
  })
  close()
  endSession()
  session.user = { ...makeUser(options.profile ?? 'admin'), id: nextId++ }
  takeQueues(options.queueIds ?? [])
  if (options.chosen) keepFilters(session.user.id, options.chosen)
  session.settings = options.settings ?? {}
  await act(loadLookups)
  const place = show(<ListPane ticketId={null} chatId={null} internal={false} onOpen={() => {}} />, options.address)
  await waitUntil(() => requests.some(({ path }) => path.endsWith('/tickets/counts')), 'counts asked for')
  await waitUntil(() => getStores().tickets.counts() !== null, 'counts')
  await act(() =>
    waitUntil(() => getStores().tickets.list(options.address ? 'pending' : 'assigned').status === 'ready', 'the list'),
  )
  const tabs = () => [...place.querySelectorAll('[role=tab]')].map(tab => tab.textContent ?? '')
  const choose = (name: string) =>
    act(() => {
      const tab = [...place.querySelectorAll('[role=tab]')].find(each => each.textContent?.startsWith(name))
      if (!(tab instanceof HTMLElement)) throw new Error(`no tab ${name}`)
      tab.click()
    })
  const asksFor = () => requests.findLast(({ path }) => path.endsWith('/tickets'))?.query.get('queueIds')
  const queueButton = () => place.querySelector('.t-queue-filter')?.textContent
  return { place, requests, nexts, tabs, choose, asksFor, queueButton }
}

/** What is told live when an administrator gives a person other queues. */
function takeQueues(ids: readonly number[]) {
  if (!session.user) throw new Error('nobody is signed in')
  const queues = ids.map(id => ({ id, name: `Fila ${id}`, color: '#D0702F' }))
  session.user = { ...session.user, queueIds: [...ids], queues }
}

describe('above the lists', () => {
  test("who presses 'Buscar' writes at once; the arrows stay among the tabs", async () => {
    const { place, choose } = await pane({})
    choose('Buscar')
    expect(document.activeElement).toBe(place.querySelector('.t-search input'))
    const tabs = [...place.querySelectorAll<HTMLElement>('[role=tab]')]
    const search = tabs.find(tab => tab.textContent === 'Buscar')
    choose('Interno')
    const key = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true })
    act(() => {
      tabs.find(tab => tab.textContent?.startsWith('Interno'))?.dispatchEvent(key)
    })
    expect(search?.getAttribute('aria-selected')).toBe('true')
    expect(document.activeElement).toBe(search ?? null)
  })

  test('who waits can be put with the longest wait first, which this device remembers', async () => {
    const { place, choose, requests } = await pane({})
    const order = () => requests.findLast(({ query }) => query.get('status') === 'pending')?.query.get('order')
    choose('Pendentes')
    await waitUntil(() => order() === null, 'the newest first')
    const button = () => place.querySelector<HTMLElement>('[aria-label^="Ordem"]')
    await waitUntil(() => button() !== null, 'the button')
    act(() => button()?.click())
    const longest = [...document.querySelectorAll<HTMLElement>('[role^=menuitem]')].at(-1)
    expect(longest?.textContent).toBe('Quem espera há mais tempo primeiro')
    act(() => longest?.click())
    await waitUntil(() => order() === 'wait', 'the longest wait first')
    expect(readFilters(session.user?.id ?? 0).longestFirst).toBe(true)
    choose('Atribuídos')
    expect(place.querySelector('[aria-label^="Ordem"]')).toBeNull()
  })

  test('what is late can be shown alone: in the list, in its counts, and on this visit only', async () => {
    const { place, tabs, requests } = await pane({ targets: true })
    const button = () => place.querySelector<HTMLElement>('[aria-label^="Só atrasadas"]')
    await waitUntil(() => button() !== null, 'the button')
    act(() => button()?.click())
    const last = (path: string) => requests.findLast(request => request.path.endsWith(path))?.query.get('late')
    await waitUntil(() => last('/tickets') === 'true' && last('/tickets/counts') === 'true', 'late ones')
    await waitUntil(() => tabs()[5] === 'Atribuídos2', 'the counts')
    await waitUntil(() => place.textContent?.includes('Nada atrasado') === true, 'nothing is late')
    expect(button()?.getAttribute('aria-pressed')).toBe('true')
    expect(readFilters(session.user?.id ?? 0).onlyLate).toBeUndefined()
  })

  test('the next one is the first of what the list shows, in its order, and nobody is not said of all who wait', async () => {
    const chosen = { showAll: false, queueIds: [2], dueFirst: true }
    const { place, choose, nexts } = await pane({ queueIds: [1, 2], chosen, targets: true })
    choose('Pendentes')
    await waitUntil(() => place.querySelector('.t-next') !== null, 'the button')
    act(() => place.querySelector<HTMLElement>('.t-next')?.click())
    await waitUntil(() => nexts.length === 1, 'it is asked for')
    expect(nexts).toEqual([{ queueIds: [2], order: 'due' }])
    await waitUntil(() => notices.list.length > 0, 'it is said')
    expect(notices.list.map(({ text }) => text)).toEqual([pt.nobodyShown])
  })

  test('where no queue has a target nothing is offered for it', async () => {
    const { place } = await pane({})
    await waitUntil(() => place.querySelector('[aria-label^="Só não lidas"]') !== null, 'the buttons')
    expect(place.querySelector('[aria-label^="Só atrasadas"]')).toBeNull()
  })

  test('an address asks for what is late of a queue among those who wait', async () => {
    const { place, requests } = await pane({ targets: true, address: '/tickets?late=pending&queue=2' })
    const last = () => requests.findLast(({ path }) => path.endsWith('/tickets'))?.query
    await waitUntil(() => last()?.get('late') === 'true', 'late ones')
    expect([last()?.get('status'), last()?.get('queueIds'), last()?.get('showAll')]).toEqual(['pending', '[2]', 'true'])
    expect(place.querySelector('.t-queue-filter')?.textContent).toBe('Comercial')
  })

  test('a row has a box that marks it, and a press beside the box still opens', async () => {
    const ticket = makeTicket({ id: 4711, userId: null, user: null })
    const { place } = await pane({ tickets: [ticket] })
    await waitUntil(() => place.querySelector('#t-row-4711') !== null, 'the row')
    const slot = place.querySelector<HTMLElement>('#t-row-4711')
    act(() => slot?.querySelector<HTMLElement>('.t-mark')?.click())
    expect(marked.ids).toEqual([4711])
    await waitUntil(() => slot?.getAttribute('aria-checked') === 'true', 'it is marked')
    act(() => slot?.querySelector<HTMLElement>('.t-mark')?.click())
    expect(marked.ids).toEqual([])
  })
})

describe('spec 1 §2: the tabs', () => {
  test('Open, Closed, Paused, Internal chat, Search; Open with Assigned, Groups, Pending and their counts', async () => {
    const { tabs } = await pane({})
    expect(tabs()).toEqual([
      'Abertos',
      'Fechados',
      'Pausados3',
      'Interno',
      'Buscar',
      'Atribuídos4',
      'Grupos2',
      'Pendentes7',
    ])
  })

  test('count what the lists below them hold: where only what is unread is shown, that', async () => {
    const { tabs, place, choose } = await pane({ chosen: { showAll: true, queueIds: null, onlyUnread: true } })
    expect(tabs().slice(5)).toEqual(['Atribuídos1', 'Grupos2', 'Pendentes'])
    // Others may wait, who were read: the next one is one of those that are shown.
    choose('Pendentes')
    expect(place.querySelector('.t-next')).toBeNull()
    choose('Atribuídos')
  })

  test('Closed has Contacts and Groups, and asks the server for them', async () => {
    const { tabs, choose, requests } = await pane({})
    choose('Fechados')
    expect(tabs().slice(5)).toEqual(['Contatos', 'Grupos'])
    choose('Grupos')
    await act(() =>
      waitUntil(() => requests.some(({ query }) => query.get('status') === 'closedGroup'), 'closed groups'),
    )
    choose('Abertos')
  })

  test("'show all' appears for administrators and managers, for others with userShowAll", async () => {
    const offered = async (options: Parameters<typeof pane>[0]) =>
      (await pane(options)).place.querySelector('[role=switch]') !== null
    expect(await offered({ profile: 'admin' })).toBe(true)
    expect(await offered({ profile: 'gerente' })).toBe(true)
    expect(await offered({ profile: 'user' })).toBe(false)
    expect(await offered({ profile: 'user', settings: { userShowAll: true } })).toBe(true)
  })

  test("'show all' ends with the right to it", async () => {
    const { requests } = await pane({
      profile: 'user',
      settings: { userShowAll: true },
      chosen: { showAll: true, queueIds: null },
    })
    const last = () => requests.findLast(({ path }) => path.endsWith('/tickets'))?.query.get('showAll')
    expect(last()).toBe('true')
    await act(async () => {
      session.settings = { userShowAll: false }
    })
    await waitUntil(() => last() === 'false', 'asked again without all')
    expect(getStores().tickets.filters.showAll).toBe(false)
  })

  test("the choice of queues is each person's own on a shared device", async () => {
    const first = await pane({ chosen: { showAll: false, queueIds: [2] } })
    expect(first.queueButton()).toBe('Comercial')
    expect(first.asksFor()).toBe('[2]')
    const second = await pane({})
    expect(second.queueButton()).toBe('Todas as filas')
    expect(second.asksFor()).toBeNull()
  })

  test('what was searched for is not there for the next person', async () => {
    await pane({})
    ask({ text: 'boleto', queueIds: [2] })
    await pane({})
    expect(countSearchFilters(search.asked)).toBe(0)
    expect(search.asked.text).toBe('')
  })

  test('a remembered queue that is not there any more means all queues, for administrators too', async () => {
    for (const profile of ['admin', 'user'] as const) {
      const { asksFor, queueButton } = await pane({
        profile,
        queueIds: [1],
        chosen: { showAll: false, queueIds: [profile === 'admin' ? 99 : 2] },
      })
      await waitUntil(() => asksFor() === null, 'asked for all queues')
      expect(queueButton()).toBe('Todas as filas')
    }
  })

  test('a queue that is taken away leaves the search too', async () => {
    await pane({ profile: 'user', queueIds: [1, 2] })
    ask({ queueIds: [1, 2] })
    show(<SearchFilters request={search.asked} open={false} />)
    expect(search.asked.queueIds).toEqual([1, 2])
    await act(async () => takeQueues([2]))
    await waitUntil(() => search.asked.queueIds.join() === '2', 'the other is left')
  })

  test('a queue that is taken away while it is looked at leaves the choice; another one stays', async () => {
    const { asksFor, queueButton } = await pane({
      profile: 'user',
      queueIds: [1, 2],
      chosen: { showAll: false, queueIds: [2] },
    })
    expect(asksFor()).toBe('[2]')
    await act(async () => takeQueues([2]))
    expect(queueButton()).toBe('Comercial')
    await act(async () => takeQueues([1]))
    await waitUntil(() => asksFor() === null, 'asked for all queues')
    expect(queueButton()).toBe('Todas as filas')
  })

  test('what a user chose is kept while the settings are on their way', async () => {
    const { requests } = await pane({ profile: 'user', chosen: { showAll: true, queueIds: null } })
    expect(requests.findLast(({ path }) => path.endsWith('/tickets'))?.query.get('showAll')).toBe('true')
  })

  test('buttons: a new conversation, and the prompt for notifications', async () => {
    const { place } = await pane({})
    expect(place.querySelector('[aria-label="Nova conversa"]')).not.toBeNull()
    expect(place.querySelector('[aria-label="Avisos neste aparelho"]')).not.toBeNull()
  })
})

describe('in place of the rows', () => {
  const button = (place: HTMLElement, name: string) =>
    [...place.querySelectorAll<HTMLElement>('.b-empty button')].find(each => each.textContent?.startsWith(name))

  test('filters are cleared that hide something here, no others, and the focus goes on beside them', async () => {
    const { place, choose, asksFor } = await pane({ chosen: { showAll: true, queueIds: [2], onlyUnread: true } })
    choose('Fechados')
    await waitUntil(() => button(place, 'Limpar filtros') !== undefined, 'the way out')
    act(() => button(place, 'Limpar filtros')?.click())
    expect(document.activeElement?.className).toBe('t-queue-filter')
    await waitUntil(() => asksFor() === null, 'asked for all queues')
    expect(getStores().tickets.filters).toMatchObject({ queueIds: null, onlyUnread: true })
  })

  test('no button becomes another one while somebody is about to press it', async () => {
    let pending = 0
    const { place, choose } = await pane({ countPending: () => pending })
    choose('Fechados')
    await waitUntil(() => button(place, 'Nova conversa') !== undefined, 'the first thing to do')
    pending = 3
    await act(() => getStores().tickets.refreshCounts())
    await waitUntil(() => getStores().tickets.counts()?.pending === 3, 'somebody waits')
    expect([...place.querySelectorAll('.b-empty button')].map(each => each.textContent)).toEqual([
      'Ver todos',
      'Nova conversa N',
    ])
  })
})

describe('spec 1 §4: list behaviour', () => {
  test('a ticket is removed when its queue is not among the selected ones any more, and comes with one that is', async () => {
    const tickets = getStores().tickets
    tickets.refilter({ showAll: true, queueIds: [1] })
    const ticket = makeTicket({ id: nextId++, queueId: 1, lastMessageAt: toMinute(90) })
    answer((_, url) =>
      url.pathname.endsWith('/tickets/pinned')
        ? Response.json([])
        : url.pathname.endsWith('/tickets')
          ? Response.json({ tickets: [ticket], hasMore: false, count: 1, nextCursor: null })
          : Response.json({
              assigned: 1,
              groups: 0,
              pending: 0,
              paused: 0,
              pausedUnread: 0,
              bot: 0,
              unread: 0,
              followed: 0,
            }),
    )
    await tickets.loadFirst('assigned')
    expect(tickets.list('assigned').ids).toEqual([ticket.id])
    tickets.takeEvents([makeUpdateEvent({ ...ticket, queueId: 2, version: 2 })])
    expect(tickets.list('assigned').ids).toEqual([])
    tickets.takeEvents([makeUpdateEvent({ ...ticket, queueId: 1, version: 3 })])
    expect(tickets.list('assigned').ids).toEqual([ticket.id])
    tickets.refilter({ showAll: false, queueIds: null })
  })
})

describe('spec 1 §2: what was found', () => {
  const hit = (messageId: number, ticketId: number) => ({
    messageId,
    ticketId,
    text: 'boleto',
    mediaType: 'chat' as const,
    fromMe: false,
    name: 'Dona Lúcia',
    createdAt: toMinute(1),
  })

  test('is stepped through with J and K: conversations, then each message, also two of one conversation', () => {
    const rows = toResultRows({ tickets: [1, 2], hits: [hit(10, 3), hit(11, 3)] })
    expect(stepToRow(rows, null, null, 1)?.key).toBe('t1')
    expect(stepToRow(rows, 't1', 1, 1)?.key).toBe('t2')
    expect(stepToRow(rows, 't2', 2, 1)?.key).toBe('m10')
    expect(stepToRow(rows, 'm10', 3, 1)?.key).toBe('m11')
    expect(stepToRow(rows, 'm11', 3, -1)?.key).toBe('m10')
    expect(stepToRow(rows, 'm11', 3, 1)).toBeUndefined()
    expect(stepToRow(rows, 't1', 2, 1)?.key).toBe('m10')
  })
})
