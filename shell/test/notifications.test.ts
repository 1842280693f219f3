// What the page itself decides: which tab plays, which sound, and the words of a notice.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Notice } from '@balcao/contract'
import { isApiError } from '@balcao/ui/api'
import { getTexts } from '@balcao/ui/i18n'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { useBells } from '../src/notifications/bells.ts'
import { disable } from '../src/notifications/device.ts'
import { isPushed, setPushed } from '../src/notifications/device-state.ts'
import '../src/notifications/late.ts'
import { DEVICE, parseConversationKey, toPath } from '../src/notifications/places.ts'
import { formatNoticeText, formatTicketPreview } from '../src/notifications/preview.ts'
import { getTones } from '../src/notifications/sounds.ts'
import { claim } from '../src/notifications/tabs.ts'
import { MARINA } from './marina.ts'

const t = getTexts('shell')

beforeEach(() => localStorage.clear())

describe('spec 1 §4: sounds', () => {
  test('sound: default, experience, blub and skype, each another one; any other value plays the default', () => {
    const four = ['default', 'experience', 'blub', 'skype'].map(name => JSON.stringify(getTones(name)))
    expect(new Set(four).size).toBe(4)
    for (const name of ['', 'ding', 'constructor', 'toString']) expect(getTones(name)).toBe(getTones('default'))
  })

  test('last less than a second and a half', () => {
    for (const name of ['default', 'experience', 'blub', 'skype'])
      for (const tone of getTones(name)) expect(tone.at + tone.lasts).toBeLessThan(1.5)
  })

  test('one tab takes a notice, the others find it taken', async () => {
    expect(await claim('sound', ['ticket.7.3'])).toEqual(['ticket.7.3'])
    expect(await claim('sound', ['ticket.7.3', 'ticket.8.1'])).toEqual(['ticket.8.1'])
    expect(await claim('shown', ['ticket.7.3'])).toEqual(['ticket.7.3'])
  })

  test('do not come faster than the gap, and what was skipped is not made up for', async () => {
    expect(await claim('sound', ['a'], 60_000)).toEqual(['a'])
    expect(await claim('sound', ['b'], 60_000)).toEqual([])
    expect(await claim('sound', ['b'], 0)).toEqual([])
    expect(await claim('sound', ['c'], 0)).toEqual(['c'])
  })
})

describe('the words of a notice', () => {
  const notice: Notice = {
    about: 'ticket',
    id: 7,
    reason: 'message',
    name: 'Padaria Estrela',
    author: null,
    text: '*Bom dia*,\nacabou a farinha',
    mediaType: 'chat',
    photo: null,
    at: '2026-11-21T12:00:00.000Z',
    version: 3,
  }

  test('are on one line, without the marks of formatting', () => {
    expect(formatNoticeText(notice, t)).toBe('Bom dia, acabou a farinha')
    expect(formatNoticeText({ ...notice, text: '5 * 3 * 2' }, t)).toBe('5 * 3 * 2')
    for (const text of ['```\n1 x pão\n```', '```1 x pão', '```1 x\npão```'])
      expect([text, formatNoticeText({ ...notice, text }, t)]).toEqual([text, '1 x pão'])
  })

  test('name the kind of what is no text, and its words', () => {
    expect(formatNoticeText({ ...notice, mediaType: 'audio', text: '' }, t)).toBe('Áudio')
    expect(formatNoticeText({ ...notice, mediaType: 'location', text: 'Rua das Acácias' }, t)).toBe(
      'Localização: Rua das Acácias',
    )
    expect(formatTicketPreview({ lastMessage: 'legenda', lastMessageType: 'image' }, t)).toBe('Foto: legenda')
    expect(formatNoticeText({ ...notice, mediaType: 'template', text: '' }, t)).toBe('Mensagem nova')
    expect(formatNoticeText({ ...notice, mediaType: 'order', text: 'R$ 159,90 · 2 × Café' }, t)).toBe(
      'Pedido: R$ 159,90 · 2 × Café',
    )
    expect(formatNoticeText({ ...notice, mediaType: 'hologram', text: 'x' }, t)).toBe('Mensagem nova')
    expect(formatTicketPreview({ lastMessage: '', lastMessageType: 'deleted' }, t)).toBe('Mensagem apagada')
  })

  test('say who wrote in an internal group, and what happened where nobody wrote', () => {
    expect(formatNoticeText({ ...notice, about: 'chat', author: 'Rafael Costa' }, t)).toStartWith('Rafael: ')
    expect(formatNoticeText({ ...notice, reason: 'assigned' }, t)).toBe('Atendimento passado para você')
    expect(formatNoticeText({ ...notice, reason: 'woken', text: '' }, t)).toBe('Voltou da pausa')
  })

  test('say who gave a ticket away, and why if they said so', () => {
    const handed: Notice = { ...notice, reason: 'assigned', author: 'Rafael Costa', text: 'quer *desconto*' }
    expect(formatNoticeText(handed, t)).toBe('Rafael passou o atendimento para você: quer desconto')
    expect(formatNoticeText({ ...handed, reason: 'arrived', text: '' }, t)).toBe('Rafael transferiu para a sua fila')
  })

  test('are without the signature of who answered', () => {
    expect(formatTicketPreview({ lastMessage: '*Bruna:*\nSegue a tabela', lastMessageType: 'chat' }, t)).toBe(
      'Segue a tabela',
    )
  })
})

test('a conversation has one address, and an address at most one conversation', () => {
  for (const about of ['ticket', 'chat'] as const) expect(parseConversationKey(toPath(about, 7))).toBe(`${about}.7`)
  for (const path of ['/tickets', '/', '/tickets/0', '/connections']) expect(parseConversationKey(path)).toBeNull()
})

describe('a device whose notifications are switched off', () => {
  const key = '7'
  let ended: string[]
  let server: ReturnType<typeof startPageServer>
  let status: number
  let canEnd: boolean
  beforeEach(() => {
    ended = []
    status = 204
    canEnd = true
    server = startPageServer({
      fetch(_, { pathname }) {
        if (pathname.endsWith('/push/unregister')) ended.push('server')
        return status === 204 ? new Response(null, { status }) : Response.json({ error: 'ERR_NOT_READY' }, { status })
      },
    })
    session.user = { ...MARINA, id: Number(key) }
    localStorage.setItem(DEVICE, key)
    const subscription = {
      endpoint: 'https://push.example/1',
      async unsubscribe() {
        if (!canEnd) throw new DOMException('no line', 'AbortError')
        ended.push('browser')
        return true
      },
    }
    const worker = { pushManager: { getSubscription: async () => subscription } }
    Object.defineProperty(navigator, 'serviceWorker', {
      value: { getRegistration: async () => worker },
      configurable: true,
    })
  })
  afterEach(async () => {
    Reflect.deleteProperty(navigator, 'serviceWorker')
    endSession()
    await server.stop(true)
  })

  test('is quiet at once, and the server knows', async () => {
    await disable()
    expect([ended, localStorage.getItem(DEVICE)]).toEqual([['browser', 'server'], null])
  })

  test('is quiet without a line too: the server drops what it cannot reach', async () => {
    status = 503
    await disable()
    expect([ended[0], localStorage.getItem(DEVICE)]).toEqual(['browser', null])
  })

  test('goes on as it was, and says so, where neither browser nor server could end it', async () => {
    status = 503
    canEnd = false
    expect(await disable().catch(isApiError)).toBe(true)
    expect(localStorage.getItem(DEVICE)).toBe(key)
  })

  test('is quiet where the server alone knows', async () => {
    canEnd = false
    await disable()
    expect([ended, localStorage.getItem(DEVICE)]).toEqual([['server'], null])
  })
})

test('a device that still tells of whoever was here before is silent for them once somebody else is in', async () => {
  const none = { count: 0, items: [] }
  const nothing = { tickets: none, chats: none, mentions: none, news: none, alarms: [] }
  const server = startPageServer({ fetch: () => Response.json(nothing) })
  let ended = 0
  const subscription = {
    async unsubscribe() {
      ended += 1
      return true
    },
  }
  const worker = {
    getRegistration: async () => ({ pushManager: { getSubscription: async () => subscription } }),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true })
  session.user = MARINA
  session.status = 'in'
  localStorage.setItem(DEVICE, String(MARINA.id + 1))
  setPushed(true)

  const root = createRoot(document.createElement('div'))
  act(() => root.render(createElement(MemoryRouter, null, createElement(BellHolder))))
  await waitUntil(() => ended === 1, 'the browser ends the subscription')
  // The mark stays: it is theirs again with their next sign-in.
  expect([isPushed(), localStorage.getItem(DEVICE)]).toEqual([false, String(MARINA.id + 1)])

  act(() => root.unmount())
  session.status = 'out'
  Reflect.deleteProperty(navigator, 'serviceWorker')
  endSession()
  await server.stop(true)
})

function BellHolder() {
  useBells()
  return null
}
