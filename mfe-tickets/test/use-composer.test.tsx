import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { QuickAnswer } from '@balcao/contract'
import { MB } from '@balcao/contract/kit/limits'
import { addTexts } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, forgetPerson, session } from '@balcao/ui/session'
import { act, createRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import pt from '../locales/conversation/pt.json'
import en from '../locales/en.json'
import es from '../locales/es.json'
import { readParcel } from '../src/composer/at-hand.ts'
import { type ComposerContext, createTicketComposerContext } from '../src/composer/composer-context.ts'
import { drafts, keepDraft, keepSheet, readDraft } from '../src/composer/drafts.ts'
import { Editor } from '../src/composer/Editor.tsx'
import { keepRecent, listRecentEmojis } from '../src/composer/emoji-data.ts'
import type { UnsentMessage } from '../src/composer/outgoing.ts'
import { createEmptySheet } from '../src/composer/sheet.ts'
import { type Composer, useComposer } from '../src/composer/use-composer.ts'
import WindowNote from '../src/composer/WindowNote.tsx'
import { listBlanks } from '../src/composer/wording.ts'
import { useWhole } from '../src/conversation/use-conversation.ts'
import { getStores } from '../src/desk/stores.ts'
import { view } from '../src/desk/view.ts'
import { makeMessage, makeTicket, makeUser, VIEWER } from './make.ts'

addTexts('tickets', { pt, en, es })

/** Holds each file back until the test lets it go. */
let letGo: () => void
let held: Promise<void>
const files = Bun.serve({
  port: 0,
  async fetch(request) {
    await held
    const size = Number(new URL(request.url).searchParams.get('size'))
    return new Response(new Uint8Array(size), {
      headers: { 'content-type': 'application/pdf', 'access-control-allow-origin': '*' },
    })
  },
})
afterAll(() => files.stop(true))

let root: Root
let composer: Composer
const field = createRef<HTMLTextAreaElement>()
/** With a limit that a few files reach: what is counted is the same, and nothing large is on its way. */
const place = { ...createTicketComposerContext(makeTicket({ id: 501 })), most: 2 * MB }

function Probe() {
  composer = useComposer(place, field)
  return null
}

function There({ there }: { readonly there: ComposerContext }) {
  composer = useComposer(there, field)
  return null
}

/** What stands in a conversation for what is not on the server yet. */
let shown: string[] = []
function Waiting({ entries }: { readonly entries: readonly UnsentMessage[] }) {
  shown = useWhole([], entries, undefined).map(({ mediaType }) => mediaType)
  return null
}

beforeEach(() => {
  for (const { lane } of [place, there]) keepSheet(lane, createEmptySheet())
  localStorage.clear()
  sessionStorage.clear()
  held = new Promise(resolve => {
    letGo = resolve
  })
  root = createRoot(document.createElement('div'))
  act(() => root.render(<Probe />))
})

describe('spec 1 §5: a quick answer with a file', () => {
  test('counts towards the total limit of the attachments', async () => {
    expect(createTicketComposerContext(makeTicket({ id: 501 })).most).toBe(20 * MB)
    letGo()
    act(() => composer.takeAnswer(answer(3 * MB)))
    await waitUntil(() => composer.problem !== null, 'a problem')
    expect(composer.problem).toBe('Os arquivos selecionados excedem o limite total de 2 MB.')
    expect(composer.sheet.files).toEqual([])
    expect(composer.text).toBe('Segue a tabela')
  })

  test('lets stand what is written and added while its file is on its way', async () => {
    act(() => composer.takeAnswer(answer(1000)))
    act(() => composer.setText('Segue a tabela de novembro'))
    letGo()
    await waitUntil(() => composer.sheet.files.length > 0, 'the file')
    expect(composer.text).toBe('Segue a tabela de novembro')
    expect(composer.sheet.files.map(({ file }) => file.name)).toEqual(['tabela.pdf'])
  })

  test('together with files that were added meanwhile it keeps to the limit', async () => {
    act(() => composer.takeAnswer(answer(MB)))
    act(() => composer.addFiles([new File([new Uint8Array(1.5 * MB)], 'foto.pdf')]))
    letGo()
    await waitUntil(() => composer.problem !== null, 'a problem')
    expect(composer.sheet.files.map(({ file }) => file.name)).toEqual(['foto.pdf'])
  })
})

describe('who sends before the file of a quick answer is there', () => {
  const listSent = () =>
    getStores()
      .outgoing.all()
      .filter(({ ticketId }) => ticketId === place.lane)
  const before = new Set<string>()
  const listNew = () => listSent().filter(({ clientId }) => !before.has(clientId))
  beforeEach(() => {
    notices.list = []
    for (const { clientId } of listSent()) before.add(clientId)
  })

  test('sends both in one, once it is', async () => {
    act(() => composer.takeAnswer(answer(1000)))
    act(() => composer.send())
    act(() => composer.send())
    expect([listNew().length, composer.text, composer.problem]).toEqual([
      0,
      'Segue a tabela',
      pt.composer.answerFileComing,
    ])
    letGo()
    await waitUntil(() => listNew().length > 0, 'it goes')
    expect(listNew().map(({ body, file }) => [body.includes('Segue a tabela'), file?.name])).toEqual([
      [true, 'tabela.pdf'],
    ])
    expect([composer.text, composer.sheet.files.length]).toEqual(['', 0])
  })

  test('and writes on meanwhile has it lie there, with its file', async () => {
    act(() => composer.takeAnswer(answer(1000)))
    act(() => composer.send())
    act(() => composer.setText('Segue a tabela nova'))
    letGo()
    await waitUntil(() => composer.sheet.files.length > 0, 'the file')
    expect([composer.text, listNew().length]).toEqual(['Segue a tabela nova', 0])
  })

  test('and leaves is told that it is not attached; the words are kept', async () => {
    act(() => composer.takeAnswer(answer(1000)))
    act(() => composer.send())
    act(() => root.unmount())
    letGo()
    await waitUntil(() => notices.list.length > 0, 'a notice')
    expect(notices.list.map(({ text }) => text)).toEqual([pt.composer.answerFileFailed])
    expect([listNew().length, readDraft(place.lane)]).toEqual([0, 'Segue a tabela'])
  })

  test('of one whose words are taken out again gets no file', async () => {
    act(() => composer.takeAnswer(answer(1000)))
    act(() => composer.setText(''))
    letGo()
    await fetch(`${files.url}?size=1`)
    await act(() => new Promise<void>(resolve => setImmediate(resolve)))
    expect(composer.sheet.files).toEqual([])
  })
})

test('Enter sends no half word while the list it is chosen from is on its way', async () => {
  // What a chosen word is put in with, where the list is there already.
  document.execCommand = () => true
  const count = () =>
    getStores()
      .outgoing.all()
      .filter(({ ticketId }) => ticketId === place.lane).length
  const before = count()
  const box = document.body.appendChild(document.createElement('div'))
  const page = createRoot(box)
  await act(async () =>
    page.render(
      <MemoryRouter>
        <RemoteArea name="mfe_tickets">
          <Editor place={place} placeholder="" />
        </RemoteArea>
      </MemoryRouter>,
    ),
  )
  const text = box.querySelector('textarea')
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(text, 'Oi {{na')
    text?.setSelectionRange(7, 7)
    text?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  act(() => {
    text?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  expect(count()).toBe(before)
  act(() => page.unmount())
  box.remove()
})

describe('files that lie there when the composer is left', () => {
  const boleto = () => new File([new Uint8Array(1000)], 'boleto.pdf')
  const reopen = (there: ComposerContext = place) => {
    act(() => root.unmount())
    root = createRoot(document.createElement('div'))
    act(() => root.render(<There there={there} />))
  }
  const names = () => composer.sheet.files.map(({ file, caption }) => [file.name, caption])
  /** Whether the browser would ask before the page goes. */
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  beforeEach(() => {
    endSession()
    getStores()
  })
  afterEach(() => {
    act(() => root.unmount())
    delete view.target[place.lane]
  })

  test('are there again with their captions, and the row names one without words; a reload asks first', () => {
    expect(asks()).toBe(false)
    act(() => composer.addFiles([boleto()]))
    act(() => root.unmount())
    expect(drafts.known[place.lane]?.text).toBe('boleto.pdf')
    reopen()
    act(() => composer.setText('Segue o boleto'))
    reopen()
    expect([composer.text, names(), asks()]).toEqual(['Segue o boleto', [['boleto.pdf', 'Segue o boleto']], true])
    expect(readParcel(place.lane)?.file?.name).toBe('boleto.pdf')
    act(() => root.unmount())
    expect(readParcel(place.lane)?.file?.name).toBe('boleto.pdf')
    reopen()
  })

  test('and went with the page are told of, until something is written', () => {
    act(() => composer.addFiles([boleto()]))
    act(() => composer.setText('Segue o boleto'))
    const { user } = session
    endSession()
    session.user = user
    reopen()
    expect([composer.text, composer.problem]).toEqual([
      'Segue o boleto',
      '1 arquivo que estava aqui não ficou: anexe de novo.',
    ])
    act(() => composer.setText('Segue o boleto amanhã'))
    expect(composer.problem).toBeNull()
    reopen()
    expect(composer.problem).toBeNull()
  })

  test('are lost in no other tab while they lie in this one', () => {
    act(() => composer.addFiles([boleto()]))
    act(() => composer.setText('Segue o boleto'))
    const { user } = session
    endSession()
    session.user = user
    // Each tab has one of its own.
    sessionStorage.clear()
    reopen()
    expect([composer.text, composer.problem]).toEqual(['Segue o boleto', null])
  })

  test('are written back nowhere once their writer has left, though the conversation was not accepted', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    reopen({ ...place, accept: () => promise })
    act(() => composer.setText('Segue o boleto'))
    act(() => composer.send())
    act(() => root.unmount())
    forgetPerson()
    endSession()
    await act(async () => resolve(false))
    expect(Object.keys(localStorage).filter(key => key.startsWith('balcao.draft'))).toEqual([])
  })

  test('lie there again where the conversation was not accepted meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: ComposerContext = { ...place, accept: () => promise }
    reopen(waiting)
    act(() => composer.addFiles([boleto()]))
    act(() => composer.setText('Segue o boleto'))
    act(() => composer.send())
    act(() => root.unmount())
    await act(async () => resolve(false))
    reopen(waiting)
    expect([composer.text, names()]).toEqual(['Segue o boleto', [['boleto.pdf', 'Segue o boleto']]])
  })

  test('lie there once where the composer was left and opened again before that', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: ComposerContext = { ...place, accept: () => promise }
    reopen(waiting)
    act(() => composer.addFiles([boleto()]))
    act(() => composer.setText('Segue o boleto'))
    act(() => composer.send())
    reopen(waiting)
    await act(async () => resolve(false))
    expect([composer.text, composer.sheet.text, names()]).toEqual([
      'Segue o boleto',
      '',
      [['boleto.pdf', 'Segue o boleto']],
    ])
  })

  test('lie there no more once they went out, in a composer that was opened again before that either', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: ComposerContext = { ...place, accept: () => promise }
    reopen(waiting)
    act(() => composer.setText('Bom dia'))
    act(() => composer.send())
    reopen(waiting)
    await act(async () => resolve(true))
    expect([composer.text, readDraft(place.lane), drafts.known[place.lane]]).toEqual(['', '', undefined])
  })

  test('what was written on in a composer that was opened again meanwhile stays', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: ComposerContext = { ...place, accept: () => promise }
    reopen(waiting)
    act(() => composer.setText('Bom dia'))
    act(() => composer.send())
    reopen(waiting)
    act(() => composer.setText('Chegou?'))
    await act(async () => resolve(true))
    expect([composer.text, readDraft(place.lane)]).toEqual(['Chegou?', 'Chegou?'])
  })

  test('and so do two that were sent meanwhile, each once', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    reopen({ ...place, accept: () => promise })
    for (const words of ['Bom dia', 'Chegou?']) {
      act(() => composer.setText(words))
      act(() => composer.send())
    }
    await act(async () => resolve(false))
    expect([composer.text.split('\n').sort(), readDraft(place.lane)]).toEqual([['Bom dia', 'Chegou?'], composer.text])
  })

  test('and so does what was written into a change of a message', async () => {
    const message = makeMessage({ id: 9, fromMe: true, body: 'Sai hoje' })
    await act(async () => {
      view.target[place.lane] = { kind: 'edit', message }
    })
    act(() => composer.setText('Sai amanhã'))
    reopen()
    expect([composer.text, asks()]).toEqual(['Sai amanhã', true])
    act(() => composer.clearTarget())
    expect([composer.text, asks()]).toEqual(['', false])
  })
})

describe('what is pasted', () => {
  const picture = new File([new Uint8Array(100)], 'image.png', { type: 'image/png' })
  let lane = 550
  let box: HTMLElement
  let page: Root
  beforeEach(async () => {
    box = document.body.appendChild(document.createElement('div'))
    page = createRoot(box)
    await act(async () =>
      page.render(
        <MemoryRouter>
          <RemoteArea name="mfe_tickets">
            <Editor place={{ ...place, lane: lane++ }} placeholder="" />
          </RemoteArea>
        </MemoryRouter>,
      ),
    )
  })
  afterEach(() => {
    act(() => page.unmount())
    box.remove()
  })
  /** Whether the browser puts the words into the field, and how many files lie in the composer. */
  async function paste(texts: Readonly<Record<string, string>>) {
    const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
      clipboardData: {
        files: [picture],
        types: [...Object.keys(texts), 'Files'],
        getData: (type: string) => texts[type] ?? '',
      },
    })
    await act(async () => void box.querySelector('textarea')?.dispatchEvent(event))
    await waitUntil(() => event.defaultPrevented === (box.querySelector('.k-tile') !== null), 'the tile')
    return { words: !event.defaultPrevented, tiles: box.querySelectorAll('.k-tile').length }
  }

  test('are the words of cells, not the picture a spreadsheet lays beside them', async () => {
    expect(await paste({ 'text/plain': 'R$ 1.250,00', 'text/html': '<td>R$ 1.250,00</td>' })).toEqual({
      words: true,
      tiles: 0,
    })
    expect(await paste({ 'text/plain': 'R$ 1.250,00', 'text/rtf': '{}' })).toEqual({ words: true, tiles: 0 })
  })

  test('is a picture copied in a page, which has no words', async () => {
    expect(await paste({ 'text/html': '<img src="a.png">' })).toEqual({ words: false, tiles: 1 })
  })

  test('is a file copied with its name', async () => {
    expect(await paste({ 'text/plain': 'image.png' })).toEqual({ words: false, tiles: 1 })
  })
})

describe('where the storage of the browser is full', () => {
  const roomy = localStorage
  const full = new Proxy(roomy, {
    get(storage, name) {
      if (name === 'setItem') throw new DOMException('full', 'QuotaExceededError')
      const value: unknown = Reflect.get(storage, name)
      return typeof value === 'function' ? value.bind(storage) : value
    },
  })
  const use = (value: Storage) => Object.defineProperty(globalThis, 'localStorage', { value, configurable: true })
  beforeEach(() => {
    endSession()
    getStores()
    notices.list = []
    use(full)
  })
  afterEach(() => {
    use(roomy)
    act(() => root.unmount())
    endSession()
  })
  const open = (there: ComposerContext = place) => {
    act(() => root.unmount())
    root = createRoot(document.createElement('div'))
    act(() => root.render(<There there={there} />))
  }

  test('a message in a conversation that waits goes out once that is accepted', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    open({ ...place, accept: () => promise })
    act(() => composer.setText('Bom dia'))
    act(() => composer.send())
    await act(async () => resolve(true))
    const { outgoing } = getStores()
    expect(outgoing.all().map(({ body }) => body.includes('Bom dia'))).toEqual([true])
    expect(readDraft(place.lane)).toBe('')
  })

  test('a quick answer has its file', async () => {
    open()
    act(() => composer.takeAnswer(answer(1000)))
    letGo()
    await waitUntil(() => composer.sheet.files.length > 0, 'the file')
    expect(composer.text).toBe('Segue a tabela')
  })

  test('what is half written is there again on coming back, and it is said once that it does not outlive the page', () => {
    open()
    act(() => composer.setText('Bom'))
    act(() => composer.setText('Bom dia'))
    open()
    expect(composer.text).toBe('Bom dia')
    expect(notices.list.map(({ text }) => text)).toEqual([pt.composer.notKept])
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  })

  test('an emoji is taken all the same', () => {
    keepRecent('🧾')
    expect(listRecentEmojis()).toContain('👍')
  })
})

describe('an edit that is being saved', () => {
  const message = makeMessage({ id: 9, fromMe: true, body: '*Marina:*\nSai hoje' })
  const saved: string[] = []
  let ready: PromiseWithResolvers<void>
  const saves: ComposerContext = {
    ...place,
    lane: 504,
    saveEdit: (_, body) => {
      saved.push(body)
      return ready.promise
    },
  }
  const choose = (kind: 'reply' | 'edit', id = message.id) =>
    act(async () => {
      view.target[saves.lane] = { kind, message: { ...message, id } }
    })
  const answered = () => act(async () => ready.resolve())
  beforeEach(async () => {
    saved.length = 0
    ready = Promise.withResolvers()
    act(() => root.render(<There there={saves} />))
    await choose('edit')
    act(() => composer.setText('Sai amanhã'))
    act(() => composer.send())
  })
  afterEach(() => void delete view.target[saves.lane])

  test('is saved once, however often Enter is pressed, and is done with', async () => {
    act(() => composer.send())
    await answered()
    expect(saved).toEqual(['*Marina:*\nSai amanhã'])
    expect([composer.target, composer.text]).toEqual([undefined, ''])
  })

  test('and left takes nothing along that was chosen since', async () => {
    act(() => composer.clearTarget())
    await choose('reply', 10)
    await answered()
    expect([view.target[saves.lane]?.kind, view.target[saves.lane]?.message.id]).toEqual(['reply', 10])
  })

  test('and written on in stays, with what was written', async () => {
    act(() => composer.setText('Sai amanhã cedo'))
    await answered()
    expect([composer.editing, composer.text]).toEqual([true, 'Sai amanhã cedo'])
    act(() => composer.send())
    expect(saved.at(-1)).toBe('*Marina:*\nSai amanhã cedo')
  })
})

describe('who only follows', () => {
  const follower = { id: VIEWER.id, name: 'Marina', profilePicUrl: null }
  const followed = makeTicket({ id: 503, userId: 8, followers: [follower], ownerProfile: 'user' })
  const draw = (ticket = followed) => {
    const there = createTicketComposerContext(ticket)
    act(() => root.render(<There there={there} />))
  }
  beforeEach(() => {
    session.user = { ...makeUser('user'), queues: [{ id: 2, name: 'Comercial', color: '#000000' }] }
  })
  afterEach(() => {
    session.user = null
  })

  test('writes comments without any dashes, and nothing for the customer', () => {
    draw()
    act(() => composer.setText('já olho'))
    expect([composer.comment, composer.text, composer.sendable]).toEqual([true, 'já olho', true])
    act(() => composer.send())
    const sent = getStores()
      .outgoing.all()
      .filter(entry => entry.ticketId === followed.id)
    expect(sent.map(({ body }) => body)).toEqual(['-- já olho'])
    expect(composer.text).toBe('')
    act(() => composer.addFiles([new File([new Uint8Array(1000)], 'foto.pdf')]))
    expect(composer.sheet.files).toEqual([])
  })

  test('finds what lay there as a comment, and what is written stays one once the conversation is theirs', () => {
    keepDraft(followed.id, 'Olá, Dona Lúcia')
    draw()
    expect([composer.comment, composer.text]).toEqual([true, 'Olá, Dona Lúcia'])
    act(() => composer.send())
    expect(getStores().outgoing.all().at(-1)?.body).toBe('-- Olá, Dona Lúcia')
    act(() => composer.setText('falo com o banco'))
    draw({ ...followed, userId: VIEWER.id, followers: [] })
    expect([composer.comment, composer.text]).toEqual([true, '-- falo com o banco'])
    act(() => composer.toggleComment())
    expect([composer.comment, composer.text]).toEqual([false, 'falo com o banco'])
  })
})

describe('a quick answer with fields to fill in', () => {
  test('is not sent while one is unfilled, in a caption neither; a comment may say anything', async () => {
    letGo()
    act(() => composer.takeAnswer({ ...answer(1000), message: 'São [[valor]] até [[dia]]' }))
    await waitUntil(() => composer.sheet.files.length > 0, 'the file')
    act(() => composer.send())
    expect(composer.problem).toBe(pt.composer.fillIn.replace('{{name}}', 'valor'))
    expect(composer.text).toBe('São [[valor]] até [[dia]]')
    expect(readParcel(place.lane)).toBeNull()
    act(() => composer.setText('São R$ 40 até [[dia]]'))
    act(() => composer.send())
    expect(composer.problem).toBe(pt.composer.fillIn.replace('{{name}}', 'dia'))
    expect(composer.sheet.files).toHaveLength(1)
  })

  test('ten thousand of them are one look at the text', () => {
    const many = listBlanks('[[a]]'.repeat(10_000))
    expect([many.length, many.at(-1)]).toEqual([10_000, { name: 'a', from: 49_995, to: 50_000 }])
    expect(listBlanks('['.repeat(60_000))).toEqual([])
    expect(listBlanks('[[]] [[a\nb]] [a] [[<script>]] [[[x]]]').map(({ name }) => name)).toEqual(['<script>', 'x'])
  })
})

describe('spec 1 §5: an internal comment', () => {
  test('is not what a message of the customer is edited into', async () => {
    await act(async () => {
      view.target[place.lane] = {
        kind: 'edit',
        message: makeMessage({ id: 9, fromMe: true, body: '*Marina:*\nSai hoje' }),
      }
    })
    expect([composer.text, composer.sendable]).toEqual(['Sai hoje', true])
    act(() => composer.setText(' -- cliente difícil'))
    expect([composer.sendable, composer.problem]).toEqual([false, pt.composer.commentInEdit])
    act(() => composer.setText('Sai amanhã'))
    expect([composer.sendable, composer.problem]).toEqual([true, null])
    act(() => composer.clearTarget())
  })

  test('is no beginning of a message for later, though its conversation is not open', () => {
    keepDraft(777, '-- cliente difícil')
    expect(readParcel(777)).toBeNull()
    keepDraft(777, 'Sai amanhã')
    expect(readParcel(777)?.message).toBe('Sai amanhã')
  })

  test('stands as one while it waits; in an internal chat two dashes are two dashes', () => {
    const entry = (ticketId: number): UnsentMessage => ({
      clientId: crypto.randomUUID(),
      ticketId,
      body: '-- nota',
      quoted: null,
      file: null,
      uploadId: null,
      createdAt: new Date().toISOString(),
      state: 'waiting',
      error: null,
      progress: 0,
    })
    act(() => root.render(<Waiting entries={[entry(7), entry(-7)]} />))
    expect(shown).toEqual(['comment', 'chat'])
  })
})

const official = { id: 1, name: 'Oficial', api: 'cloud_api', status: 'CONNECTED' } as const
const windowUntil = new Date(Date.now() + 3_600_000).toISOString()
const there = createTicketComposerContext(makeTicket({ id: 502, whatsapp: official, windowUntil }))
function Official() {
  composer = useComposer(there, field)
  return null
}

describe('a text longer than its connection takes', () => {
  test('cannot be sent over the official API, and says how much fits; near it the length is shown', () => {
    act(() => root.render(<Official />))
    act(() => composer.setText('x'.repeat(100)))
    expect([composer.sendable, composer.length]).toEqual([true, null])
    act(() => composer.setText('x'.repeat(4000)))
    expect([composer.sendable, composer.length?.most, composer.problem]).toEqual([true, 4096, null])
    act(() => composer.setText('x'.repeat(4097)))
    expect([composer.sendable, composer.problem]).toEqual([false, pt.composer.tooLong.replace('{{most}}', '4.096')])
    act(() => composer.setText(`-- ${'x'.repeat(4097)}`))
    expect([composer.comment, composer.sendable, composer.problem]).toEqual([true, true, null])
  })

  test('a quick answer is no way around it; over a phone it goes', () => {
    act(() => root.render(<Official />))
    act(() => composer.takeAnswer({ ...answer(0), mediaUrl: null, message: 'x'.repeat(5000) }))
    expect(composer.sendable).toBe(false)
    act(() => root.render(<Probe />))
    act(() => composer.setText('x'.repeat(5000)))
    expect([composer.sendable, composer.length]).toEqual([true, null])
  })
})

const outside = makeTicket({ id: 503, isGroup: true, isOutOfGroup: true })
const outsidePlace = createTicketComposerContext(outside)
function Outside() {
  composer = useComposer(outsidePlace, field)
  return null
}

describe('a group that the number is not in any more', () => {
  test('takes comments, and nothing that would have to arrive', () => {
    act(() => root.render(<Outside />))
    act(() => composer.setText('Alguém aí?'))
    expect([composer.blocked, composer.sendable]).toEqual([true, false])
    act(() => composer.setText('-- saímos do grupo'))
    expect([composer.comment, composer.sendable]).toEqual([true, true])
  })

  test('the composer says so, and no more once the number is in it again', () => {
    const container = document.createElement('div')
    const note = createRoot(container)
    act(() => note.render(<WindowNote ticket={outside} onTemplate={() => {}} />))
    expect(container.textContent).toContain('não participa mais deste grupo')
    act(() => note.render(<WindowNote ticket={{ ...outside, isOutOfGroup: false }} onTemplate={() => {}} />))
    expect(container.textContent).toBe('')
    act(() => note.unmount())
  })
})

function answer(size: number): QuickAnswer {
  return {
    id: 1,
    shortcut: '/tabela',
    message: 'Segue a tabela',
    mediaUrl: `${files.url}tabela.pdf?size=${size}`,
    mediaType: 'application',
    mediaName: 'tabela.pdf',
    queueId: null,
    userId: null,
    version: 1,
  }
}

/** Waits until the condition holds, drawing meanwhile: what is set inside one `act` is drawn only after it. */
async function waitUntil(ready: () => boolean, label: string): Promise<void> {
  const end = Date.now() + 3000
  while (!ready()) {
    if (Date.now() > end) throw new Error(`never happened: ${label}`)
    await act(() => new Promise<void>(resolve => setImmediate(resolve)))
  }
}
