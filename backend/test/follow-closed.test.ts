// Closed hours, redirects, the word that ends sends, and the answer to a survey (decisions-2 §8, §11).
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Peer } from '../src/platform/channel/driver.ts'
import { number, startFollowDesk } from './follow-desk.ts'
import { makeMessageEvent } from './inbox-world.ts'

const {
  sql,
  take,
  whatsappId,
  lucia,
  paulo,
  TODAY,
  sales,
  support,
  bruna,
  carlos,
  set,
  queuesOf,
  listPushes,
  ticket,
  logged,
} = await startFollowDesk()

/** Closed whatever the hour. */
async function close(): Promise<void> {
  for (const day of TODAY) await set(day, 'disabled')
  await set('msgOutOfTime', 'Estamos fechados.')
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

  for (const status of ['open', 'paused'])
    test(`to whom serves it (${status}) a sentence rings, also one that ends the sends`, async () => {
      await take(makeMessageEvent(lucia, 'Oi'))
      await sql`update ticket set status = ${status}, user_id = ${bruna}, unread_messages = 0`
      const outs = () => number(sql`select count(*)::int as n from contact where opted_out_at is not null`)
      await take(makeMessageEvent(lucia, 'Ok, não envie'))
      expect([await ticket(), await rung(), await outs()]).toMatchObject([{ unread: 1 }, 1, 0])
      await take(makeMessageEvent(lucia, 'Não me mande mais mensagens'))
      expect([await ticket(), await rung(), await outs()]).toMatchObject([{ unread: 2 }, 2, 1])
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
