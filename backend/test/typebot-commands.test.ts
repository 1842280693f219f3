// Lines of a flow that are for the desk (decisions-2 §10, §22).
import { describe, expect, test } from 'bun:test'
import { ask, sayText } from '@balcao/simulator/typebot/blocks'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { makePerson, toEmail } from './desk-world.ts'
import { makeEditEvent, makeMessageEvent, makePeer } from './inbox-world.ts'
import { startTypebotDesk } from './typebot-desk.ts'
import type { FlowCustomer } from './typebot-world.ts'

const { typebot, db, sql, world } = await startTypebotDesk()

describe('decisions-2 §10, §22: lines of the flow that are for us', () => {
  const says_ = (...lines: readonly string[]) =>
    function* () {
      yield sayText(lines.join('\n'))
      yield ask('text input')
    }

  test('#fila by name or number ends the flow: the ticket waits there', async () => {
    const lucia = await world.customer(says_('Um momento', '#fila financeiro'))
    expect(await lucia.hears('oi')).toEqual(['Um momento'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending', queue: 'Financeiro', user: null })
    expect(await lucia.lines()).toEqual(['flowQueue Financeiro'])
    const [row] = await sql<{ id: number }[]>`select id from queue where name = 'Vendas'`
    const anna = await world.customer(says_(`#fila ${row?.id}`))
    await anna.hears('oi')
    expect(await anna.ticket()).toMatchObject({ queue: 'Vendas' })
    // The flow is over: what comes now is for people.
    expect(await anna.hears('alguém?')).toEqual([])
  })

  test('#fila of a queue in which the contact has a person of its own: that person gets it (decisions-2 §8, 6b)', async () => {
    const [vendas] = await sql<{ id: number }[]>`select id from queue where name = 'Vendas'`
    const queueId = vendas?.id ?? 0
    const helena = await makePerson(db, { name: 'Helena', profile: 'user', queueIds: [queueId] })
    await sql`update whatsapp set greeting_message_redirect = 'Com você, {{user}}' where id = ${world.whatsappId}`
    const lucia = await world.customer(function* () {
      yield ask('text input')
      yield sayText('#fila Vendas')
    })
    typebot.hold(true)
    await lucia.say('oi')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${(await lucia.ticket()).contactId}, ${queueId}, ${helena})`
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.ticket()).toMatchObject({ status: 'open', queue: 'Vendas', user: 'Helena' })
    expect(await lucia.listSent()).toEqual(['Com você, Helena'])
  })

  test('#fila of none leaves the ticket to people, who read which', async () => {
    const lucia = await world.customer(says_('#fila Marte'))
    await lucia.hears('oi')
    expect(await lucia.ticket()).toMatchObject({ status: 'pending', queue: null })
    expect(await lucia.lines()).toEqual(['flowNoQueue Marte', 'flowEnded'])
  })

  test('the person’s greeting is not said while the company is closed (decisions-2 §8, 6a)', async () => {
    const [vendas] = await sql<{ id: number }[]>`select id from queue where name = 'Vendas'`
    const queueId = vendas?.id ?? 0
    const paulo = await makePerson(db, { name: 'Paulo', profile: 'admin', queueIds: [queueId] })
    await sql`update whatsapp set greeting_message_redirect = 'Com você, {{user}}' where id = ${world.whatsappId}`
    const lucia = await world.customer(function* () {
      yield ask('text input')
      yield sayText('#fila Vendas')
    })
    const before = await sql<{ key: string; value: string }[]>`select key, value from setting`
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    await sql`
      insert into setting (key, value) select unnest(${days}::text[]), 'disabled'
      on conflict (key) do update set value = excluded.value`
    clearSettingsCache(db)
    typebot.hold(true)
    await lucia.say('oi')
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${(await lucia.ticket()).contactId}, ${queueId}, ${paulo})`
    typebot.hold(false)
    await lucia.settled()
    await sql`delete from setting`
    for (const { key, value } of before) await sql`insert into setting (key, value) values (${key}, ${value})`
    clearSettingsCache(db)
    expect(await lucia.ticket()).toMatchObject({ status: 'open', user: 'Paulo' })
    expect(await lucia.listSent()).not.toContain('Com você, Paulo')
  })

  test('#atendente by e-mail or number: who may have it gets it', async () => {
    const [vendas] = await sql<{ id: number }[]>`select id from queue where name = 'Vendas'`
    const bruno = await makePerson(db, { name: 'Bruno', profile: 'user', queueIds: [vendas?.id ?? 0] })
    for (const whom of [toEmail('Bruno').toUpperCase(), String(bruno)]) {
      const lucia = await world.customer(says_('#fila Vendas', `#atendente ${whom}`))
      await lucia.hears('oi')
      expect(await lucia.ticket()).toMatchObject({ status: 'open', queue: 'Vendas', user: 'Bruno' })
    }
  })

  test('#atendente of who has not the queue, is inactive, or is not there: nobody gets it', async () => {
    const [financeiro] = await sql<{ id: number }[]>`select id from queue where name = 'Financeiro'`
    await makePerson(db, { name: 'Carla', profile: 'user', queueIds: [financeiro?.id ?? 0] })
    await makePerson(db, { name: 'Diego', profile: 'admin', active: false })
    for (const whom of [toEmail('Carla'), toEmail('Diego'), 'ninguem@saojose.example', '999999', "x' or 1=1"]) {
      const lucia = await world.customer(says_('#fila Vendas', `#atendente ${whom}`))
      await lucia.hears('oi')
      expect(await lucia.ticket()).toMatchObject({ status: 'pending', queue: 'Vendas', user: null })
      expect(await lucia.lines()).toEqual([`flowNoPerson ${whom}`, 'flowQueue Vendas'])
    }
  })

  test('#atendente of the owner, who is hidden: by number or e-mail nobody gets it', async () => {
    const [owner] = await sql<{ profile: string; active: boolean }[]>`select profile, active from "user" where id = 1`
    expect(owner).toEqual({ profile: 'admin', active: true })
    for (const whom of ['1', 'dono@saojose.example']) {
      const lucia = await world.customer(says_('#fila Vendas', `#atendente ${whom}`))
      await lucia.hears('oi')
      expect(await lucia.ticket()).toMatchObject({ status: 'pending', queue: 'Vendas', user: null })
      expect(await lucia.lines()).toEqual([`flowNoPerson ${whom}`, 'flowQueue Vendas'])
    }
  })

  test('a person without queues does not get a ticket without one where only administrators see those', async () => {
    await sql`insert into setting (key, value) values ('onlyAdminSeeEmptyQueue', 'enabled') on conflict (key) do update set value = 'enabled'`
    clearSettingsCache(db)
    await makePerson(db, { name: 'Elisa', profile: 'user' })
    const lucia = await world.customer(says_(`#atendente ${toEmail('Elisa')}`))
    await lucia.hears('oi')
    expect(await lucia.ticket()).toMatchObject({ status: 'pending', user: null })
    const anna = await world.customer(says_(`#atendente ${toEmail('Marina')}`))
    await anna.hears('oi')
    expect(await anna.ticket()).toMatchObject({ status: 'open', user: 'Marina' })
    await sql`update setting set value = 'disabled' where key = 'onlyAdminSeeEmptyQueue'`
    clearSettingsCache(db)
  })

  test('#atendente who is away: the substitute for that queue (decisions-2 §8)', async () => {
    const [vendas] = await sql<{ id: number }[]>`select id from queue where name = 'Vendas'`
    const queueIds = [vendas?.id ?? 0]
    const away = await makePerson(db, { name: 'Flavia', profile: 'user', queueIds, active: false })
    const stands = await makePerson(db, { name: 'Gustavo', profile: 'user', queueIds })
    await sql`insert into user_substitute (user_id, queue_id, substitute_id, transfer) values (${away}, ${queueIds[0] ?? 0}, ${stands}, false)`
    const lucia = await world.customer(says_('#fila Vendas', `#atendente ${toEmail('Flavia')}`))
    await lucia.hears('oi')
    expect(await lucia.ticket()).toMatchObject({ status: 'open', user: 'Gustavo' })
  })

  test('#tag puts a tag that there is on the contact, and the flow goes on', async () => {
    await sql`insert into tag (name) values ('Cliente novo')`
    const lucia = await world.customer(says_('#tag cliente novo', '#tag Inexistente', 'Qual é o seu nome?'))
    expect(await lucia.hears('oi')).toEqual(['Qual é o seu nome?'])
    expect(await lucia.lines()).toEqual(['flowNoTag Inexistente'])
    const { status, contactId } = await lucia.ticket()
    expect(status).toBe('bot')
    expect([
      ...(await sql`select g.name from contact_tag c join tag g on g.id = c.tag_id where c.contact_id = ${contactId}`),
    ]).toEqual([{ name: 'Cliente novo' }])
    const [told] =
      await sql`select 1 as n from live_event where payload like '{"event":"contact"%' and payload like '%Cliente novo%'`
    expect(told).toBeDefined()
    const [entry] =
      await sql`select params, user_id from log_entry where action = 'contact.update' and contact_id = ${contactId}`
    expect(entry).toEqual({ params: { changes: [{ field: 'tags', to: 'Cliente novo' }] }, user_id: null })
  })

  test('#encerrar closes the ticket, after what the flow said; the next words begin anew', async () => {
    const lucia = await world.customer(says_('Até logo!', '#encerrar'))
    expect(await lucia.hears('oi')).toEqual(['Até logo!'])
    const { id, status } = await lucia.ticket()
    expect(status).toBe('closed')
    await lucia.hears('oi de novo')
    expect((await lucia.ticket()).id).not.toBe(id)
  })

  test('#encerrar beside #fila closes the ticket in that queue, with nothing unread', async () => {
    const lucia = await world.customer(says_('#fila Vendas', '#encerrar'))
    await lucia.hears('oi')
    expect(await lucia.ticket()).toMatchObject({ status: 'closed', queue: 'Vendas' })
    expect(await unread(lucia)).toBe(0)
  })

  async function unread(customer: FlowCustomer): Promise<number> {
    const [row] = await sql<{ n: number }[]>`
      select unread_messages as n from ticket where id = ${(await customer.ticket()).id}`
    return row?.n ?? 0
  }

  test('#humano leaves the ticket to people', async () => {
    const lucia = await world.customer(says_('Já chamo alguém', '#humano'))
    expect(await lucia.hears('oi')).toEqual(['Já chamo alguém'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending', user: null })
    expect(await lucia.lines()).toEqual(['flowAsked'])
  })

  test('what the flow leaves to people is unread, though somebody has looked at it meanwhile', async () => {
    const lucia = await world.customer(says_('#humano'))
    typebot.hold(true)
    await lucia.say('oi')
    await sql`update ticket set unread_messages = 0 where id = ${(await lucia.ticket()).id}`
    typebot.hold(false)
    await lucia.settled()
    expect(await unread(lucia)).toBe(1)
  })

  test('a flow that ends without a word leaves the ticket to people', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Tchau')
    })
    expect(await lucia.hears('oi')).toEqual(['Tchau'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    expect(await lucia.lines()).toEqual(['flowEnded'])
    // Typebot would begin it again.
    const before = typebot.calls.length
    expect(await lucia.hears('oi?')).toEqual([])
    expect(typebot.calls.length).toBe(before)
  })

  test('a word that we do not know is not said, and people read it', async () => {
    const lucia = await world.customer(says_('#transferir já', 'Nome?'))
    expect(await lucia.hears('oi')).toEqual(['Nome?'])
    expect(await lucia.lines()).toEqual(['flowUnknown #transferir'])
  })

  test('a customer gives no orders by having a flow repeat them, nor by a name', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nome?')
      const name = yield ask('text input')
      yield sayText(`${name}`)
      yield sayText(`${name}, tudo bem?`)
      yield ask('text input')
    })
    await lucia.hears('oi')
    expect(await lucia.hears('#encerrar')).toEqual(['#encerrar', '#encerrar, tudo bem?'])
    expect(await lucia.ticket()).toMatchObject({ status: 'bot' })
    const rogue = await world.customer(function* ({ name }) {
      yield sayText(`${name}`)
      yield ask('text input')
    })
    await receiveEvents(db, { id: world.whatsappId }, [
      makeMessageEvent(makePeer({ pn: rogue.number }), 'oi', { name: `#atendente ${toEmail('Marina')}` }),
    ])
    await rogue.settled()
    expect(await rogue.ticket()).toMatchObject({ status: 'bot', user: null })
  })

  test('nor by changing what was written, or the name, after the flow has kept it', async () => {
    const lucia = await world.customer(function* ({ name }) {
      yield sayText('Nome?')
      const answered = yield ask('text input')
      for (;;) {
        yield sayText(`${answered}`)
        yield sayText(`${name}`)
        yield ask('text input')
      }
    })
    const chat = makePeer({ pn: lucia.number })
    const whole = { id: world.whatsappId }
    await receiveEvents(db, whole, [makeMessageEvent(chat, 'oi', { name: '#humano' })])
    await lucia.settled()
    await receiveEvents(db, whole, [makeMessageEvent(chat, '#encerrar', { id: 'KEPT' })])
    await lucia.settled()
    await receiveEvents(db, whole, [
      makeEditEvent(chat, 'KEPT', 'oi'),
      makeMessageEvent(chat, 'e agora?', { name: 'Lúcia' }),
    ])
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['Nome?', '#encerrar', 'humano', '#encerrar', 'humano'])
    expect(await lucia.ticket()).toMatchObject({ status: 'bot', user: null })
  })
})
