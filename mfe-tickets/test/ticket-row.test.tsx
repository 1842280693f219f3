// A row of a list as it is seen and read out (spec 1 §2).
import { describe, expect, test } from 'bun:test'
import type { Ticket } from '@balcao/contract'
import { addTexts, setTimezone } from '@balcao/ui/i18n'
import { act } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { enterDraft, isHeld, keepDraft, keepHeld, leaveDraft } from '../src/composer/drafts.ts'
import { getStores } from '../src/desk/stores.ts'
import { TicketRow } from '../src/list/TicketRow.tsx'
import { prepareDesk } from './desk-page.tsx'
import { makeTicket } from './make.ts'

addTexts('tickets', { pt, en, es })

const { show, answer } = prepareDesk()
let nextId = 5000

/** One row with this ticket, and what a screen reader says of it. */
function row(part: Partial<Ticket>, showConnection = false) {
  const ticket = makeTicket({ ...part, id: nextId++ })
  const place = showRow(ticket, showConnection)
  const seen = place.querySelector('[aria-hidden="true"].t-row-text')
  return { place, seen: seen?.textContent ?? '', said: place.querySelector('.b-only-read')?.textContent ?? '', ticket }
}

function showRow(ticket: Ticket, showConnection = false): HTMLElement {
  getStores().tickets.take(ticket)
  return show(<TicketRow id={ticket.id} showConnection={showConnection} />)
}

describe('spec 1 §2: each ticket row shows', () => {
  test('avatar, name, tags, queue colour strip and unread badge', () => {
    const tags = [{ id: 1, name: 'VIP', color: '#B8860B' }]
    const { place, seen, said } = row({
      unreadMessages: 3,
      contact: { id: 1, name: 'Dona Lúcia', number: null, profilePicUrl: null, isGroup: false, tags },
    })
    expect(seen).toContain('Dona Lúcia')
    expect(seen).toContain('VIP')
    expect(place.querySelector('.b-badge')?.textContent).toContain('3')
    expect(place.querySelector('.b-avatar')).not.toBeNull()
    expect(place.innerHTML.toLowerCase()).toContain('#d0702f')
    expect(said).toContain('3 não lidas')
    expect(said).toContain('fila Financeiro')
    expect(said).toContain('tags: VIP')
  })

  test('tags while it waits without a queue too: one, and how many more there are', () => {
    const tags = ['VIP', 'Atacado', '2ª via'].map((name, id) => ({ id, name, color: '#B8860B' }))
    const contact = { id: 1, name: 'Tânia', number: null, profilePicUrl: null, isGroup: false, tags }
    const { seen } = row({ status: 'pending', userId: null, queueId: null, queue: null, contact })
    expect(seen).toContain('Sem fila')
    expect(seen).toContain('VIP')
    expect(seen).toContain('+2')
  })

  test("a closed badge 'Encerrada', on closed tickets alone", () => {
    expect(row({ status: 'closed' }).seen).toContain('Encerrada')
    expect(row({ status: 'open' }).seen).not.toContain('Encerrada')
  })

  test('whose it is, where it is a colleague’s', () => {
    const colleagues = row({ userId: 99, user: { id: 99, name: 'Rafael Costa', profilePicUrl: null } })
    expect(colleagues.seen).toContain('Rafael')
    expect(colleagues.said).toContain('com Rafael Costa')
    expect(row({}).seen).not.toContain('Marina')
    expect(row({ status: 'pending', userId: null, user: null }).said).not.toContain('com ')
  })

  test('the pause tag while paused', () => {
    const paused = row({ status: 'paused', pauseTag: 'Aguarda boleto' })
    expect(paused.seen).toContain('Aguarda boleto')
    expect(paused.said).toContain('pausada: Aguarda boleto')
    expect(row({ status: 'open', pauseTag: 'Aguarda boleto' }).seen).not.toContain('Aguarda boleto')
  })

  test('when a pause ends by itself: today, tomorrow, on a day, or with the answer', () => {
    const ends = (pauseUntil: string | null) => row({ status: 'paused', pauseTag: 'Aguarda estoque', pauseUntil }).seen
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    expect(ends('answer')).toContain('volta com a resposta')
    expect(ends(new Date(Date.now()).toISOString())).toMatch(/volta \d\d:\d\d/)
    expect(ends(inDays(1))).toMatch(/volta amanhã \d\d:\d\d/)
    expect(ends(inDays(9))).toMatch(/volta \d\d\/\d\d\/\d{4} \d\d:\d\d/)
    expect(ends(null)).not.toContain('volta')
    expect(row({ status: 'paused', pauseUntil: 'answer' }).said).toContain('volta com a resposta')
  })

  test('that it came back from a pause, beside words that are older than its time', () => {
    const woken = {
      wokenAt: '2026-11-20T12:00:00.000Z',
      lastMessageAt: '2026-11-20T12:00:00.000Z',
      lastMessage: 'Pode ser?',
    }
    expect(row(woken).seen).toMatch(/20\/11\/2026.*Pode ser\?.*voltou da pausa/)
    expect(row(woken).said).toContain('voltou da pausa')
    expect(row({}).seen).not.toContain('pausa')
  })

  test('the connection where more than one exists', () => {
    expect(row({}, true).seen).toContain('Loja Centro')
    expect(row({}, true).said).toContain('conexão Loja Centro')
    expect(row({}, false).seen).not.toContain('Loja Centro')
  })

  test('the last message as restricted markdown: marks are shown, links and markup are words', () => {
    const { place } = row({ lastMessage: 'Pode ser *até sexta* <b>x</b> https://example.org' })
    const preview = place.querySelector('.t-preview-text')
    expect(preview?.querySelector('strong')?.textContent).toBe('até sexta')
    expect(preview?.querySelector('a, b')).toBeNull()
    expect(preview?.textContent).toContain('<b>x</b> https://example.org')
  })

  test('of a file its kind, and with it the caption or the name', () => {
    const last = (lastMessageType: string, lastMessage: string) => {
      const { place, said } = row({ lastMessageType, lastMessage })
      expect(place.querySelector('.t-preview svg')).not.toBeNull()
      return [place.querySelector('.t-preview-text')?.textContent, said.includes(`${kinds[lastMessageType]}`)]
    }
    const kinds: Record<string, string> = pt.media
    expect(last('image', '')).toEqual(['Foto', true])
    expect(last('image', 'o boleto')).toEqual(['o boleto', true])
    expect(last('application', 'nota-fiscal.pdf')).toEqual(['nota-fiscal.pdf', true])
    expect(last('audio', '')).toEqual(['Áudio', true])
    expect(last('location', 'Rua das Acácias, 81')).toEqual(['Rua das Acácias, 81', true])
    expect(last('location', '')).toEqual(['Localização', true])
    expect(last('vcard', 'João Almeida')).toEqual(['João Almeida', true])
    expect(last('contact_array', 'João Almeida')).toEqual(['João Almeida e outros contatos', true])
    expect(last('sticker', 'webp')).toEqual(['Figurinha', true])
    expect(last('deleted', '')).toEqual([undefined, true])
  })

  test('what is half written there, once its writer has gone elsewhere, and what was held back as such', () => {
    const ticket = makeTicket({ id: 801, lastMessage: 'E o boleto?' })
    keepDraft(801, 'Já *vejo* e volto')
    leaveDraft(801)
    expect(showRow(ticket).querySelector('.t-preview')?.textContent).toBe('Rascunho:Já vejo e volto')
    expect(showRow(ticket).querySelector('.b-only-read')?.textContent).toContain('Rascunho: Já *vejo* e volto')
    keepHeld(801)
    act(() => leaveDraft(801))
    expect(showRow(ticket).querySelector('.t-preview')?.textContent).toBe('Não saiu:Já vejo e volto')
    // Whoever writes there again sees it in the composer.
    act(() => enterDraft(801))
    expect(showRow(ticket).querySelector('.t-preview')?.textContent).toBe('E o boleto?')
    keepDraft(801, '')
    act(() => leaveDraft(801))
    expect([showRow(ticket).querySelector('.t-preview')?.textContent, isHeld(801)]).toEqual(['E o boleto?', false])
  })

  test('what waits here for the network, and what the server refused', async () => {
    const codes = [503, 409]
    answer(() => Response.json({ error: 'ERR_SENDING_WAPP_MSG' }, { status: codes[0] ?? 409 }))
    const ticket = makeTicket({ id: 802, lastMessage: 'Oi' })
    const line = () => showRow(ticket).querySelector('.t-preview')?.textContent
    const id = getStores().outgoing.add({ ticketId: 802, body: '*Marina:*\nSegue o boleto', quoted: null })
    expect(line()).toBe('Segue o boleto')
    await waitUntil(() => getStores().outgoing.all()[0]?.state === 'waiting', 'it waits')
    codes.shift()
    getStores().outgoing.wake()
    await waitUntil(() => getStores().outgoing.all()[0]?.state === 'refused', 'it is refused')
    expect(line()).toBe('Não enviada:Segue o boleto')
    getStores().outgoing.discard(id)
  })

  test('the time as HH:mm today and dd/MM/yyyy otherwise, in the time zone of the company, which counts at once', () => {
    const now = new Date()
    const old = row({ lastMessageAt: '2020-03-05T01:30:00.000Z' })
    expect(old.place.querySelector('time')?.textContent).toBe('04/03/2020')
    act(() => setTimezone('Europe/Lisbon'))
    expect(old.place.querySelector('time')?.textContent).toBe('05/03/2020')
    const today = row({ lastMessageAt: now.toISOString() })
    expect(today.place.querySelector('time')?.textContent).toMatch(/^\d\d:\d\d$/)
    act(() => setTimezone('America/Sao_Paulo'))
  })
})
