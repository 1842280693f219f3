// The bot of questions and answers in the real inbox (decisions-2 §8 rules 3 and 6c, §9, §22 "Bot"): rules carried out, and who is told.
// That the rules are right is tested as a table, in contract/test/bot-table.ts.
import { beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { closeBot } from '../src/desk/sweeps/close-bot.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makeQueue } from './desk-world.ts'
import { makeGroupPeer, makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { countRounds } from './rounds.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
const inbox = await makeInbox(db)
const { take, whatsappId } = inbox
const official = await makeInbox(db, 'cloud_api')
const lucia = makePeer({ pn: '5531998762210' })
const paulo = makePeer({ pn: '5531998762211' })
const sweeping = { db, ring() {}, log: pino({ level: 'silent' }) }

const sales = await makeQueue(db, 'Vendas')
const support = await makeQueue(db, 'Suporte')

beforeEach(async () => {
  await inbox.empty()
  await setPlainSettings(db)
  await set('activeBot', 'enabled')
  await sql`truncate whatsapp_queue, question`
  await sql`update whatsapp set greeting_message = 'Oi!', greeting_bot_message = 'Mande o número, {{name}}:', farewell_message = 'Até logo!',
    public_dns_typebot = '', public_id_typebot = ''`
  await sql`
    insert into question (pergunta, resposta, queue_id, open_ticket, position) values
      ('Quero comprar', 'Chamo as vendas, {{name}}.', ${sales}, true, 2), ('Horário e endereço', 'Das 8 às 18.', null, false, 1),
      ('Entrega no meu bairro', 'Entregamos em BH.', ${support}, false, 3)`
})

async function set(key: string, value: string): Promise<void> {
  await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}

async function listSent(): Promise<string[]> {
  const rows = await sql`select body from message where from_me and automatic and user_id is null order by id`
  return rows.map(row => row.body)
}

async function ticket() {
  const [row] =
    await sql`select status, queue_id as queue, unread_messages as unread from ticket order by id desc limit 1`
  return row
}

async function logged(): Promise<string[]> {
  return (await sql`select action from log_entry where user_id is null order by id`).map(row => row.action)
}

/** What is told of tickets with the bot: the event, and the statuses it leads from and to. */
async function listNotices(): Promise<string[]> {
  const rows = await sql`
    select payload::jsonb->>'action' as action, audience->'before'->>'status' as before, audience->'after'->>'status' as after
    from live_event where payload::jsonb->>'event' = 'ticketBot' order by id`
  return rows.map(({ action, before, after }) => [action, before, after].filter(Boolean).join(' '))
}

/** One after the other, a second apart. */
async function writes(...texts: readonly string[]): Promise<void> {
  const began = Date.now()
  for (const [n, text] of texts.entries())
    await take(makeMessageEvent(lucia, text, { at: began + n * 1000, name: 'Lúcia' }))
}

const LINES = '1 - Horário e endereço\n2 - Quero comprar\n3 - Entrega no meu bairro\n99 - Falar com atendente'
const OPENING = `Mande o número, Lúcia:\n\n${LINES}`
const MORE = `Posso ajudar em mais alguma coisa? Responda com o número:\n\n${LINES}`
const COMING = 'Certo! Alguém da nossa equipe responde por aqui assim que puder.'

describe('a conversation with the bot', () => {
  test('activeBot: begins with greetingBotMessage and the questions in their order, and answers until people are asked for', async () => {
    await writes('Oi', '1', 'quero comprar')
    expect(await listSent()).toEqual([OPENING, 'Das 8 às 18.', MORE, 'Chamo as vendas, Lúcia.'])
    expect(await ticket()).toEqual({ status: 'pending', queue: sales, unread: 3 })
    expect(await logged()).toEqual(['ticket.bot', 'ticket.release', 'ticket.route'])
    const [row] =
      await sql`select count(*)::int as n from message where from_me and (not automatic or user_id is not null)`
    expect(row?.n).toBe(0)
  })

  test('activeBot: off, a new ticket is greeted as ever', async () => {
    await set('activeBot', 'disabled')
    await writes('Oi', '1')
    expect([await listSent(), (await ticket())?.status]).toEqual([['Oi!'], 'pending'])
  })

  test('nobody is told that it waits until it does, and then everybody who may', async () => {
    await writes('Oi', '3', '99')
    expect(await listNotices()).toEqual(['create bot', 'update bot bot', 'reload bot pending'])
    const rows = await sql`
      select payload::jsonb->>'action' as action, payload::jsonb->'ticket'->>'status' as status from live_event
      where payload::jsonb->>'event' = 'ticket' order by id`
    expect(rows.map(row => `${row.action} ${row.status}`)).toEqual([
      'create bot',
      'updateUnread bot',
      'updateUnread pending',
    ])
    expect(await ticket()).toMatchObject({ status: 'pending', queue: support })
  })

  test('messageBot: where nothing is found, and the third time in a row it is as 99', async () => {
    await set('messageBot', 'Não achei isso.')
    await writes('Oi', 'kkkk', '1', 'hein?', 'sei lá', 'ué')
    const miss = `Não achei isso.\n\n${LINES}`
    expect(await listSent()).toEqual([OPENING, miss, 'Das 8 às 18.', MORE, miss, miss, COMING])
    expect((await ticket())?.status).toBe('pending')
  })

  test('botCloseTicket: 00 ends it with the good-bye, and only then', async () => {
    await writes('Oi', '00')
    expect((await ticket())?.status).toBe('bot')
    await set('botCloseTicket', 'enabled')
    await writes('00')
    expect([await ticket(), (await listSent()).at(-1)]).toEqual([
      { status: 'closed', queue: null, unread: 0 },
      'Até logo!',
    ])
    expect(await logged()).toEqual(['ticket.bot', 'ticket.dismiss'])
  })

  test('sendOnlyOnce: the greeting once, the answers each time', async () => {
    await set('sendOnlyOnce', 'enabled')
    await set('botCloseTicket', 'enabled')
    await writes('Oi', '00', 'Oi de novo')
    const [opening = '', , again = ''] = await listSent()
    expect([opening.startsWith('Mande o número'), again.startsWith('Responda com o número')]).toEqual([true, true])
  })

  test('of two first words at once one is answered with the menu, and the other is no wrong answer', async () => {
    for (let round = 0; round < 5; round++) {
      await inbox.empty()
      await Promise.all([take(makeMessageEvent(lucia, 'Oi')), take(makeMessageEvent(lucia, 'Bom dia'))])
      expect([(await listSent()).length, (await ticket())?.status]).toEqual([1, 'bot'])
    }
    await inbox.empty()
    await take(makeMessageEvent(lucia, 'Oi'), makeMessageEvent(lucia, 'Bom dia'), makeMessageEvent(lucia, 'Tudo bem?'))
    expect([(await listSent()).length, (await ticket())?.status]).toEqual([1, 'bot'])
  })

  test('a repeat of an answer is no second one', async () => {
    await writes('Oi')
    const answer = makeMessageEvent(lucia, '1', { at: Date.now() + 1000 })
    await Promise.all([take(answer), take(answer), take(answer)])
    expect((await listSent()).length).toBe(3)
  })

  test('by the official API its menu is a list, numbers with names of their own', async () => {
    await official.take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    const [row] = await sql`select payload->'menu' as menu from outbox`
    expect(row?.menu).toEqual({
      words: 'Mande o número, Lúcia:',
      options: [
        'Horário e endereço',
        'Quero comprar',
        'Entrega no meu bairro',
        { number: '99', name: 'Falar com atendente' },
      ],
    })
    await official.take(makeMessageEvent(lucia, '99 - Falar com ate…', { at: Date.now() + 1000 }))
    expect((await ticket())?.status).toBe('pending')
  })

  test('what a customer says is shown in the list, not what the bot said last', async () => {
    await writes('Oi', '1')
    const [row] = await sql`
      select payload::jsonb->'ticket'->>'lastMessage' as words from live_event where payload::jsonb->>'event' = 'ticketBot' order by id desc`
    expect(row?.words).toBe('1')
  })
})

describe('the bot keeps out', () => {
  test('of groups, of our own words, of what is old, and of whom nothing is said to', async () => {
    await set('CheckMsgFromCell', 'disabled')
    await take({ ...makeMessageEvent(makeGroupPeer('120363'), 'Oi'), author: lucia })
    await take(makeMessageEvent(paulo, 'Olá', { fromMe: true }))
    await take(makeMessageEvent(lucia, 'Oi', { at: Date.now() - 11 * 60_000 }))
    const apart = makePeer({ pn: '5531998762212' })
    await take({ ...makeMessageEvent(apart, 'antes'), past: true })
    await sql`update contact set resposta_automatica = false where number = ${apart.pn ?? ''}`
    await take(makeMessageEvent(apart, 'Oi'))
    const rows = await sql`select count(*)::int as n from ticket where status = 'pending'`
    expect([await listSent(), rows[0]?.n]).toEqual([[], 4])
  })

  test('a message typed on the phone ends it at once, and the ticket waits for people', async () => {
    await writes('Oi')
    await take(makeMessageEvent(lucia, 'Já te respondo', { fromMe: true, at: Date.now() + 1000 }))
    await writes('1')
    expect([await listSent(), (await ticket())?.status]).toEqual([[OPENING], 'pending'])
  })

  test('an echo of its own words does not', async () => {
    await writes('Oi')
    const [own] = await sql`select provider_id as id, body from message where from_me`
    await take(makeMessageEvent(lucia, own?.body, { fromMe: true, id: own?.id }))
    expect((await ticket())?.status).toBe('bot')
  })

  test('of what an agent has taken', async () => {
    await writes('Oi')
    await sql`update ticket set status = 'open'`
    await writes('1', '99')
    expect(await listSent()).toEqual([OPENING])
  })

  test('words of long ago, and who wants no answers any more, wait for people', async () => {
    await writes('Oi')
    await take(makeMessageEvent(lucia, '1', { at: Date.now() - 11 * 60_000 }))
    expect((await ticket())?.status).toBe('pending')
    await sql`update ticket set status = 'bot'`
    await sql`update contact set resposta_automatica = false`
    await writes('1')
    expect([(await ticket())?.status, (await listSent()).length]).toEqual(['pending', 1])
  })

  test('where its questions went meanwhile, people see to it', async () => {
    await writes('Oi')
    await sql`truncate question`
    await writes('1')
    expect([await listSent(), (await ticket())?.status]).toEqual([[OPENING, COMING], 'pending'])
  })
})

describe('botIdle: silence', () => {
  const LATER = 61 * 60_000
  const clock = (ms: number) => () => new Date(Date.now() + ms)
  const asLongAgo = () => sql`update ticket_span set begun_at = begun_at - interval '2 minutes' where ended_at is null`

  test('of so many minutes closes it without a word, and not before', async () => {
    await writes('Oi')
    await asLongAgo()
    expect(await closeBot(sweeping, clock(59 * 60_000))).toBe(0)
    expect(await closeBot(sweeping, clock(LATER))).toBe(1)
    expect([await listSent(), (await ticket())?.status, await logged()]).toEqual([
      [OPENING],
      'closed',
      ['ticket.bot', 'ticket.botIdle'],
    ])
    expect((await listNotices()).at(-1)).toBe('reload bot closed')
    const [line] = await sql`select body from message where media_type = 'system'`
    expect(line?.body).toContain('falta de resposta')
  })

  test('0: never', async () => {
    await set('botIdle', '0')
    await writes('Oi')
    expect(await closeBot(sweeping, clock(1000 * LATER))).toBe(0)
  })

  test('only what the bot has: not who waits, is served or rates, and no group', async () => {
    for (const status of ['pending', 'open', 'paused', 'nps']) {
      await inbox.empty()
      await writes('Oi')
      await sql`update ticket set status = ${status}`
      expect(await closeBot(sweeping, clock(LATER))).toBe(0)
    }
    await sql`update ticket set status = 'bot', is_group = true`
    expect(await closeBot(sweeping, clock(LATER))).toBe(0)
  })

  test('a customer who writes at that moment is heard', async () => {
    for (let round = 0; round < countRounds({ all: 10, few: 3 }); round++) {
      await inbox.empty()
      await writes('Oi')
      await sql`update ticket set last_message_at = now() - interval '2 hours'`
      await sql`update ticket_span set begun_at = now() - interval '2 hours'`
      await Promise.all([closeBot(sweeping), take(makeMessageEvent(lucia, '1', { at: Date.now() + 1000 }))])
      const [row] = await sql`
        select t.status from ticket t join message m on m.ticket_id = t.id where m.body = '1' and not m.from_me`
      expect(row?.status).toBe('bot')
    }
  })
})

test('a connection with Typebot: no questions, and its tickets are handed there', async () => {
  await sql`update whatsapp set public_dns_typebot = 'https://bot.example', public_id_typebot = 'fluxo' where id = ${whatsappId}`
  await writes('Oi')
  expect(await listSent()).toEqual([])
})
