// What messages set in motion in the real inbox: rules carried out, settings obeyed, and everybody told (decisions-2 §8, §11). That the
// rules are right is tested as a table, in contract/test/what-follows.test.ts.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Peer } from '../src/platform/channel/driver.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeGroupPeer, makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
const inbox = await makeInbox(db)
const { take, whatsappId } = inbox
const official = await makeInbox(db, 'cloud_api')
const lucia = makePeer({ pn: '5531998762210' })
const paulo = makePeer({ pn: '5531998762211' })
const TODAY = 'monday, tuesday, wednesday, thursday, friday, saturday, sunday'.split(', ')

const sales = await makeQueue(db, 'Vendas')
const support = await makeQueue(db, 'Suporte')
const bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales] })
const carlos = await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [sales] })
await sql`update queue set greeting_message = 'Você está em {{queue}}.', custom_order = 1 where id = ${sales}`

beforeEach(async () => {
  await inbox.empty()
  await setPlainSettings(db)
  await sql`truncate whatsapp_queue, user_substitute, rating`
  await sql`update whatsapp set greeting_message = 'Oi, {{name}}!', greeting_message_redirect = 'É com a Bruna.', nps_tks_message = 'Obrigada!'`
  await sql`update "user" set active = true, start_time = '00:00', end_time = '23:59', holidays = true`
})

async function set(key: string, value: string): Promise<void> {
  await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}

/** Closed whatever the hour. */
async function close(): Promise<void> {
  for (const day of TODAY) await set(day, 'disabled')
  await set('msgOutOfTime', 'Estamos fechados.')
}

async function queuesOf(...ids: readonly number[]): Promise<void> {
  await sql`insert into whatsapp_queue (whatsapp_id, queue_id) select ${whatsappId}, unnest(${[...ids]}::int[])`
}

/** What the desk said, in its order. */
async function listPushes(): Promise<string[]> {
  return (await sql`select body from message where from_me and automatic and user_id is null order by id`).map(
    row => row.body,
  )
}

/** The newest ticket. */
async function ticket() {
  const [row] = await sql`
    select status, queue_id as queue, user_id as person, unread_messages as unread from ticket order by id desc limit 1`
  return row
}

async function number(rows: PromiseLike<readonly { n?: unknown }[]>): Promise<number> {
  return Number((await rows)[0]?.n)
}

async function logged(): Promise<string[]> {
  return (await sql`select action from log_entry where user_id is null order by id`).map(row => row.action)
}

/** The last ticket is resolved and asks for a rating. */
async function ask(userId = bruna): Promise<void> {
  await sql`update ticket set status = 'nps', user_id = ${userId}, queue_id = ${sales}, unread_messages = 0`
}

async function aRedirect(peer: Peer, queueId: number, userId: number): Promise<void> {
  await take({ ...makeMessageEvent(peer, 'antes'), past: true })
  await sql`
    insert into contact_redirect (contact_id, queue_id, user_id)
    select contact_id, ${queueId}, ${userId} from contact_identity where value = ${peer.pn ?? ''}`
}

const MENU = '1 - Vendas\n2 - Suporte'
const AGAIN = `Não encontrei essa opção. Responda com o número de uma destas:\n\n${MENU}`

describe('greetings', () => {
  test('sendGreetingMessage: a new ticket is greeted, and not where it is off', async () => {
    await take(makeMessageEvent(lucia, 'Bom dia', { name: 'Lúcia' }))
    await set('sendGreetingMessage', 'disabled')
    await take(makeMessageEvent(paulo, 'Bom dia'))
    expect(await listPushes()).toEqual(['Oi, Lúcia!'])
  })

  test('sendOnlyOnce: once within greetingInterval seconds, then again', async () => {
    await sql`update whatsapp set greeting_message = 'Oi!'`
    await set('sendOnlyOnce', 'enabled')
    await set('greetingInterval', '3600')
    const again = async () => {
      await sql`update ticket set status = 'closed', closed_at = now()`
      await take(makeMessageEvent(lucia, 'Voltei'))
      return listPushes()
    }
    expect(await again()).toEqual(['Oi!'])
    expect(await again()).toEqual(['Oi!'])
    await sql`update contact_channel set greeted_at = now() - interval '61 minutes'`
    expect(await again()).toEqual(['Oi!', 'Oi!'])
  })

  test('sendOnlyOnce: once on whatever line of the company somebody writes', async () => {
    await sql`update whatsapp set greeting_message = 'Oi!'`
    await set('sendOnlyOnce', 'enabled')
    await take(makeMessageEvent(lucia, 'Bom dia'))
    await official.take(makeMessageEvent(lucia, 'Bom dia, por aqui também'))
    expect(await listPushes()).toEqual(['Oi!'])
    await sql`update contact_channel set greeted_at = now() - interval '61 minutes'`
    await sql`update ticket set status = 'closed', closed_at = now()`
    await official.take(makeMessageEvent(lucia, 'Voltei'))
    expect(await listPushes()).toEqual(['Oi!', 'Oi!'])
  })

  test('timeCreateNewTicket: the same ticket comes back without greeting, then a new one', async () => {
    await set('timeCreateNewTicket', '10')
    await take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    const closedAgo = (minutes: number) =>
      sql`update ticket set status = 'closed', closed_at = now() - make_interval(mins => ${minutes})`
    await closedAgo(9)
    await take(makeMessageEvent(lucia, 'Esqueci'))
    expect(await number(sql`select count(*)::int as n from ticket`)).toBe(1)
    expect([await listPushes(), await ticket()]).toMatchObject([['Oi, Lúcia!'], { status: 'pending', unread: 2 }])
    await closedAgo(11)
    await take(makeMessageEvent(lucia, 'Outra coisa'))
    expect([await number(sql`select count(*)::int as n from ticket`), (await listPushes()).length]).toEqual([2, 2])
  })

  test('groups, our own words, what is old, and who wants none are left alone', async () => {
    await queuesOf(sales, support)
    await set('greetingWithQueue', 'enabled')
    await set('CheckMsgFromCell', 'disabled')
    await take({ ...makeMessageEvent(makeGroupPeer('120363'), 'Oi'), author: lucia })
    await take(makeMessageEvent(paulo, 'Olá', { fromMe: true }))
    await take(makeMessageEvent(lucia, 'Oi', { at: Date.now() - 11 * 60_000 }))
    const apart = makePeer({ pn: '5531998762212' })
    await take({ ...makeMessageEvent(apart, 'antes'), past: true })
    await sql`update contact set resposta_automatica = false where number = ${apart.pn ?? ''}`
    await take(makeMessageEvent(apart, 'Oi'))
    expect([
      await listPushes(),
      await number(sql`select count(*)::int as n from ticket where status = 'pending'`),
    ]).toEqual([[], 4])
  })
})

describe('greetingWithQueue: the menu of queues', () => {
  beforeEach(async () => {
    await queuesOf(sales, support)
    await set('greetingWithQueue', 'enabled')
    await sql`update whatsapp set greeting_message = 'Com quem quer falar?'`
  })

  test('the answer routes the ticket, whose queue greets; only then its people are told', async () => {
    await take(makeMessageEvent(lucia, 'Oi'))
    expect(await ticket()).toMatchObject({ status: 'pending', queue: null })
    await take(makeMessageEvent(lucia, '1', { at: Date.now() + 1000 }))
    expect(await listPushes()).toEqual([`Com quem quer falar?\n\n${MENU}`, 'Você está em Vendas.'])
    expect(await ticket()).toMatchObject({ status: 'pending', queue: sales, unread: 2 })
    expect(await logged()).toEqual(['ticket.route'])
    const [event] = await sql`
      select audience->'before'->'queueId' as before, audience->'after'->'queueId' as after, payload::json->>'action' as action
      from live_event where payload like '{"event":"ticket"%' order by id desc limit 1`
    expect(event).toEqual({ before: null, after: sales, action: 'updateUnread' })
  })

  test('the menu comes again twice, then a number or a name still routes', async () => {
    const writes = (text: string, n: number) => take(makeMessageEvent(lucia, text, { at: Date.now() + n * 1000 }))
    for (const [n, text] of ['Oi', 'quê?', 'hein?', 'sei lá'].entries()) await writes(text, n)
    expect((await listPushes()).slice(1)).toEqual([AGAIN, AGAIN])
    await writes('suporte', 4)
    expect([(await listPushes()).length, (await ticket())?.queue]).toEqual([3, support])
  })

  test('of two first words at once one is answered with the menu', async () => {
    for (let round = 0; round < 5; round++) {
      await inbox.empty()
      // No whole second: that would be a provider that tells no finer time, whose message may be from after the menu.
      const now = Date.now()
      const at = now % 2 === 0 ? now - 1 : now - 2
      const [first, second] = [makeMessageEvent(lucia, 'Oi', { at }), makeMessageEvent(lucia, 'Bom dia', { at })]
      await Promise.all([take(first), take(second)])
      expect([await listPushes(), await number(sql`select count(*)::int as n from ticket`)]).toEqual([
        [`Com quem quer falar?\n\n${MENU}`],
        1,
      ])
    }
    await inbox.empty()
    await take(
      makeMessageEvent(lucia, 'Oi', { at: 1000 * Math.floor(Date.now() / 1000) }),
      makeMessageEvent(lucia, 'Bom dia'),
    )
    expect((await listPushes()).length).toBe(1)
  })

  test('a repeat of the answer is no second one', async () => {
    await take(makeMessageEvent(lucia, 'Oi'))
    const answer = makeMessageEvent(lucia, '2', { at: Date.now() + 1000 })
    await Promise.all([take(answer), take(answer)])
    expect([(await listPushes()).length, (await ticket())?.queue]).toEqual([1, support])
  })

  test('by the official API it goes out as buttons', async () => {
    await sql`insert into whatsapp_queue (whatsapp_id, queue_id) select ${official.whatsappId}, unnest(${[sales, support]}::int[])`
    await sql`update whatsapp set greeting_message = ''`
    await official.take(makeMessageEvent(lucia, 'Oi'))
    const [row] = await sql`select payload->'menu' as menu from outbox`
    expect(row?.menu).toEqual({
      words: 'Escolha uma opção e responda com o número dela:',
      options: ['Vendas', 'Suporte'],
    })
  })

  test('a greeting as long as the kind takes still goes out, with its menu under it', async () => {
    await sql`insert into whatsapp_queue (whatsapp_id, queue_id) select ${official.whatsappId}, unnest(${[sales, support]}::int[])`
    await sql`update whatsapp set greeting_message = ${`{{name}} ${'o'.repeat(4087)}`}`
    await official.take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia Aparecida' }))
    const [words = ''] = await listPushes()
    expect([words.length, words.endsWith(`…\n\n${MENU}`)]).toEqual([4096, true])
  })
})

describe('closed', () => {
  test('msgOutOfTime: in place of the greeting, and once a ticket', async () => {
    await close()
    await take(makeMessageEvent(lucia, 'Oi'))
    await take(makeMessageEvent(lucia, 'Alguém?'))
    expect(await listPushes()).toEqual(['Estamos fechados.'])
    await sql`update ticket set status = 'closed', closed_at = now()`
    await take(makeMessageEvent(lucia, 'E agora?'))
    expect((await listPushes()).length).toBe(2)
  })

  test('monday, tuesday, wednesday, thursday, friday, saturday, sunday: a live ticket is told when the day is not worked', async () => {
    await take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    await close()
    await take(makeMessageEvent(lucia, 'Ainda aí?'), makeMessageEvent(lucia, 'Alô?'))
    expect(await listPushes()).toEqual(['Oi, Lúcia!', 'Estamos fechados.'])
  })

  /** A time of day in São Paulo, so many minutes from now. */
  const clock = (minutes: number) =>
    new Date(Date.now() + minutes * 60_000).toLocaleTimeString('pt-BR', {
      timeZone: 'America/Sao_Paulo',
      hour: '2-digit',
      minute: '2-digit',
    })

  test('horarioAbertura, horarioFechamento: before one and after the other', async () => {
    await set('msgOutOfTime', 'Estamos fechados.')
    await set('horarioAbertura', clock(-60))
    await set('horarioFechamento', clock(60))
    await take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    await set('horarioFechamento', clock(-30))
    await take(makeMessageEvent(paulo, 'Oi'))
    expect(await listPushes()).toEqual(['Oi, Lúcia!', 'Estamos fechados.'])
  })

  test('horarioAlmoco, horarioFimAlmoco: at lunch', async () => {
    const lunch = [clock(-60), clock(60)].sort()
    // Around midnight the two lie on different days, and there is no lunch to speak of.
    const isNow = lunch[0] === clock(-60)
    await set('msgOutOfTime', 'Almoço.')
    await set('horarioAlmoco', lunch[0] ?? '')
    await set('horarioFimAlmoco', lunch[1] ?? '')
    await take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    expect(await listPushes()).toEqual([isNow ? 'Almoço.' : 'Oi, Lúcia!'])
  })

  test('holidays: closed on them unless they are worked', async () => {
    const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
    await set('msgOutOfTime', 'Hoje é feriado.')
    await set('holidayDates', JSON.stringify([{ date: today, name: 'Aniversário da cidade', open: false }]))
    await take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    await set('holidays', 'disabled')
    await take(makeMessageEvent(paulo, 'Oi'))
    await set('holidays', 'enabled')
    expect(await listPushes()).toEqual(['Oi, Lúcia!', 'Hoje é feriado.'])
  })
})

describe('redirect (decisions-2 §8, 6b)', () => {
  beforeEach(async () => {
    await queuesOf(sales, support)
    await aRedirect(lucia, sales, bruna)
  })

  test('a new ticket is open with the contact’s person, who is told; so it stands in the log', async () => {
    await take(makeMessageEvent(lucia, 'Oi'))
    expect([await ticket(), await listPushes()]).toMatchObject([
      { status: 'open', queue: sales, person: bruna, unread: 1 },
      ['É com a Bruna.'],
    ])
    expect(await logged()).toEqual(['ticket.route', 'ticket.redirect'])
    expect(await number(sql`select count(*)::int as n from ticket where accepted_at is not null`)).toBe(1)
  })

  test('while the person is inactive or out of hours the substitute for that queue gets it', async () => {
    await sql`insert into user_substitute (user_id, queue_id, substitute_id) values (${bruna}, ${sales}, ${carlos})`
    await sql`update "user" set active = false where id = ${bruna}`
    await take(makeMessageEvent(lucia, 'Oi'))
    expect(await ticket()).toMatchObject({ status: 'open', person: carlos })
    await sql`update ticket set status = 'closed', closed_at = now()`
    const hour = new Date(Date.now() - 2 * 3_600_000).toISOString().slice(11, 16)
    await set('timezone', 'UTC')
    await sql`update "user" set active = true, start_time = ${hour}, end_time = ${hour} where id = ${bruna}`
    await take(makeMessageEvent(lucia, 'Oi'))
    expect(await ticket()).toMatchObject({ status: 'open', person: carlos })
    await sql`update ticket set status = 'closed', closed_at = now()`
    await sql`update "user" set start_time = '00:00', end_time = '23:59', holidays = false where id = ${bruna}`
    const today = { date: new Date().toISOString().slice(0, 10), name: 'Aniversário da cidade', open: false }
    await set('holidayDates', JSON.stringify([today]))
    await take(makeMessageEvent(lucia, 'Oi'))
    expect(await ticket()).toMatchObject({ status: 'open', person: carlos })
  })

  test('without anybody there it waits in the queue', async () => {
    await sql`update "user" set active = false where id = ${bruna}`
    await take(makeMessageEvent(lucia, 'Oi', { name: 'Lúcia' }))
    expect([await ticket(), await listPushes()]).toMatchObject([
      { status: 'pending', queue: sales, person: null },
      ['Oi, Lúcia!'],
    ])
  })

  test('who lost the queue gets nothing of it', async () => {
    await sql`delete from user_queue where user_id = ${bruna}`
    await take(makeMessageEvent(lucia, 'Oi'))
    await sql`insert into user_queue values (${bruna}, ${sales})`
    expect(await ticket()).toMatchObject({ status: 'pending', person: null })
  })
})

describe('optOutWord: out of the sends, and back', () => {
  const rung = async () =>
    number(
      sql`select count(*)::int as n from live_event where payload like '{"event":"ticket","action":"updateUnread"%'`,
    )

  test('as first words they are kept in a closed ticket, and nothing rings', async () => {
    await take(makeMessageEvent(lucia, 'Sair'))
    expect(await ticket()).toMatchObject({ status: 'closed', unread: 0 })
    expect(await number(sql`select count(*)::int as n from contact where opted_out_at is not null`)).toBe(1)
    await take(makeMessageEvent(lucia, 'voltar'))
    expect(await number(sql`select count(*)::int as n from contact where opted_out_at is null`)).toBe(1)
    expect([
      await number(sql`select count(*)::int as n from ticket`),
      (await listPushes()).length,
      await rung(),
    ]).toEqual([1, 2, 0])
    expect(await logged()).toEqual(['contact.optOut', 'contact.optIn'])
    await take(makeMessageEvent(lucia, 'Quero comprar'))
    expect(await ticket()).toMatchObject({ status: 'pending', unread: 1 })
  })

  test('in a live ticket they are read by whoever serves it, and change nothing there', async () => {
    await take(makeMessageEvent(lucia, 'Oi'))
    await take(makeMessageEvent(lucia, 'SAIR'), makeMessageEvent(lucia, 'Mas o pedido fica'))
    expect([await ticket(), await rung()]).toMatchObject([{ status: 'pending', unread: 2 }, 1])
  })

  test('another word', async () => {
    await set('optOutWord', 'Parar')
    await take(makeMessageEvent(lucia, 'PARAR'), makeMessageEvent(paulo, 'SAIR'))
    expect(await number(sql`select count(*)::int as n from contact where opted_out_at is not null`)).toBe(1)
    expect(await number(sql`select count(*)::int as n from ticket where status = 'pending'`)).toBe(1)
  })
})

describe('the answer to a survey (decisions-2 §11)', () => {
  beforeEach(async () => {
    await set('sendGreetingMessage', 'disabled')
    await take(makeMessageEvent(lucia, 'Oi'))
    await ask()
  })

  test('a rating is kept with ticket, contact, connection, queue and person, and the ticket is closed', async () => {
    await take(makeMessageEvent(lucia, 'Nota 4'))
    const [row] =
      await sql`select r.*, t.status, t.closed_at is not null as closed, t.unread_messages from rating r join ticket t on t.id = r.ticket_id`
    expect(row).toMatchObject({
      rate: 4,
      whatsapp_id: whatsappId,
      queue_id: sales,
      user_id: bruna,
      status: 'closed',
      closed: true,
    })
    expect([row?.unread_messages, await listPushes(), await logged()]).toEqual([
      0,
      ['Obrigada!'],
      ['ticket.rate', 'ticket.dismiss'],
    ])
  })

  test('of two ratings at once one counts', async () => {
    await Promise.all([take(makeMessageEvent(lucia, '5')), take(makeMessageEvent(lucia, '1'))])
    expect(await number(sql`select count(*)::int as n from rating`)).toBe(1)
  })

  test('anything else goes back to the queue, unrated, and rings there', async () => {
    await take(makeMessageEvent(lucia, 'Não funcionou'))
    expect(await ticket()).toMatchObject({ status: 'pending', queue: sales, person: null, unread: 1 })
    expect([await number(sql`select count(*)::int as n from rating`), await logged()]).toEqual([0, ['ticket.unsettle']])
    const [event] = await sql`
      select audience->'before'->'userId' as before, audience->'after'->'status' as after from live_event
      where payload like '{"event":"ticket"%' order by id desc limit 1`
    expect(event).toEqual({ before: bruna, after: 'pending' })
  })
})
