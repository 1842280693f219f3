// Inputs of a flow, and answers in its own words (decisions-2 §10).
import { describe, expect, test } from 'bun:test'
import { ask, askChoices, createItems, performAction, sayText, show } from '@balcao/simulator/typebot/blocks'
import pino from 'pino'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { enqueueForTypebot } from '../src/messaging/typebot/hand.ts'
import { recoverStalledTypebotSessions } from '../src/messaging/typebot/jobs.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { startTypebotDesk } from './typebot-desk.ts'
import type { FlowCustomer } from './typebot-world.ts'
import { waitUntil } from './until.ts'

const { typebot, server, db, sql, world, official, marinaId, marina, lastCall } = await startTypebotDesk()

describe('decisions-2 §10: inputs, and answers in the flow’s own words', () => {
  test('choices are numbered lines, and a typed number is the flow’s own answer', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Sobre o quê?')
      const about = yield askChoices('Vendas', 'Boleto')
      yield sayText(`Então ${about}`)
      yield ask('text input')
    })
    expect(await lucia.hears('oi')).toEqual(['Sobre o quê?\n\n1 - Vendas\n2 - Boleto'])
    expect(await lucia.hears('2')).toEqual(['Então Boleto'])
    expect(lastCall()?.body.message).toMatchObject({
      type: 'text',
      text: 'Boleto',
      metadata: { replyId: expect.stringMatching(/^opcao/) },
    })
  })

  test('where the kind has buttons or a list the choices are those, too', async () => {
    const lucia = await official.customer(function* () {
      yield sayText('Qual?')
      yield askChoices('Um', 'Dois')
    })
    await lucia.hears('oi')
    expect(await lucia.sent()).toMatchObject([{ type: 'text', menu: { words: 'Qual?', options: ['Um', 'Dois'] } }])
  })

  test('several choices are numbers, without buttons', async () => {
    const lucia = await official.customer(function* () {
      yield sayText('Quais?')
      const which = yield ask('choice input', { isMultipleChoice: true }, createItems(['Leite', 'Café', 'Pão']))
      yield sayText(`Anotei ${which}`)
      yield ask('text input')
    })
    await lucia.hears('oi')
    expect((await lucia.sent())[0]).not.toHaveProperty('menu')
    expect(await lucia.hears('1 e 3')).toEqual(['Anotei Leite, Pão'])
  })

  test('what is no choice the flow asks again, with its choices', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Qual?')
      yield sayText(`Então ${yield askChoices('Um', 'Dois')}`)
    })
    await lucia.hears('oi')
    expect(await lucia.hears('nenhum')).toEqual(['Invalid message. Please, try again.\n\n1 - Um\n2 - Dois'])
    expect(await lucia.hears('1')).toEqual(['Então Um'])
  })

  const inputs: [string, object, object[] | undefined, string, string][] = [
    ['text input', {}, undefined, 'qualquer coisa', 'qualquer coisa'],
    ['number input', {}, undefined, '1.234,5', '1234.5'],
    ['email input', {}, undefined, 'lucia@loja.example', 'lucia@loja.example'],
    ['url input', {}, undefined, 'loja.example', 'loja.example'],
    ['phone number input', {}, undefined, '(31) 99876-2210', '+5531998762210'],
    ['date input', { format: 'dd/MM/yyyy' }, undefined, '3/12/2027', '03/12/2027'],
    ['date input', { format: 'MM/dd/yyyy' }, undefined, '3/12/2027', '12/03/2027'],
    ['date input', { hasTime: true }, undefined, '3/12/2027 às 15h', '03/12/2027 15:00'],
    ['date input', { isRange: true }, undefined, '3/12/2027 a 5/12/2027', '03/12/2027 to 05/12/2027'],
    ['time input', {}, undefined, '15h30', '15:30'],
    ['rating input', { length: 5 }, undefined, '4', '4'],
    ['choice input', {}, createItems(['Um', 'Dois']), '2', 'Dois'],
    [
      'picture choice input',
      {},
      [
        { id: 'pc1', title: 'Leite' },
        { id: 'pc2', title: 'Café' },
      ],
      'café',
      'Café',
    ],
    [
      'cards',
      {},
      [
        {
          id: 'c1',
          title: 'Plano',
          paths: [
            { id: 'via1', text: 'A' },
            { id: 'via2', text: 'B' },
          ],
        },
      ],
      '2',
      'via2',
    ],
    ['file input', { isRequired: false }, undefined, 'pular', ''],
  ]
  test.each(inputs)('%s %p', async (type, options, variables, answer, taken) => {
    const lucia = await world.customer(function* () {
      yield sayText('Diga')
      yield sayText(`[${yield ask(type, options as never, variables as never)}]`)
      yield ask('text input')
    })
    await lucia.hears('oi')
    expect(await lucia.hears(answer)).toEqual([`[${taken}]`])
  })

  test('a rating outside of its numbers is asked again by us: the flow would take it', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nota?')
      yield sayText(`Nota ${yield ask('rating input', { length: 5 })}`)
      yield ask('text input')
    })
    await lucia.hears('oi')
    const before = typebot.calls.length
    expect(await lucia.hears('-3')).toEqual(['Responda com um número de 1 a 5.'])
    expect(typebot.calls.length).toBe(before)
    expect(await lucia.hears('5')).toEqual(['Nota 5'])
  })

  test('who never answers what is asked, as another program would, is given to people in the end', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nota?')
      yield ask('rating input', { length: 5 })
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await sql`update typebot_session set calls = 299 where ticket_id = ${id}`
    expect(await lucia.hears('recebido')).toEqual(['Responda com um número de 1 a 5.'])
    expect(await lucia.hears('recebido')).toEqual([])
    expect(await lucia.lines()).toContainEqual(expect.stringContaining('flowLoop'))
    expect((await lucia.ticket()).status).toBe('pending')
  })

  test('a file that a customer sends is given to the flow as a public address that opens it, for a day', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Envie o comprovante')
      yield sayText(`Recebi ${yield ask('file input')}`)
      yield ask('text input')
    })
    await lucia.hears('oi')
    expect(await lucia.hears('não tenho')).toEqual(['Envie o arquivo por aqui.'])
    const [stored] = await sql<{ id: string }[]>`
      insert into media (id, name, mime, size, sha256, owner, ticket_id)
      values (${crypto.randomUUID()}, 'recibo.png', 'image/png', 5, '', 'message', ${(await lucia.ticket()).id}) returning id`
    await Bun.write(`${server.config.dataDir}/media/${stored?.id.slice(0, 2)}/${stored?.id}`, 'bytes')
    const photo = { ...makeMessageEvent(makePeer({ pn: lucia.number }), ''), mediaType: 'image' as const }
    await receiveEvents(db, { id: world.whatsappId }, [
      { ...photo, media: { mime: 'image/png', name: 'recibo.png' } as never },
    ])
    await sql`update message set media_id = ${stored?.id ?? ''}, media = media || '{"state":"ready","name":"recibo.png"}' where media_type = 'image' and ticket_id = ${(await lucia.ticket()).id} and not from_me`
    await lucia.settled()
    const lastText = (await lucia.listSent()).at(-1) ?? ''
    expect(lastText).toMatch(/^Recebi http:\/\/127\.0\.0\.1:\d+\/media\/[\w-]+\/recibo\.png\?token=/)
    const address = lastText.slice('Recebi '.length)
    expect(await (await fetch(address)).text()).toBe('bytes')
    expect((await fetch(address.replace(/token=.*/, ''))).status).toBe(401)
    const [, claims = ''] = new URL(address).searchParams.get('token')?.split('.') ?? []
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(exp * 1000 - Date.now()).toBeGreaterThan(23 * 3600_000)
  })

  test.each([
    [true, 2],
    [false, 1],
  ])(
    'of several files in a row it takes all where it asks for several (%p), else the first',
    async (several, taken) => {
      const lucia = await world.customer(function* () {
        yield sayText('Envie as fotos')
        yield sayText(`Recebi ${yield ask('file input', { isMultipleAllowed: several })}`)
        for (;;) yield ask('text input')
      })
      await lucia.hears('oi')
      const { id } = await lucia.ticket()
      const photo = () => ({ ...makeMessageEvent(makePeer({ pn: lucia.number }), ''), mediaType: 'image' as const })
      const media = { handle: null, mime: 'image/png', name: 'foto.png' }
      await receiveEvents(db, { id: world.whatsappId }, [
        { ...photo(), media },
        { ...photo(), media },
      ])
      await sql`
      update message set media_id = gen_random_uuid(), media = media || '{"state":"ready"}'
      where media_type = 'image' and ticket_id = ${id} and not from_me`
      await lucia.settled()
      const receipt = (await lucia.listSent()).find(text => text.startsWith('Recebi ')) ?? ''
      expect(receipt.split(', ').length).toBe(taken)
    },
  )

  test('what cannot be asked on WhatsApp leaves the ticket to people, who read why', async () => {
    for (const type of ['payment input', 'input do futuro']) {
      const lucia = await world.customer(function* () {
        yield sayText('Pague aqui')
        yield ask(type)
      })
      expect(await lucia.hears('oi')).toEqual(['Pague aqui'])
      expect(await lucia.ticket()).toMatchObject({ status: 'pending', user: null })
      expect(await lucia.lines()).toEqual([`flowInput ${type}`])
    }
  })

  test('so does what only a page can do', async () => {
    const lucia = await world.customer(function* () {
      yield performAction('scriptToExecute', {}, true)
      yield sayText('nunca')
    })
    expect(await lucia.hears('oi')).toEqual([])
    expect(await lucia.lines()).toEqual(['flowAction scriptToExecute'])
    const anna = await world.customer(function* () {
      yield show('custom-embed', { url: 'https://loja.example/x', waitForEvent: { isEnabled: true } })
    })
    await anna.hears('oi')
    expect(await anna.ticket()).toMatchObject({ status: 'pending' })
  })
})

describe('decisions-2 §10: people end a flow at once', () => {
  async function underWay(): Promise<FlowCustomer> {
    const lucia = await world.customer(function* () {
      yield sayText('Nome?')
      yield ask('text input')
      yield sayText('Tarde demais')
      yield ask('text input')
    })
    await lucia.hears('oi')
    typebot.hold(true)
    const before = typebot.calls.length
    await lucia.say('Lúcia')
    await waitUntil('it is called', () => typebot.calls.length > before)
    return lucia
  }

  test('Atender, also while a call is under way: its late answer says nothing', async () => {
    const lucia = await underWay()
    const { id } = await lucia.ticket()
    expect((await marina.call('PUT', `/tickets/${id}`, { status: 'open', userId: marinaId })).status).toBe(200)
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['Nome?'])
    expect(await lucia.ticket()).toMatchObject({ status: 'open', user: 'Marina' })
    expect([...(await sql`select 1 from typebot_session where ticket_id = ${id}`)]).toEqual([])
  })

  test('an answer of a call that is not the one the ticket waits for says nothing', async () => {
    const lucia = await underWay()
    const { id } = await lucia.ticket()
    await sql`update typebot_session set call = gen_random_uuid() where ticket_id = ${id}`
    typebot.hold(false)
    await waitUntil('it was answered and settled', async () => (await lucia.lines()).length > 0)
    expect(await lucia.listSent()).toEqual(['Nome?'])
    expect(await lucia.lines()).toEqual(['flowInterrupted'])
  })

  test('a message typed on the phone', async () => {
    const lucia = await underWay()
    await receiveEvents(db, { id: world.whatsappId }, [
      makeMessageEvent(makePeer({ pn: lucia.number }), 'Deixa comigo', { fromMe: true }),
    ])
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['Nome?'])
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
  })

  test('deleting the ticket', async () => {
    const lucia = await underWay()
    const { id } = await lucia.ticket()
    expect((await marina.call('DELETE', `/tickets/${id}`)).status).toBe(204)
    typebot.hold(false)
    await waitUntil('the job is over', async () => {
      const [job] = await sql`select 1 from graphile_worker._private_jobs where payload->>'ticketId' = ${String(id)}`
      return !job
    })
  })
})

describe('nobody waits for a flow that nobody sees to', () => {
  const parts = { db, ring: () => {}, log: pino({ level: 'silent' }) }

  test('what a dead process left behind is seen to: people read that it was interrupted', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nome?')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await sql`update typebot_session set call = gen_random_uuid(), touched_at = now() - interval '6 minutes' where ticket_id = ${id}`
    await recoverStalledTypebotSessions(parts)
    await lucia.settled()
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    expect(await lucia.lines()).toEqual(['flowInterrupted'])
  })

  test('a fault of ours that does not pass: people see to it after a quarter of an hour', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nome?')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await sql`update typebot_session set waiting = '{1}', touched_at = now() - interval '16 minutes' where ticket_id = ${id}`
    await recoverStalledTypebotSessions(parts)
    expect(await lucia.ticket()).toMatchObject({ status: 'pending' })
    expect(await lucia.lines()).toEqual(['flowInterrupted'])
  })

  test('a flow that was to go on by itself is seen to like one that was asked', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nome?')
      yield ask('text input')
      yield sayText('Adiante')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await sql`update typebot_session set goes_on_at = now(), touched_at = now() - interval '6 minutes' where ticket_id = ${id}`
    await recoverStalledTypebotSessions(parts)
    await lucia.settled()
    expect(lastCall()?.body.message).toBeUndefined()
    await sql`update typebot_session set goes_on_at = now(), touched_at = now() - interval '16 minutes' where ticket_id = ${id}`
    await recoverStalledTypebotSessions(parts)
    expect(await lucia.lines()).toEqual(['flowInterrupted'])
  })

  test('a ticket that begins with a flow knows nothing of an earlier one', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Nome?')
      yield ask('text input')
      yield sayText('Do fluxo de antes')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    const [message] = await sql<{ id: number }[]>`
      select id::float8 as id from message where ticket_id = ${id} and not from_me limit 1`
    await db.transaction(tx => enqueueForTypebot(tx, { ticketId: id, messageId: message?.id ?? 0, begins: true }))
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['Nome?', 'Nome?'])
  })

  test('what is kept of flows whose tickets people have goes', async () => {
    const lucia = await world.customer(function* () {
      yield ask('text input')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await marina.call('PUT', `/tickets/${id}`, { status: 'open', userId: marinaId })
    await recoverStalledTypebotSessions(parts)
    expect([...(await sql`select 1 from typebot_session where ticket_id = ${id}`)]).toEqual([])
  })
})
