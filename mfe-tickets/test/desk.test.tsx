import { afterEach, describe, expect, test } from 'bun:test'
import { FOLLOWER_DEEDS, SEND_ERRORS, SERVING_DEEDS, TICKET_STATUSES, type Ticket } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import conversation from '../locales/conversation/pt.json'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { listActions, TICKET_ACTIONS } from '../src/actions/register.ts'
import { getStores } from '../src/desk/stores.ts'
import { view } from '../src/desk/view.ts'
import { Bubble } from '../src/message/Bubble.tsx'
import { makeMessage, makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt, en, es })

let root: Root | undefined
afterEach(() => act(() => root?.unmount()))

/** Draws one message alone. */
function show(part: Parameters<typeof makeMessage>[0]): HTMLElement {
  const place = document.createElement('div')
  act(() => {
    root?.unmount()
    root = createRoot(place)
    root.render(
      <RemoteArea name="mfe_tickets">
        <Bubble message={makeMessage(part)} startsGroup isGroup={false} />
      </RemoteArea>,
    )
  })
  return place
}

function listKeys(tree: object, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : listKeys(value, `${prefix + key}.`),
  )
}

test('English and Spanish have every text of the Portuguese desk', () => {
  expect(listKeys(en).sort()).toEqual(listKeys(pt).sort())
  expect(listKeys(es).sort()).toEqual(listKeys(pt).sort())
})

test('what a customer writes never becomes markup', () => {
  const place = show({ body: '<img src=x onerror=alert(1)> <b>oi</b>' })
  expect(place.textContent).toContain('<img src=x onerror=alert(1)> <b>oi</b>')
  expect(place.querySelector('.m-text img, .m-text b')).toBeNull()
})

test('an answer to our status says so above what stood there', () => {
  const story = { kind: 'story', title: '' } as const
  const text = show({ fromMe: false, body: 'Tem de chocolate?', details: { origin: story } }).textContent
  expect(text).toMatch(/^Respondeu ao status.*Tem de chocolate\?/)
})

test('what the desk says by itself is called an automatic reply', () => {
  const greeting = { fromMe: true, state: 'delivered', body: 'Bem-vinda!' } as const
  expect(show({ ...greeting, automatic: true }).textContent).toContain('Resposta automática')
  expect(show(greeting).textContent).not.toContain('Resposta automática')
})

test('a message after 24 hours says why it was not sent and offers to try again', () => {
  const place = show({
    fromMe: true,
    state: 'failed',
    errorLog: { code: 131047, reason: 'ERR_WINDOW_CLOSED', message: 'Re-engagement message' },
  })
  expect(place.textContent).toContain(
    'A mensagem não foi enviada porque já se passaram mais de 24 horas desde a última vez que o cliente respondeu a este número.',
  )
  expect(place.querySelector('button')?.textContent).toBe('Tentar de novo')
})

describe('spec 1 §8: 131047 on the official API', () => {
  const late = {
    fromMe: true,
    state: 'failed',
    errorLog: { code: 131047, reason: 'ERR_WINDOW_CLOSED', message: 'Re-engagement message' },
    ticket: { whatsapp: { api: 'cloud_api' } },
  } as const
  const official = { id: 1, name: 'Oficial', api: 'cloud_api', status: 'CONNECTED' } as const
  const trying = (place: HTMLElement) => place.querySelector('button')?.textContent

  test('with the window closed it offers a template, not the same refusal again', () => {
    getStores().tickets.take(makeTicket({ id: 91, whatsapp: official, windowUntil: '2026-01-01T12:00:00Z' }))
    const place = show({ ...late, ticketId: 91 })
    expect(place.textContent).toContain('já se passaram mais de 24 horas')
    expect(trying(place)).toBe('Escolher modelo')
    act(() => place.querySelector('button')?.click())
    expect(view.templatesFor).toBe(91)
  })

  test('once the customer has written again it may be tried again', () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    getStores().tickets.take(makeTicket({ id: 92, whatsapp: official, windowUntil: until }))
    expect(trying(show({ ...late, ticketId: 92 }))).toBe('Tentar de novo')
  })

  test('what failed of something else says so, and offers a template where the window is closed by now', () => {
    const errorLog = { code: 131026, reason: 'ERR_WAPP_INVALID_CONTACT', message: 'Undeliverable' } as const
    getStores().tickets.take(makeTicket({ id: 94, whatsapp: official, windowUntil: '2026-01-01T12:00:00Z' }))
    const place = show({ ...late, errorLog, ticketId: 94 })
    expect(place.textContent).toContain('este número não tem WhatsApp')
    expect(place.textContent).not.toContain('24 horas')
    expect(trying(place)).toBe('Escolher modelo')
    expect(show({ ...late, errorLog: null, ticketId: 94 }).textContent).toContain('404')
  })

  test('a closed conversation offers neither', () => {
    getStores().tickets.take(makeTicket({ id: 93, whatsapp: official, status: 'closed' }))
    expect(trying(show({ ...late, ticketId: 93 }))).toBeUndefined()
  })
})

test('a failure says why in words of ours, never in the provider’s English; without a log it reads 404', () => {
  expect(show({ fromMe: true, state: 'failed' }).textContent).toContain('404')
  const message = 'Message undeliverable'
  const more = { error_data: { details: 'Unable to deliver message' } }
  const sentences = SEND_ERRORS.map(reason => {
    const { textContent } = show({
      fromMe: true,
      state: 'failed',
      errorLog: { code: 131026, message, ...more, reason },
    })
    expect(textContent).not.toMatch(/undeliverable|unable|trouble\.|ERR_/i)
    return textContent
  })
  expect(new Set(sentences).size).toBe(SEND_ERRORS.length)
  const unknown = show({ fromMe: true, state: 'failed', errorLog: { code: 4711, message, ...more } })
  expect(unknown.textContent).toContain('O WhatsApp não aceitou a mensagem.')
})

test('a file that did not come can be fetched again; one that was refused only says so', () => {
  const media = { ...NO_MEDIA, state: 'failed', name: 'filme.mp4', mime: 'video/mp4' } as const
  const failed = show({ mediaType: 'video', media: { ...media, error: 'ERR_WAPP_DOWNLOAD_MEDIA' } })
  expect(failed.querySelector('.m-file-state button')?.textContent).toBe(conversation.file.fetch)
  const refused = show({ mediaType: 'video', media: { ...media, error: 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED' } })
  expect(refused.querySelector('.m-file-state')?.textContent).toBe('Este arquivo não pode ser baixado.')
  expect(refused.querySelector('.m-file-state button')).toBeNull()
})

const NO_MEDIA = {
  size: null,
  seconds: null,
  width: null,
  height: null,
  voice: false,
  waveform: null,
  thumbUrl: null,
}

test('a message nobody knows the fate of offers no way to send it twice', () => {
  const place = show({ fromMe: true, state: 'unknown' })
  expect(place.textContent).toContain('Não sabemos se esta mensagem saiu. Confira no celular antes de reenviar.')
  expect(place.querySelector('button')).toBeNull()
})

test('a comment says that only the team sees it, without its prefix', () => {
  const place = show({ fromMe: true, mediaType: 'comment', body: '-- cliente antigo' })
  expect(place.textContent).toContain('só a equipe vê')
  expect(place.querySelector('.m-text')?.textContent).toBe('cliente antigo')
})

test('a body that is not what its type says is shown as far as it goes', () => {
  for (const mediaType of ['location', 'vcard', 'contact_array', 'template', 'call_log', 'unknown', 'image'] as const)
    expect(show({ mediaType, body: '|||{"[' }).querySelector('.m-bubble')).not.toBeNull()
})

test('each status offers exactly the changes the life of a ticket allows', () => {
  const viewer = { id: 7, profile: 'user', queueIds: [1] } as const
  const ids = (status: Parameters<typeof makeTicket>[0]) =>
    listActions({
      ticket: makeTicket(status),
      viewer,
      queues: [],
      offers: { scheduler: false, integration: false },
      open: () => undefined,
      goTo: () => undefined,
    })
      .map(action => action.id.slice(7))
      .filter(id => !['summary', 'find', 'goToDay'].includes(id))
  expect(ids({ status: 'pending' })).toEqual(['accept', 'transfer', 'askIn', 'unread', 'pin', 'contact', 'files'])
  expect(ids({ status: 'open' })).toEqual([
    'resolve',
    'transfer',
    'askIn',
    'pause',
    'return',
    'unread',
    'pin',
    'choices',
    'contact',
    'files',
    'close',
  ])
  expect(ids({ status: 'open', userId: null })).toContain('take')
  expect(ids({ status: 'paused' })).toEqual(['resume', 'transfer', 'askIn', 'unread', 'pin', 'contact', 'files'])
  expect(ids({ status: 'closed' })).toEqual(['reopen', 'contact', 'files'])
  expect(ids({ status: 'bot' })).toEqual(['acceptBeforeBot', 'contact', 'files', 'dismiss'])
  expect(ids({ status: 'nps' })).toEqual(['contact', 'files', 'dismiss'])
})

test('who only follows is offered what the server takes from followers, whatever the status; who serves the ticket too, everything', () => {
  const { id, name } = makeUser('user')
  const followers = [{ id, name, profilePicUrl: null }]
  const offered = (queueIds: readonly number[], part: Partial<Ticket>) =>
    listActions({
      ticket: makeTicket({ userId: 8, user: { id: 8, name: 'Rafael', profilePicUrl: null }, followers, ...part }),
      viewer: { id, profile: 'user', queueIds },
      queues: [],
      offers: { scheduler: true, integration: true },
      open: () => undefined,
      goTo: () => undefined,
    }).map(action => action.id.slice(7))
  const open: readonly string[] = FOLLOWER_DEEDS
  for (const status of TICKET_STATUSES)
    for (const isGroup of [true, false]) {
      expect(offered([2], { status, isGroup }).filter(deed => !open.includes(deed))).toEqual([])
    }
  expect(offered([2], { isGroup: true, unreadMessages: 0 })).toEqual([
    ...['unread', 'pin', 'find', 'goToDay', 'contact', 'files', 'summary', 'participants', 'integration'],
  ])
  // With the queue, but colleagues' tickets hidden: taking over is the one way on.
  expect(offered([1], {})).toContain('takeOver')
  expect(offered([1], {})).not.toContain('transfer')
  session.settings = { userShowAll: true }
  expect(offered([1], {})).toContain('transfer')
  session.settings = {}
})

test('each action of the desk is a deed that the server is asked for', () => {
  const named: string[] = [...FOLLOWER_DEEDS, ...SERVING_DEEDS].map(deed => `ticket.${deed}`)
  expect(TICKET_ACTIONS.map(({ id }) => String(id)).sort()).toEqual(named.sort())
})

test('only an administrator is offered to delete a ticket', () => {
  const deletes = (profile: 'admin' | 'gerente' | 'user') =>
    listActions({
      ticket: makeTicket(),
      viewer: { id: 7, profile, queueIds: [] },
      queues: [],
      offers: { scheduler: false, integration: false },
      open: () => undefined,
      goTo: () => undefined,
    }).some(action => action.id === 'ticket.delete')
  expect([deletes('admin'), deletes('gerente'), deletes('user')]).toEqual([true, false, false])
})

test('scheduling is offered while the setting is on: to a user in own tickets, to a manager in all', () => {
  const offered = (profile: 'gerente' | 'user', userId: number | null, scheduler = true) =>
    listActions({
      ticket: makeTicket({ userId }),
      viewer: { id: 7, profile, queueIds: [] },
      queues: [],
      offers: { scheduler, integration: false },
      open: () => undefined,
      goTo: () => undefined,
    }).some(action => action.id === 'ticket.schedule')
  expect([offered('user', 7), offered('user', 8), offered('gerente', 8)]).toEqual([true, false, true])
  expect([offered('user', 7, false), offered('gerente', 8, false)]).toEqual([false, false])
})
