// What goes wrong with a flow (decisions-2 §10).
import { describe, expect, test } from 'bun:test'
import { ask, askChoices, type Flow, sayText, wait } from '@balcao/simulator/typebot/blocks'
import { enqueueForTypebot } from '../src/messaging/typebot/hand.ts'
import { PATIENCE, startTypebotDesk } from './typebot-desk.ts'
import { type FlowCustomer, startTypebot } from './typebot-world.ts'
import { waitUntil } from './until.ts'

const { typebot, nobody, db, sql, world, official, lastCall, callsOf, setEnding } = await startTypebotDesk()

describe('decisions-2 §10: what goes wrong', () => {
  const asking: Flow = function* () {
    yield sayText('Nome?')
    for (;;) yield sayText(`eco ${yield ask('text input')}`)
  }
  async function begun(): Promise<FlowCustomer> {
    const lucia = await world.customer(asking)
    await lucia.hears('oi')
    return lucia
  }

  test('a session that Typebot has forgotten begins anew, once', async () => {
    const lucia = await begun()
    typebot.forget()
    expect(await lucia.hears('Lúcia')).toEqual(['Nome?'])
    expect(await lucia.hears('Lúcia')).toEqual(['eco Lúcia'])
    typebot.forget()
    expect(await lucia.hears('de novo')).toEqual([])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    expect(await lucia.lines()).toEqual(['flowForgotten'])
  })

  test('it begins anew with the words that found it forgotten, and with who writes', async () => {
    const lucia = await world.customer(function* ({ name }) {
      for (;;) yield sayText(`${name} disse ${yield ask('text input')}`)
    })
    await lucia.hears('oi')
    typebot.forget()
    expect(await lucia.hears('meu pedido')).toEqual([`${lucia.name} disse meu pedido`])
  })

  test.each([
    ['html', 'flowStrange'],
    ['nowhere', 'flowStrange'],
    ['redirect', 'flowStrange'],
    ['loop', 'flowStrange'],
    ['notJson', 'flowStrange'],
    ['enormous', 'flowTooMuch'],
    ['lost', 'flowLost'],
    ['hang', 'flowSlow'],
    [500, 'flowBroken'],
    [400, 'flowClosed'],
    [403, 'flowRefused'],
    [429, 'flowRefused'],
  ] as const)(
    'an answer that is %p leaves the ticket to people with a line, and is not asked for again',
    async (trouble, line) => {
      const lucia = await begun()
      typebot.trouble(trouble)
      expect(await lucia.hears(`Uma só vez: ${trouble}`)).toEqual([])
      expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
      expect(await lucia.lines()).toEqual([line])
      expect(callsOf(`Uma só vez: ${trouble}`)).toBe(1)
      expect(await lucia.hears('E agora?')).toEqual([])
    },
  )

  test.each([
    ['gone', 'flowForgotten'],
    ['closed', 'flowClosed'],
    ['suspended', 'flowRefused'],
  ] as const)('a bot that is %p leaves the ticket to people', async (state, line) => {
    const lucia = await world.customer({ flow: asking, ...(state === 'gone' ? {} : { state }) })
    if (state === 'gone') typebot.remove('fluxo')
    expect(await lucia.hears('oi')).toEqual([])
    expect(await lucia.lines()).toEqual([line])
  })

  test('a beginning that names no session leaves the ticket to people: nothing could be said to it', async () => {
    const lucia = await world.customer(asking)
    typebot.trouble('nameless')
    expect(await lucia.hears('oi')).toEqual([])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    expect(await lucia.lines()).toEqual(['flowStrange'])
  })

  test('no page is named as asking: who lets only pages ask lets us', async () => {
    const lucia = await world.customer({ flow: asking, origins: ['https://loja.example'] })
    expect(await lucia.hears('oi')).toEqual(['Nome?'])
  })

  test('a process that is to end waits for a call a little and no longer: people see to it then', async () => {
    const lucia = await begun()
    const end = new AbortController()
    setEnding(end.signal)
    typebot.hold(true)
    await lucia.say('Antes do fim')
    await waitUntil('it is called', () => callsOf('Antes do fim') > 0)
    end.abort()
    await waitUntil('it is left', async () => (await lucia.lines()).length > 0)
    setEnding(undefined)
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.lines()).toEqual(['flowLost'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
  })

  test('where nobody listens it is tried again, and then people see to it', async () => {
    const address = `http://127.0.0.1:${nobody}`
    await sql`update whatsapp set public_dns_typebot = ${address} where id = ${world.whatsappId}`
    const lucia = await world.customer(asking)
    await lucia.hears('oi')
    expect(await lucia.lines()).toEqual(['flowUnreachable'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    await sql`update whatsapp set public_dns_typebot = ${typebot.url} where id = ${world.whatsappId}`
  })

  test('where somebody listens again meanwhile the flow begins, and hears it once', async () => {
    await sql`update whatsapp set public_dns_typebot = ${`http://127.0.0.1:${nobody}`} where id = ${world.whatsappId}`
    const before = PATIENCE.retries
    const failed = Promise.withResolvers<void>()
    PATIENCE.retries = Array.from({ length: 500 }, () => 20)
    // Looked up when the first call has failed.
    Object.defineProperty(PATIENCE.retries, 0, {
      get() {
        failed.resolve()
        return 20
      },
    })
    const lucia = await world.customer()
    await lucia.say('oi')
    await failed.promise
    const late = startTypebot({ port: nobody })
    late.publish('fluxo', asking)
    await lucia.settled()
    PATIENCE.retries = before
    await late.stop()
    await sql`update whatsapp set public_dns_typebot = ${typebot.url} where id = ${world.whatsappId}`
    expect([await lucia.listSent(), late.calls.length]).toEqual([['Nome?'], 1])
  })

  test('a private address that came into the table is not called', async () => {
    for (const [address, line] of [
      ['http://127.0.0.1:1', 'flowPrivate'],
      ['https://10.0.0.7', 'flowPrivate'],
      ['http://bot.example.com', 'flowInsecure'],
      ['https://localhost', 'flowPrivate'],
    ] as const) {
      await sql`update whatsapp set public_dns_typebot = ${address} where id = ${world.whatsappId}`
      const lucia = await world.customer(asking)
      await lucia.hears('oi')
      expect([address, ...(await lucia.lines())]).toEqual([address, line])
    }
    await sql`update whatsapp set public_dns_typebot = ${typebot.url} where id = ${world.whatsappId}`
  })

  test('so does one with a customer that is a bot, too', async () => {
    const lucia = await begun()
    await sql`update typebot_session set calls = 300 where ticket_id = ${(await lucia.ticket()).id}`
    expect(await lucia.hears('Sou um robô')).toEqual([])
    expect(await lucia.lines()).toEqual(['flowLoop'])
  })

  test('an endless loop of itself ends with people', async () => {
    const lucia = await world.customer(function* () {
      for (;;) yield wait(0, true)
    })
    const before = typebot.calls.length
    await lucia.hears('oi')
    expect(await lucia.lines()).toEqual(['flowLoop'])
    expect(typebot.calls.length - before).toBeLessThan(30)
  })

  test('characters that nobody can keep are left out of what it says', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('zero\u0000 e meio \ud83d par')
      yield askChoices('Um\u0000', 'Dois')
    })
    expect(await lucia.hears('oi')).toEqual(['zero e meio \ufffd par\n\n1 - Um\n2 - Dois'])
  })

  test('a flow that says more than a conversation holds says nothing of it', async () => {
    const lucia = await world.customer(function* () {
      for (let n = 0; n < 5000; n++) yield sayText(`linha ${n}`)
    })
    expect(await lucia.hears('oi')).toEqual([])
    expect(await lucia.lines()).toEqual(['flowTooMuch'])
  })

  test('a hundred messages at once are for people', async () => {
    const lucia = await begun()
    typebot.hold(true)
    await lucia.say('primeira')
    await waitUntil(
      'it was called',
      () => lastCall()?.body.message !== undefined && JSON.stringify(lastCall()?.body).includes('primeira'),
    )
    await sql`
      update typebot_session set waiting = (select array_agg(n) from generate_series(1, 101) n) where ticket_id = ${(await lucia.ticket()).id}`
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.lines()).toEqual(['flowFlood'])
  })

  test('a connection that is deleted while the flow is asked calls it no more', async () => {
    const lucia = await begun()
    typebot.hold(true)
    const before = callsOf('"um"')
    await lucia.say('um')
    await waitUntil('it is called', () => callsOf('"um"') > before)
    await lucia.say('Depois de excluída')
    await sql`update whatsapp set deleted_at = now() where id = ${world.whatsappId}`
    typebot.hold(false)
    await lucia.settled()
    await sql`update whatsapp set deleted_at = null where id = ${world.whatsappId}`
    expect(callsOf('Depois de excluída')).toBe(0)
    expect(await lucia.lines()).toEqual(['flowSilent'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    // What waits when it is deleted is not told to the flow either.
    const anna = await begun()
    const { id } = await anna.ticket()
    const [{ last } = { last: 0 }] = await sql<{ last: number }[]>`
      select max(id)::int as last from message where ticket_id = ${id} and not from_me`
    await sql`update whatsapp set deleted_at = now() where id = ${world.whatsappId}`
    await db.transaction(tx => enqueueForTypebot(tx, { ticketId: id, messageId: last, begins: false }))
    await anna.settled()
    await sql`update whatsapp set deleted_at = null where id = ${world.whatsappId}`
    expect(await anna.lines()).toEqual(['flowUnset'])
  })

  test('a connection whose Typebot was taken away leaves its tickets to people, one whose window closed too', async () => {
    const lucia = await begun()
    typebot.hold(true)
    await lucia.say('um')
    await lucia.say('dois')
    await sql`update whatsapp set public_id_typebot = '' where id = ${world.whatsappId}`
    typebot.hold(false)
    await lucia.settled()
    await sql`update whatsapp set public_id_typebot = 'fluxo' where id = ${world.whatsappId}`
    expect(await lucia.lines()).toEqual(['flowUnset'])

    const anna = await official.customer(asking)
    typebot.hold(true)
    await anna.say('oi')
    await sql`update contact_channel set last_inbound_at = now() - interval '25 hours' where contact_id = ${(await anna.ticket()).contactId}`
    typebot.hold(false)
    await anna.settled()
    expect(await anna.listSent()).toEqual([])
    expect(await anna.lines()).toEqual(['flowSilent'])
  })
})
