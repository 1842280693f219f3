// Messages of the official API as customers and companies really send them: what each is to an agent, and what is none.
import { beforeAll, describe, expect, test } from 'bun:test'
import { appendMenu, getCardMediaType, type MenuOption, resolveMenuChoice } from '@balcao/contract'
import { rereadMessage, toNotificationEvents } from '../../src/messaging/channels/cloud-api/inbound.ts'
import { buildMessageBody, toRecipient } from '../../src/messaging/channels/cloud-api/outgoing.ts'
import { isRecord, toRecords } from '../../src/messaging/channels/shared/json.ts'
import type { ChannelEvent } from '../../src/platform/channel/driver.ts'
import { createTestDatabase } from '../database.ts'
import { type InboxFixture, makeInbox } from '../inbox-world.ts'
import { type Fields, FOR_US, FORM_PHOTO, form, interactive, PN, text, toEvents } from './cloud-api-pieces.ts'
import { MESSAGES } from './cloud-api-rows.ts'

const messageIn = (events: readonly ChannelEvent[]) => events.find(event => event.type === 'message')

describe('what a message is', () => {
  test.each(MESSAGES.map(([name, message, shown]) => ({ name, message, shown })))('$name', ({ message, shown }) => {
    const event = messageIn(toEvents(message))
    if (!shown) return expect(event).toBeUndefined()
    expect(event?.mediaType).toBe(shown.is)
    if (shown.says !== undefined) expect(event?.body).toBe(shown.says)
    expect(event?.media?.mime).toBe(shown.file)
    expect(event?.details?.origin).toEqual(shown.origin)
    if (shown.card) expect(event?.details?.card).toMatchObject(shown.card)
    const card = event?.details?.card
    if (card) expect(event?.mediaType).toBe(getCardMediaType(card))
    // What is kept of it is enough to read it again.
    expect(rereadMessage(event?.raw)).toMatchObject({ mediaType: event?.mediaType, body: event?.body })
  })
})

test('the files of a form follow its answers, each as a message that is fetched and can be read again', () => {
  const answers = {
    fotos: [FORM_PHOTO],
    laudo: { ...FORM_PHOTO, id: 'f2', file_name: 'laudo.pdf', mime_type: 'application/pdf' },
  }
  const events = toEvents(form(answers)).flatMap(event => (event.type === 'message' ? [event] : []))
  expect(events.map(({ ref, mediaType, media }) => [ref.id, mediaType, media?.handle, media?.name])).toEqual([
    ['wamid.1', 'form', undefined, undefined],
    ['wamid.1:1', 'image', { id: 'f1', sha256: 'abc' }, 'frente.jpg'],
    ['wamid.1:2', 'application', { id: 'f2', sha256: 'abc' }, 'laudo.pdf'],
  ])
  for (const event of events) expect(rereadMessage(event.raw)?.ref.id).toBe(event.ref.id)
})

test('a field named as what every object has brings nothing, and takes nothing else with it', () => {
  const value = { metadata: { phone_number_id: '5501' }, messages: [{ from: PN, id: 'wamid.1', ...text('Oi') }] }
  const changes = ['constructor', '__proto__', 'messages'].map(field => ({ field, value }))
  expect(toNotificationEvents({ entry: [{ id: '9901', changes }] }, FOR_US).map(event => event.type)).toEqual([
    'message',
  ])
})

describe('a menu of ours', () => {
  const body = (words: string, options: MenuOption[]) =>
    buildMessageBody(PN, { type: 'text', text: appendMenu(words, options), menu: { words, options } }, () =>
      Promise.reject(Error()),
    )
  /** Its buttons or rows, each as it comes back when it is chosen. */
  function choicesOf(made: Fields): Fields[] {
    const action = isRecord(made.action) ? made.action : {}
    const rows = toRecords(action.sections).flatMap(section => toRecords(section.rows))
    return [...rows, ...toRecords(action.buttons).flatMap(({ reply }) => (isRecord(reply) ? [reply] : []))]
  }
  /** What the customer can read of it, and what his choices are understood as. */
  async function offered(words: string, options: MenuOption[]) {
    const { interactive: made, text: plain } = await body(words, options)
    if (!isRecord(made)) return { is: 'text', read: JSON.stringify(plain), chosen: [] }
    const answers = choicesOf(made).map(row => messageIn(toEvents(interactive(`${made.type}_reply`, row)))?.body ?? '')
    return {
      is: made.type,
      read: JSON.stringify(made),
      chosen: answers.map(answer => resolveMenuChoice(answer, options)),
    }
  }
  const long = 'Segunda via do boleto do condomínio'
  const longer = 'Quero falar sobre a segunda via do boleto do condomínio que venceu no mês passado'
  test.each([
    ['button', ['Vendas', 'Financeiro']],
    ['list', ['Vendas', long]],
    ['list', [long, `${long}?`, long.slice(1), { number: '99', name: 'Falar com atendente' }]],
    ['button', ['Vendas', longer]],
    ['list', [longer, `${longer}?`, long, 'Vendas']],
    ['text', Array.from({ length: 11 }, (_, at) => `${long} ${at}`)],
    ['text', Array.from({ length: 10 }, (_, at) => `${longer}${longer} ${at}`)],
  ] as const)('is a %s in which every name stands whole, and each choice is understood: %p', async (is, options) => {
    const made = await offered('Escolha:', [...options])
    expect(made.is).toBe(is)
    for (const option of options) expect(made.read).toContain(typeof option === 'string' ? option : option.name)
    expect(made.read).not.toContain('…')
    if (is !== 'text') expect(made.chosen).toEqual(options.map((_, at) => at))
  })

  test('says no more on a button, in a row or under it than Meta takes', async () => {
    for (let length = 1; length < 120; length++) {
      const options = ['a'.repeat(length), 'b'.repeat(length), 'Vendas']
      for (const list of [options, [...options, 'Financeiro']]) {
        const { interactive: made } = await body('Escolha:', list)
        for (const { title, description = '' } of isRecord(made) ? choicesOf(made) : []) {
          const most = isRecord(made) && made.type === 'button' ? 20 : 24
          expect(String(title).length).toBeLessThanOrEqual(most)
          expect(String(description).length).toBeLessThanOrEqual(72)
        }
      }
    }
  })
})

describe('who wrote', () => {
  const USER = 'BR.13491208655302741918'
  const people = (events: readonly ChannelEvent[]) =>
    events.flatMap(event => (event.type === 'message' ? [{ chat: event.chat, name: event.name }] : []))
  const cards = (...contacts: Fields[]) => ({ contacts })

  test('of two senders with one contact card, the card is the one’s alone', () => {
    const from = '5531977770002'
    const messages = [
      { from: PN, id: 'wamid.1', ...text('Oi') },
      { from, id: 'wamid.2', ...text('Olá') },
      { from_user_id: USER, id: 'wamid.3', ...text('Bom dia') },
    ]
    expect(people(toEvents({}, { messages }))).toEqual([
      { chat: { jid: PN, pn: PN, group: false }, name: 'Dona Lúcia' },
      { chat: { jid: from, pn: from, group: false }, name: undefined },
      { chat: { jid: USER, bsuid: USER, group: false }, name: undefined },
    ])
  })

  test('a single card of somebody else is not lent', () => {
    const other = cards({ profile: { name: 'Rui' }, wa_id: '5531977770002', user_id: 'BR.2' })
    expect(people(toEvents(text('Oi'), other))).toEqual([{ chat: { jid: PN, pn: PN, group: false }, name: undefined }])
    expect(people(toEvents({ from: undefined, from_user_id: USER, ...text('Oi') }, other))).toEqual([
      { chat: { jid: USER, bsuid: USER, group: false }, name: undefined },
    ])
  })

  test('the card of the only sender is hers, with or without the ninth digit, and gives the name that was missing', () => {
    const short = cards({ profile: { name: 'Ana' }, wa_id: '553187650001', user_id: USER })
    expect(people(toEvents(text('Oi'), short))).toEqual([
      { chat: { jid: PN, pn: PN, bsuid: USER, group: false }, name: 'Ana' },
    ])
    expect(people(toEvents({ from: undefined, from_user_id: USER, ...text('Oi') }))).toEqual([
      { chat: { jid: PN, pn: PN, bsuid: USER, group: false }, name: 'Dona Lúcia' },
    ])
  })

  test('Meta’s id of a person that stands where a phone used to becomes no phone', () => {
    for (const id of [USER, 'BR.ENT.11815799212886844830']) {
      const card = cards({ profile: { name: 'Ana' }, wa_id: id, user_id: id })
      const chat = { jid: id, bsuid: id, group: false }
      expect(people(toEvents({ from: id, from_user_id: id, ...text('Oi') }, card))).toEqual([{ chat, name: 'Ana' }])
      expect(people(toEvents({ from: id, ...text('Oi') }, cards({ wa_id: id })))).toEqual([{ chat, name: undefined }])
      expect(toRecipient(id)).toEqual({ recipient: id })
      expect(
        JSON.stringify(
          toEvents(
            { from: id, ...text('Oi') },
            { contacts: [], statuses: [{ id: 'wamid.9', status: 'read', recipient_id: id }] },
          ),
        ),
      ).not.toContain('"pn"')
      const system = { type: 'user_changed_user_id', wa_id: id, previous_user_id: 'BR.1' }
      expect(toEvents({ from: 'BR.1', type: 'system', system })).toMatchObject([
        { type: 'moved', id: 'wamid.1', from: { bsuid: 'BR.1' }, to: { bsuid: id } },
      ])
    }
  })

  test('a card that is shared with such an id is no number to write to', () => {
    const shared = { name: { formatted_name: 'Rui' }, phones: [{ phone: '+55 31 97777-0002', wa_id: USER }] }
    const event = messageIn(toEvents({ type: 'contacts', contacts: [shared] }))
    expect(event?.body).toContain('+55 31 97777-0002')
    expect(event?.body).not.toContain('waid')
  })
})

const { db } = await createTestDatabase()

test('values that are of another kind than they should be, or cannot become a text, are told and never throw', () => {
  const odd = [{ toString: 1, valueOf: 1 }, [], [{}], null, true, -1, 1e308, '\u0000', 'x'.repeat(100_000)]
  for (const value of odd)
    for (const [, message] of MESSAGES)
      for (const [name, part] of Object.entries(message)) {
        expect(() => toEvents({ ...message, [name]: value })).not.toThrow()
        if (typeof part !== 'object' || part === null) continue
        for (const inner of Object.keys(part))
          expect(() => toEvents({ ...message, [name]: { ...part, [inner]: value } })).not.toThrow()
      }
  for (const value of odd)
    for (const field of ['timestamp', 'from', 'id', 'context', 'referral', 'errors', 'group_id', 'history_context'])
      expect(() => toEvents({ ...text('Oi'), [field]: value })).not.toThrow()
})

describe('what a message sets in motion', () => {
  let inbox: InboxFixture
  beforeAll(async () => {
    inbox = await makeInbox(db, 'cloud_api')
    await db.$client`update whatsapp set greeting_message = 'Olá!' where id = ${inbox.whatsappId}`
  })
  const count = async () => {
    const [row] =
      await db.$client`select (select count(*)::int from ticket where status = 'pending') as tickets, (select count(*)::int from message where automatic) as greetings,
      (select count(*)::int from contact) as contacts, (select count(*)::int from live_event) as events`
    return row
  }
  const now = () => String(Math.floor(Date.now() / 1000))

  test.each(MESSAGES.map(([name, message, shown], n) => ({ name, message, shown, n })))(
    '$name',
    async ({ message, shown, n }) => {
      await inbox.empty()
      const from = `55319${String(80_000_000 + n)}`
      await inbox.take(
        ...toEvents({ from, id: `wamid.${n}`, timestamp: now(), ...message }, { contacts: [{ wa_id: from }] }),
      )
      const after = await count()
      const tells = ['calls_allowed', 'calls_refused', 'edited_unseen'].includes(String(shown?.card?.code))
      if (tells) expect(after).toMatchObject({ tickets: 0, greetings: 0 })
      else if (shown) expect(after).toMatchObject({ tickets: 1, greetings: 1, contacts: 1 })
      else expect(after).toEqual({ tickets: 0, greetings: 0, contacts: 0, events: 0 })
    },
  )
})
