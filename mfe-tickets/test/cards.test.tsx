// Cards in the conversation: each kind with what belongs to it, and what nobody should be able to do with one.
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { getCardMediaType, getCardText, type MessageCard, type MessageDetails, NOTICES } from '@balcao/contract'
import { MESSAGE_KINDS } from '@balcao/contract/messages/message-kinds'
import { addTexts, getTexts, hasText } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import pt from '../locales/pt.json'
import { canReact } from '../src/actions/message-rules.ts'
import { summarizeLastMessage } from '../src/list/last-message.ts'
import { Bubble } from '../src/message/Bubble.tsx'
import { canForward } from '../src/message/can-forward.ts'
import { Card } from '../src/message/late-card.ts'
import { summarizeMessage } from '../src/message/summarize-message.ts'
import { makeMessage, makeTicket } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })
const t = getTexts('tickets')

beforeAll(() => Card.fetch())

let root: Root | undefined
afterEach(() => {
  act(() => root?.unmount())
  document.body.replaceChildren()
})

function makeCardMessage(
  card: MessageCard,
  more: Parameters<typeof makeMessage>[0] = {},
  details: MessageDetails = {},
) {
  return makeMessage({
    mediaType: getCardMediaType(card),
    body: getCardText(card),
    details: { ...details, card },
    ...more,
  })
}

function draw(message: ReturnType<typeof makeMessage>): HTMLElement {
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root?.unmount()
    root = createRoot(place)
    root.render(
      <RemoteArea name="mfe_tickets">
        <Bubble message={message} startsGroup isGroup={false} />
      </RemoteArea>,
    )
  })
  return place
}

const show = (card: MessageCard, more?: Parameters<typeof makeMessage>[0]) => draw(makeCardMessage(card, more))
const getText = (place: Element | null) => place?.textContent ?? ''
const all = (place: Element, selector: string) => [...place.querySelectorAll<HTMLElement>(selector)]
const button = (place: Element, name: string) => all(place, 'button').find(one => getText(one).startsWith(name))
const press = (element: HTMLElement | undefined) => act(async () => element?.click())

const BRL = (amount: number) => ({ amount, currency: 'BRL' })
const ORDER: MessageCard = {
  kind: 'order',
  count: 3,
  total: BRL(159.9),
  text: 'Pode entregar hoje?',
  lines: [
    { name: 'Café torrado 500 g', quantity: 2, price: BRL(59.95) },
    { name: 'Filtro', quantity: 1, price: BRL(40) },
  ],
}
const PIX: MessageCard = {
  kind: 'payment',
  total: null,
  state: 'asked',
  pix: { holder: 'Lúcia Ferreira', type: 'EMAIL', key: 'lucia@example.com' },
  lines: [],
}
const READY = {
  state: 'ready',
  name: 'cafe.png',
  mime: 'image/png',
  size: 2048,
  seconds: null,
  width: 320,
  height: 240,
  voice: false,
  waveform: null,
  thumbUrl: null,
  error: null,
} as const

describe('an order', () => {
  test('says how many and how much, with its lines and the note', () => {
    const place = show(ORDER)
    expect(getText(place)).toContain('Pedido: 3 itens, R$ 159,90')
    expect(all(place, '.m-lines li').map(getText)).toEqual([
      '2 × Café torrado 500 gR$ 59,95 cadaR$ 119,90',
      '1 × FiltroR$ 40,00',
    ])
    expect(getText(place)).toContain('Pode entregar hoje?')
  })

  test('of many lines shows eight and more when asked', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => ({ name: `Produto ${n}`, quantity: 1, price: null }))
    const place = show({ ...ORDER, count: 1000, lines })
    expect(all(place, '.m-lines li')).toHaveLength(8)
    await press(button(place, 'Mostrar mais (92)'))
    expect(all(place, '.m-lines li')).toHaveLength(32)
    await press(button(place, 'Mostrar mais (68)'))
    expect(all(place, '.m-lines li')).toHaveLength(100)
  })

  test('without a sum, or in a currency nobody knows, says what it knows', () => {
    expect(getText(show({ ...ORDER, count: 1, total: null, lines: [] }))).toContain('Pedido: 1 item')
    expect(getText(show({ ...ORDER, total: { amount: 5, currency: '??' } }))).toContain('?? 5,00')
  })
})

describe('a product', () => {
  test('stands with picture, title, price and the way to it', () => {
    const place = show(
      { kind: 'product', title: 'Café torrado', price: BRL(29.9), link: 'https://loja.example/cafe', code: 'C-500' },
      { mediaUrl: '/media/cafe.png', media: READY },
    )
    expect(place.querySelector('img')?.getAttribute('src')).toBe('/media/cafe.png')
    expect(getText(place)).toContain('Café torrado')
    expect(getText(place)).toContain('R$ 29,90')
    expect(getText(place)).toContain('Código C-500')
    expect(place.querySelector('a')?.href).toBe('https://loja.example/cafe')
  })

  test('with a script in its title and its link stays words', () => {
    const title = '<script>alert(1)</script><img src=x onerror=alert(2)>'
    const place = show({ kind: 'product', title, price: null, link: 'javascript:alert(3)' })
    expect(getText(place)).toContain(title)
    expect(place.querySelector('script, img, a')).toBeNull()
    expect(getText(place)).toContain('Ver produto')
  })
})

describe('a payment', () => {
  test('shows a Pix key with its holder and kind, and copies it', async () => {
    const copied: string[] = []
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    })
    const place = show(PIX)
    for (const words of ['Chave Pix', 'Lúcia Ferreira', 'E-mail', 'lucia@example.com'])
      expect(getText(place)).toContain(words)
    await press(button(place, 'Copiar chave'))
    expect(copied).toEqual(['lucia@example.com'])
    expect(getText(place)).toContain('Copiado')
  })

  test('of a kind of key nobody knows shows it as it is told', () => {
    const pix = { holder: '', type: 'TATTOO', key: '1' }
    expect(getText(show({ ...PIX, pix }))).toContain('TATTOO')
  })

  test('says what became of it and how much', () => {
    const said = (state: 'asked' | 'paid' | 'declined' | 'canceled') =>
      getText(show({ kind: 'payment', total: BRL(80), state, lines: [] }).querySelector('.m-sheet-head'))
    expect([said('asked'), said('paid'), said('declined'), said('canceled')]).toEqual([
      'Cobrança: R$ 80,00',
      'Pagamento feito: R$ 80,00',
      'Pagamento recusado: R$ 80,00',
      'Pagamento cancelado: R$ 80,00',
    ])
  })

  test('names a code by what it is: copia e cola, boleto, or just a code', () => {
    const named = (code: string) => getText(show({ kind: 'payment', total: null, state: 'asked', code, lines: [] }))
    expect(named('00020126580014br.gov.bcb.pix')).toContain('Pix copia e cola')
    expect(named('23793.38128 60000.000003 00000.000400 1 84340000012345')).toContain('Linha digitável do boleto')
    expect(named('ABC-1')).toContain('Código de pagamento')
  })

  test('leads to its page only where that is a page', () => {
    const link = (to: string) => show({ kind: 'payment', total: null, state: 'asked', link: to, lines: [] })
    expect(link('https://pagar.example/1').querySelector('a')?.href).toBe('https://pagar.example/1')
    expect(link('data:text/html,<script>').querySelector('a')).toBeNull()
  })
})

describe('an event', () => {
  const event = { kind: 'event', name: 'Degustação', place: 'Rua da Bahia, 1148', isCanceled: false } as const
  test('says when in the company’s time zone, and where', () => {
    const place = show({ ...event, startsAt: '2026-11-24T17:00:00Z', endsAt: '2026-11-24T19:00:00Z' })
    expect(getText(place)).toContain('24/11/2026, 14:00 – 16:00')
    expect(getText(place)).toContain('Rua da Bahia, 1148')
  })

  test('names the day it ends on where that is another one', () => {
    const place = show({ ...event, startsAt: '2026-11-24T17:00:00Z', endsAt: '2026-11-25T12:00:00Z' })
    expect(getText(place)).toContain('24/11/2026, 14:00 – 25/11/2026, 09:00')
  })

  test('that is canceled says so and invites nobody; one at no time has none', () => {
    const place = show({ ...event, startsAt: 'ontem', endsAt: null, link: 'https://meet.example/1', isCanceled: true })
    expect(getText(place)).toContain('Evento cancelado')
    expect(getText(place)).not.toContain('Abrir convite')
    expect(getText(place)).not.toMatch(/\d\d\/\d\d/)
  })
})

test('a poll shows question and options, and where its answers are', () => {
  const poll = { kind: 'poll', question: 'Qual dia?', options: ['Sexta', 'Sábado'] } as const
  const place = show({ ...poll, options: [...poll.options], isMultiple: false })
  expect(all(place, '.m-options li').map(getText)).toEqual(['Sexta', 'Sábado'])
  for (const words of ['Qual dia?', 'Escolhe-se uma opção', 'As respostas aparecem no celular da empresa.'])
    expect(getText(place)).toContain(words)
  expect(getText(show({ ...poll, options: [], isMultiple: true }))).toContain('Podem-se escolher várias')
})

test('a form is a list of what was asked and answered; a huge one is folded', async () => {
  const fields = Array.from({ length: 200 }, (_, n) => ({
    name: `Campo ${n}`,
    value: n === 1 ? ' ' : 'x'.repeat(2000),
  }))
  const place = show({ kind: 'form', title: 'Cadastro', fields })
  expect(getText(place)).toContain('Cadastro')
  expect(all(place, 'dt').map(getText).slice(0, 2)).toEqual(['Campo 0', 'Campo 1'])
  expect(getText(all(place, 'dd')[1] ?? null)).toBe('—')
  expect(all(place, 'dt')).toHaveLength(8)
  await press(button(place, 'Mostrar mais (192)'))
  expect(all(place, 'dt')).toHaveLength(32)
})

describe('a company’s message with buttons', () => {
  const actions: MessageCard = {
    kind: 'actions',
    header: 'Sua fatura',
    text: 'Vence *amanhã*',
    footer: 'Distribuidora São José',
    buttons: [
      { text: 'Ver fatura', link: 'https://fatura.example/1' },
      { text: 'Ligar', link: 'tel:+55 31 3222-4010' },
      { text: 'Copiar código', copy: 'SJ-10' },
      { text: 'Falar com alguém' },
      { text: 'Ruim', link: 'javascript:alert(1)' },
    ],
    cards: [{ header: 'Café', text: 'R$ 29,90', buttons: [{ text: 'Comprar', link: 'https://loja.example/cafe' }] }],
  }

  test('shows header, words with their formatting, footer, and what can be pressed', () => {
    const place = show(actions)
    expect(getText(place.querySelector('strong'))).toBe('amanhã')
    for (const words of ['Sua fatura', 'Distribuidora São José', 'Falar com alguém', 'Ruim'])
      expect(getText(place)).toContain(words)
    expect(all(place, 'a').map(link => link.getAttribute('href'))).toEqual([
      'https://fatura.example/1',
      'tel:+553132224010',
      'https://loja.example/cafe',
    ])
    expect(all(place, 'button').map(getText)).toEqual(['Copiar código'])
  })

  test('carries the file of its header, also while it comes and when it failed', () => {
    const media = { ...READY, name: 'boleto.pdf', mime: 'application/pdf' }
    expect(show(actions, { media, mediaUrl: '/media/b.pdf' }).querySelector('a.m-document')).not.toBeNull()
    expect(getText(show(actions, { media: { ...media, state: 'pending' } }))).toContain('Baixando')
    expect(getText(show(actions, { media: { ...media, state: 'failed' } }))).toContain('Documento não baixou')
  })

  test('is drawn as a template is', () => {
    const components = [
      { type: 'HEADER', text: 'Sua fatura' },
      { type: 'BODY', text: 'Vence amanhã' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver fatura', url: 'https://fatura.example/1' }] },
    ]
    const place = draw(makeMessage({ mediaType: 'template', body: 'Vence amanhã', templateData: { components } }))
    expect(place.querySelector('.m-sheet a')?.getAttribute('href')).toBe('https://fatura.example/1')
  })
})

describe('what cannot be shown', () => {
  test('says what it is and what to do, for every code', () => {
    for (const code of NOTICES) {
      const place = show({ kind: 'notice', code, name: 'interactiveMessage' })
      expect(getText(place)).not.toContain('cannotShow')
      expect(getText(place)).not.toContain('interactiveMessage')
      // Of calls, and of an edit whose words the customer has sent already, nothing is to be done.
      if (!code.startsWith('calls_') && code !== 'edited_unseen')
        expect(getText(place)).toMatch(/\.(Abra o WhatsApp do celular|Peça que envie)/)
    }
    expect(getText(show({ kind: 'notice', code: 'only_on_phone' }))).toContain(
      'Conteúdo só no celular.Abra o WhatsApp do celular da empresa.',
    )
  })

  test('a card of a kind from tomorrow, or one that is broken, takes nothing else with it', () => {
    const odd = { kind: 'hologram', text: 'x' } as unknown as MessageCard
    expect(getText(draw(makeMessage({ mediaType: 'order', details: { card: odd } })))).toContain(
      'Mensagem de um tipo novo.',
    )
  })
})

describe('where somebody came from', () => {
  const by = (details: MessageDetails) => draw(makeMessage({ body: 'Oi, vi o anúncio', details }))
  test('stands over the message, with a link to a page only', () => {
    const place = by({ origin: { kind: 'ad', title: 'Cestas de Natal', link: 'https://www.fb.example/ad/1' } })
    expect(getText(place)).toContain('Veio do anúncio: Cestas de Natal · fb.example')
    expect(getText(place)).toContain('Oi, vi o anúncio')
    const bad = by({ origin: { kind: 'post', title: '<b>x</b>', link: 'javascript:alert(1)' } })
    expect(getText(bad)).toContain('Veio da publicação: <b>x</b>')
    expect(bad.querySelector('a, b')).toBeNull()
    expect(getText(by({ origin: { kind: 'product', title: 'Café' } }))).toContain('Sobre o produto Café')
    expect(getText(by({ origin: { kind: 'ad', title: '' } }))).toContain('Veio de um anúncio')
  })

  test('a change that only the phone can read is said', () => {
    expect(getText(by({ hiddenEdit: true }))).toContain('Editada: veja no celular')
  })
})

describe('where a card does not stand itself', () => {
  test('it is called by its kind and words: in lists, quotes and announcements', () => {
    const order = makeCardMessage(ORDER)
    expect(summarizeMessage(order, t)).toBe('Pedido: Pode entregar hoje? 2 × Café torrado 500 g 1 × Filtro')
    expect(summarizeLastMessage('R$ 159,90 · 2 × Café', 'order', t)).toEqual({
      kind: 'Pedido',
      words: 'R$ 159,90 · 2 × Café',
    })
    expect(summarizeLastMessage('', 'hologram', t).kind).toBe('Mensagem que não aparece aqui')
    expect(summarizeLastMessage('Use isto:\n```\nPIX 123\n```', 'chat', t).words).toBe('Use isto: PIX 123')
    expect(summarizeMessage(makeMessage({ mediaType: 'image', body: 'As três de ontem' }), t)).toBe('As três de ontem')
    expect(summarizeMessage(makeMessage({ mediaType: 'vcard', body: 'BEGIN:VCARD' }), t)).toBe('Contato')
    expect(summarizeMessage(makeCardMessage({ kind: 'notice', code: 'view_once' }), t)).toBe(
      'Mensagem que não aparece aqui',
    )
  })

  test('every kind has its name', () => {
    for (const type of Object.keys(MESSAGE_KINDS)) expect(hasText('tickets', `media.${type}`)).toBe(true)
  })

  test('it is passed on by its words where it has any, and answered with a reaction', () => {
    expect(canForward(makeCardMessage(ORDER))).toBe(true)
    expect(canForward(makeCardMessage({ kind: 'product', title: '', price: null }))).toBe(false)
    expect(canForward(makeCardMessage({ kind: 'notice', code: 'missing' }))).toBe(false)
    expect(canReact(makeTicket(), makeCardMessage(ORDER))).toBe(true)
  })
})

test('under a text stands what its address leads to: the site of the link, never markup, no other scheme', () => {
  const show = (address: string) => {
    const link = { address, title: '<b>Banco</b>', text: 'Entre', thumb: 'data:image/webp;base64,AA' }
    const host = document.body.appendChild(document.createElement('div'))
    root = createRoot(host)
    const message = makeMessage({ body: `Veja ${address}`, details: { link } })
    act(() => root?.render(<Bubble message={message} startsGroup isGroup={false} />))
    return host.querySelector<HTMLAnchorElement>('.m-link-card')
  }
  const card = show('https://www.loja.example/pao')
  expect([card?.href, card?.textContent, card?.rel]).toEqual([
    'https://www.loja.example/pao',
    '<b>Banco</b>Entreloja.example',
    'noopener noreferrer nofollow',
  ])
  expect(card?.querySelector('img')?.alt).toBe('')
  act(() => root?.unmount())
  expect(show('javascript:alert(1)')).toBeNull()
})
