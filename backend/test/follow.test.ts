// Greetings and the menu of queues (decisions-2 §8).
import { beforeEach, describe, expect, test } from 'bun:test'
import { number, startFollowDesk } from './follow-desk.ts'
import { makeGroupPeer, makeMessageEvent, makePeer } from './inbox-world.ts'

const { sql, inbox, take, official, lucia, paulo, sales, support, set, queuesOf, listPushes, ticket, logged } =
  await startFollowDesk()

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
