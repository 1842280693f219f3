import { describe, expect, spyOn, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import errors from '@balcao/contract/texts/errors/pt.json'
import { ApiError } from '@balcao/ui/api'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { startPageServer } from '../../ui/test/page.ts'
import pt from '../locales/conversation/pt.json'
import { toHelperId } from '../src/composer/drafts.ts'
import { OutgoingQueue, type UnsentMessage } from '../src/composer/outgoing.ts'
import { getStores, isRetryable } from '../src/desk/stores.ts'
import { UnsentNote } from '../src/message/UnsentNote.tsx'
import { makeMessage, makeUser } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })

/** A server at the other end of a line that can be cut. */
function world() {
  const storage = new Map<string, string>()
  const state = { online: true, refuse: null as string | null, loseAnswers: false }
  const stored = new Map<string, Message>()
  const shown: Message[] = []
  const server = {
    async post(entry: UnsentMessage): Promise<Message> {
      if (!state.online) throw new TypeError('no network')
      if (state.refuse) throw new Error(state.refuse)
      const known =
        stored.get(entry.clientId) ?? makeMessage({ id: stored.size + 1, body: entry.body, clientId: entry.clientId })
      stored.set(entry.clientId, known)
      if (state.loseAnswers) throw new TypeError('answer lost')
      return known
    },
  }
  /** Windows that are there, with who waits for their end. */
  const windows = new Map<string, (() => void)[]>()
  function close(windowId: string) {
    const heirs = windows.get(windowId) ?? []
    windows.delete(windowId)
    for (const adopt of heirs) adopt()
  }
  const queues = new Map<string, OutgoingQueue>()
  /** As browsers do: later, and to the other windows alone. */
  function tellOthers(windowId: string, key: string) {
    for (const [id, queue] of queues) if (id !== windowId && windows.has(id)) queueMicrotask(() => queue.hear(key))
  }
  function open(windowId: string = crypto.randomUUID()) {
    const queue = new OutgoingQueue({
      userId: 7,
      windowId,
      afterWindow: (id, adopt) => void (windows.get(id)?.push(adopt) ?? adopt()),
      now: () => new Date('2026-11-20T12:00:00Z'),
      storage: {
        getItem: key => storage.get(key) ?? null,
        setItem: (key, value) => {
          storage.set(key, value)
          tellOthers(windowId, key)
        },
        removeItem: key => {
          storage.delete(key)
          tellOthers(windowId, key)
        },
        key: index => [...storage.keys()][index] ?? null,
        get length() {
          return storage.size
        },
      },
      post: entry => server.post(entry),
      upload: async (file, _ticketId, _voice, progress) => {
        if (!state.online) throw new TypeError('no network')
        progress(0.5)
        return `upload-of-${file.name}`
      },
      refusal: error => (error instanceof TypeError ? null : error instanceof Error ? error.message : '?'),
      sent: message => shown.push(message),
    })
    queues.set(windowId, queue)
    return queue
  }
  return { state, storage, stored, shown, open, windows, close }
}

const words = (body: string) => ({ ticketId: 1, body, quoted: null })

describe('a comment that calls a helper', () => {
  const wrong = [{ path: 'userId', code: 'Invalid', message: 'Esta pessoa já atende' }]
  const refusal = { error: 'ERR_VALIDATION', message: errors.ERR_VALIDATION, details: wrong }
  async function comment(answer: () => Response) {
    const posted: string[] = []
    const page = startPageServer({
      async fetch(request, url) {
        if (request.method === 'PUT' && url.pathname.endsWith('/followers/8')) return answer()
        if (request.method !== 'POST') return Response.json([])
        const { body, clientId } = await request.json()
        posted.push(body)
        return Response.json(makeMessage({ body, clientId, mediaType: 'comment' }), { status: 201 })
      },
    })
    endSession()
    session.user = makeUser('user')
    const { outgoing } = getStores()
    outgoing.add({ ...words('-- @Bruna, veja'), members: [{ id: toHelperId(8), name: 'Bruna' }] })
    await waitUntil(() => outgoing.all().every(({ state }) => state !== 'posting'))
    const left = outgoing.all().map(({ state }) => state)
    for (const { clientId } of outgoing.all()) outgoing.discard(clientId)
    const warnings = notices.list.map(({ text, detail }) => [text, detail])
    await page.stop(true)
    endSession()
    return { posted, left, warnings }
  }

  test('is there though the helper cannot follow the conversation; who wrote it is told why', async () => {
    const { posted, left, warnings } = await comment(() => Response.json(refusal, { status: 422 }))
    expect([posted, left, warnings]).toEqual([['-- @Bruna, veja'], [], [['Bruna', 'Esta pessoa já atende']]])
  })

  test('waits while it is not known whether the helper sees the conversation', async () => {
    const busy = () => Response.json({ error: 'ERR_NOT_READY', message: '' }, { status: 503 })
    expect(await comment(busy)).toEqual({ posted: [], left: ['waiting'], warnings: [] })
  })
})

describe('a file that does not get up', () => {
  test('can be taken away while it waits, so that what is behind it goes out', async () => {
    const posted: string[] = []
    const page = startPageServer({
      async fetch(request, { pathname }) {
        if (pathname === '/uploads') return Response.json({ error: 'ERR_NOT_READY', message: '' }, { status: 503 })
        if (request.method !== 'POST') return Response.json([])
        const { body, clientId } = await request.json()
        posted.push(body)
        return Response.json(makeMessage({ body, clientId }), { status: 201 })
      },
    })
    endSession()
    session.user = makeUser('user')
    const { outgoing } = getStores()
    outgoing.add(words(''), new File(['x'], 'video.mp4'))
    outgoing.add(words('conseguiu ver?'))
    const place = document.createElement('div')
    const root = createRoot(place)
    function draw() {
      act(() => root.render(createElement(UnsentNote, { entry: outgoing.all()[0] })))
      return place.querySelector('button')
    }
    expect(draw()).toBeNull()
    await waitUntil(() => outgoing.all()[0]?.state === 'waiting')
    expect(draw()?.textContent).toBe('Descartar')
    act(() => draw()?.click())
    await waitUntil(() => outgoing.all().length === 0)
    expect(posted).toEqual(['conseguiu ver?'])
    act(() => root.unmount())
    await page.stop(true)
    endSession()
  })
})

async function waitUntil(condition: () => boolean) {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

/** As Firefox sorts and the engine of the tests does not: in front stays what the comparison does not put behind. */
function sortLeftFirst<Item>(this: Item[], compare: (a: Item, b: Item) => number = () => 0): Item[] {
  return this.reduce<Item[]>(
    (sorted, each) => sorted.toSpliced(sorted.findLastIndex(before => compare(before, each) <= 0) + 1, 0, each),
    [],
  )
}

describe('sending', () => {
  test('a text is shown at once and is gone from the queue when the server has it', async () => {
    const { open, shown } = world()
    const queue = open()
    queue.add(words('Oi'))
    expect(queue.all().map(entry => entry.state)).toEqual(['posting'])
    await waitUntil(() => queue.all().length === 0)
    expect(shown.map(message => message.body)).toEqual(['Oi'])
  })

  test('texts of one ticket go out in the order they were written', async () => {
    const { open, shown } = world()
    const queue = open()
    for (const body of ['um', 'dois', 'três']) queue.add(words(body))
    await waitUntil(() => queue.all().length === 0)
    expect(shown.map(message => message.body)).toEqual(['um', 'dois', 'três'])
  })

  test('without a network it waits, survives a reload, and goes out once when the line is back', async () => {
    const { open, state, stored, shown } = world()
    state.online = false
    const before = open()
    before.add({ ...words('offline'), choices: [{ name: 'Sim' }, { name: 'Não' }] })
    await waitUntil(() => before.all()[0]?.state === 'waiting')
    await before.stop()
    const after = open()
    expect(after.all().map(({ body, choices }) => [body, choices?.length])).toEqual([['offline', 2]])
    state.online = true
    after.wake()
    await waitUntil(() => after.all().length === 0)
    expect(stored.size).toBe(1)
    expect(shown).toHaveLength(1)
  })

  test('an answer that got lost is asked for again under the same clientId: one message, not two', async () => {
    const { open, state, stored } = world()
    state.loseAnswers = true
    const queue = open()
    queue.add(words('só uma vez'))
    await waitUntil(() => queue.all()[0]?.state === 'waiting')
    state.loseAnswers = false
    queue.wake()
    await waitUntil(() => queue.all().length === 0)
    expect(stored.size).toBe(1)
    await queue.stop()
  })

  test('a file that a full disk refuses, or that was changed, is refused at once, so that the texts behind it go out; a server that starts is waited for', () => {
    expect(isRetryable(new ApiError('ERR_NO_SPACE', 507, ''))).toBe(false)
    expect(isRetryable(new ApiError('FILE_CHANGED', 0, ''))).toBe(false)
    expect(isRetryable(new ApiError('ERR_NOT_READY', 503, ''))).toBe(true)
  })

  test('a refusal stays with its reason until the person tries again or discards it', async () => {
    const { open, state, storage } = world()
    state.refuse = 'Já se passaram mais de 24 horas'
    const queue = open()
    const clientId = queue.add(words('Oi'))
    await waitUntil(() => queue.all()[0]?.state === 'refused')
    expect(queue.all()[0]?.error).toBe('Já se passaram mais de 24 horas')
    expect(open().all()[0]?.state).toBe('refused')
    state.refuse = null
    queue.retry(clientId)
    await waitUntil(() => queue.all().length === 0)
    expect(storage.size).toBe(0)
  })

  test('a refused text does not hold up the one behind it', async () => {
    const { open, state, shown } = world()
    state.refuse = 'não'
    const queue = open()
    queue.add(words('recusada'))
    await waitUntil(() => queue.all()[0]?.state === 'refused')
    state.refuse = null
    queue.add(words('aceita'))
    await waitUntil(() => shown.length === 1)
    expect(queue.all().map(entry => entry.body)).toEqual(['recusada'])
  })

  test('the live event of a message settles its entry, whichever of the two comes first', async () => {
    const { open, state } = world()
    state.loseAnswers = true
    const queue = open()
    const clientId = queue.add(words('Oi'))
    await waitUntil(() => queue.all()[0]?.state === 'waiting')
    queue.settle({ clientId })
    expect(queue.all()).toEqual([])
    await queue.stop()
  })

  test('what is on its way when its writer leaves is finished; what is refused for it then, or waits, goes out when they come back', async () => {
    const { open, state, storage, shown } = world()
    const queue = open()
    queue.add(words('na rua'))
    expect(await queue.stop()).toEqual([])
    expect([storage.size, shown]).toEqual([0, []])
    const late = open()
    state.refuse = 'nobody is signed in'
    late.add(words('tarde'))
    late.add({ ...words('depois'), ticketId: 2 })
    expect((await late.stop()).map(entry => entry.body)).toEqual(['tarde', 'depois'])
    state.refuse = null
    const after = open()
    after.wake()
    await waitUntil(() => storage.size === 0)
    expect(shown.map(message => message.body)).toEqual(['tarde', 'depois'])
  })

  test('a text behind a file that goes up elsewhere is left to that window while it is there, and goes out when it has closed', async () => {
    const { open, windows, close, stored, shown, state } = world()
    for (const id of ['first', 'second', 'third', 'fourth']) windows.set(id, [])
    state.online = false
    const first = open('first')
    first.add(words(''), new File(['x'], 'video.mp4'))
    first.add(words('conseguiu ver?'))
    await waitUntil(() => first.all()[0]?.isDelayed === true)
    state.online = true
    const [second, third] = [open('second'), open('third')]
    second.wake()
    third.wake()
    second.add(words('da segunda janela'))
    await waitUntil(() => shown.some(({ body }) => body === 'da segunda janela'))
    expect([...stored.values()].map(({ body }) => body)).toEqual(['da segunda janela'])
    first.wake()
    await waitUntil(() => first.all().length === 0)
    expect([...stored.values()].map(({ body }) => body)).toEqual(['da segunda janela', '', 'conseguiu ver?'])

    state.online = false
    first.add(words('mais uma'))
    await waitUntil(() => first.all()[0]?.isDelayed === true)
    const fourth = open('fourth')
    state.online = true
    await first.stop()
    close('first')
    await waitUntil(() => [second, third, fourth].every(queue => queue.all().length === 0))
    // What the first had sent by then is sent again by none, and what it left by one.
    expect(shown.map(({ body }) => body)).toEqual(['da segunda janela', '', 'conseguiu ver?', 'mais uma'])
  })

  test('what a window writes and leaves goes out from one that was there before it, and until then waits in both', async () => {
    const { open, windows, close, shown, state } = world()
    for (const id of ['first', 'second', 'third']) windows.set(id, [])
    const [first, second, third] = [open('first'), open('second'), open('third')]
    first.add(words('oi'))
    await waitUntil(() => first.all().length === 0)
    state.online = false
    const clientId = first.add(words('bom dia'))
    await waitUntil(() => first.all()[0]?.isDelayed === true)
    await waitUntil(() => [second, third].every(queue => queue.all()[0]?.clientId === clientId))
    state.online = true
    second.wake()
    await first.stop()
    expect([shown.map(({ body }) => body), windows.get('first')?.length]).toEqual([['oi'], 2])
    close('first')
    await waitUntil(() => [second, third].every(queue => queue.all().length === 0))
    expect(shown.map(({ body }) => body)).toEqual(['oi', 'bom dia'])
  })

  test('what a window wrote as it closed goes out, whichever is heard of first', async () => {
    const { open, windows, close, shown, state, storage } = world()
    for (const id of ['first', 'second']) windows.set(id, [])
    const [first, second] = [open('first'), open('second')]
    state.online = false
    first.add(words('bom dia'))
    await waitUntil(() => first.all()[0]?.isDelayed === true && second.all().length === 1)
    const key = [...storage.keys()][0] ?? ''
    const last = { ...JSON.parse(storage.get(key) ?? ''), clientId: 'b', body: 'tudo bem?', isDelayed: undefined }
    await first.stop()
    close('first')
    state.online = true
    storage.set(key.replace(/[^.]*$/, 'b'), JSON.stringify(last))
    second.hear(key.replace(/[^.]*$/, 'b'))
    second.wake()
    await waitUntil(() => shown.length === 2)
    expect([shown.map(({ body }) => body), second.all(), storage.size]).toEqual([['bom dia', 'tudo bem?'], [], 0])
  })

  test('what was written in one instant stays in its order, whatever is heard of another window', async () => {
    const { open, windows, state, shown } = world()
    for (const id of ['first', 'second']) windows.set(id, [])
    const [first, second] = [open('first'), open('second')]
    state.online = false
    second.add({ ...words('da segunda janela'), ticketId: 2 })
    for (const body of ['um', 'dois', 'três']) first.add(words(body))
    await waitUntil(() => first.all().length === 4 && second.all().length === 2)
    const sorting = spyOn(Array.prototype, 'toSorted').mockImplementation(sortLeftFirst)
    second.add({ ...words('mais uma'), ticketId: 3 })
    await waitUntil(() => first.all().length === 5)
    sorting.mockRestore()
    state.online = true
    first.wake()
    await waitUntil(() => shown.length >= 3 && first.all().every(({ ticketId }) => ticketId !== 1))
    expect(shown.map(({ body }) => body)).toEqual(['um', 'dois', 'três'])
  })

  test('what was written in one instant stays in its order over a reload, however the browser stores it', async () => {
    const { open, state, storage, shown } = world()
    state.online = false
    const bodies = Array.from({ length: 20 }, (_, index) => `linha ${index}`)
    const before = open()
    for (const body of bodies) before.add(words(body))
    await before.stop()
    const entries = [...storage].sort(([one], [other]) => (one < other ? -1 : 1))
    storage.clear()
    for (const [key, value] of entries) storage.set(key, value)
    const after = open()
    expect(after.all().map(({ body }) => body)).toEqual(bodies)
    state.online = true
    after.wake()
    await waitUntil(() => after.all().length === 0)
    expect(shown.map(({ body }) => body)).toEqual(bodies)
  })

  test('what is refused or discarded in one window is so in the others', async () => {
    const { open, windows, state } = world()
    for (const id of ['first', 'second']) windows.set(id, [])
    const [first, second] = [open('first'), open('second')]
    state.online = false
    const clientId = first.add(words('bom dia'))
    await waitUntil(() => second.all()[0]?.state === 'waiting')
    Object.assign(state, { online: true, refuse: 'A conversa foi encerrada' })
    first.wake()
    await waitUntil(() => second.all()[0]?.state === 'refused')
    second.discard(clientId)
    await waitUntil(() => first.all().length === 0)
    expect(second.all()).toEqual([])
  })

  test('what a window that has closed was refused stays refused', async () => {
    const { open, windows, close, shown, state } = world()
    for (const id of ['first', 'second']) windows.set(id, [])
    state.online = false
    const first = open('first')
    first.add(words('bom dia'))
    await waitUntil(() => first.all()[0]?.isDelayed === true)
    const second = open('second')
    Object.assign(state, { online: true, refuse: 'A conversa foi encerrada' })
    first.wake()
    await waitUntil(() => first.all()[0]?.state === 'refused')
    state.refuse = null
    close('first')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect([shown, second.all().map(({ state, error }) => [state, error])]).toEqual([
      [],
      [['refused', 'A conversa foi encerrada']],
    ])
  })

  test('a file goes up first and is posted with its upload; until it is up a reload would lose it', async () => {
    const { open, shown } = world()
    const queue = open()
    queue.add(words(''), new File(['x'.repeat(10)], 'foto.png', { type: 'image/png' }))
    expect(queue.holdsFiles()).toBe(true)
    await waitUntil(() => shown.length === 1)
    expect([queue.all(), queue.holdsFiles()]).toEqual([[], false])
  })
})
