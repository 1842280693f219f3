// Flows of Typebot (decisions-2 §10, §22 "Typebot"): over the real server and its worker, against a stand-in that answers as Typebot does.
import { afterAll, describe, expect, test } from 'bun:test'
import {
  ask,
  askChoices,
  createBubble,
  createItems,
  createParagraph,
  type Flow,
  performAction,
  sayText,
  show,
  wait,
} from '@balcao/simulator/typebot/blocks'
import pino from 'pino'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { enqueueForTypebot } from '../src/messaging/typebot/hand.ts'
import { recoverStalledTypebotSessions } from '../src/messaging/typebot/jobs.ts'
import { createTypebotTask } from '../src/messaging/typebot/turn.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { freePort } from './desk-process.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue, toEmail } from './desk-world.ts'
import { makeEditEvent, makeMessageEvent, makePeer, makeRevokeEvent } from './inbox-world.ts'
import { type FlowCustomer, makeFlowFixture, startTypebot } from './typebot-world.ts'
import { waitUntil } from './until.ts'

const typebot = startTypebot()
afterAll(() => typebot.stop())
/** So short that a test sees its end. */
const PATIENCE = { call: 4000, files: 4000, retries: [20, 20], end: 200 }
const [port, nobody] = [await freePort(), await freePort()]
const env = {
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  ALLOW_PRIVATE_HOSTS: `${typebot.host}, 127.0.0.1:${nobody}`,
}
/** In place of the process's own: it is to end. */
let ending: AbortSignal | undefined
const server = await startDeskServer(env, parts => {
  const task = createTypebotTask(parts, PATIENCE)
  return [
    {
      kind: 'typebot',
      crew: 'flow',
      work: (payload, helpers) => task(payload, { ...helpers, abortSignal: ending ?? helpers.abortSignal }),
    },
  ]
})
const { db } = server
const sql = getSql(db)
const world = await makeFlowFixture(db, typebot)
const official = await makeFlowFixture(db, typebot, 'cloud_api')

await makeQueue(db, 'Financeiro')
await makeQueue(db, 'Vendas')
const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')

/** What the flow was told last. */
const lastCall = () => typebot.calls.at(-1)
const callsOf = (text: string) => typebot.calls.filter(({ body }) => JSON.stringify(body).includes(text)).length
const file = (name: string) => ({ url: `${typebot.url}/files/${name}` })

describe('decisions-2 §10: a conversation with a flow', () => {
  test('a new ticket begins with the flow, which is given who writes, and says its own', async () => {
    const lucia = await world.customer({
      variables: ['name', 'number', 'ticketId', 'connection', 'queue'],
      *flow(variables) {
        yield sayText(
          `Olá, ${variables.name} (${variables.number}, ${variables.ticketId}, ${variables.connection}, ${variables.queue})!`,
        )
        yield sayText('Qual é o seu nome?')
        const name = yield ask('text input')
        yield sayText(`Prazer, ${name}!`)
        yield ask('text input')
      },
    })
    const heard = await lucia.hears('Bom dia')
    const { id, status } = await lucia.ticket()
    expect(heard).toEqual([`Olá, ${lucia.name} (${lucia.number}, ${id}, Loja 1, )!`, 'Qual é o seu nome?'])
    expect(status).toBe('bot')
    expect(lastCall()).toMatchObject({
      path: '/api/v1/typebots/fluxo/startChat',
      origin: null,
      body: { textBubbleContentFormat: 'richText' },
    })
    expect(await lucia.hears('Lúcia')).toEqual(['Prazer, Lúcia!'])
    expect(lastCall()?.path).toMatch(/^\/api\/v1\/sessions\/[\w-]+\/continueChat$/)
  })

  test('a flow that begins with a question takes the first words for its answer', async () => {
    const lucia = await world.customer(function* () {
      const first = yield ask('text input')
      yield sayText(`Você disse ${first}`)
      yield ask('text input')
    })
    expect(await lucia.hears('Quero um boleto')).toEqual(['Você disse Quero um boleto'])
  })

  test('what it says is automatic, of nobody, and leaves by the one way out', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Olá {{user}}')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const rows = await sql`
      select m.body, m.automatic, m.user_id as "userId", m.state, o.state as "outState" from message m join outbox o on o.message_id = m.id
      where m.ticket_id = ${(await lucia.ticket()).id}`
    // Placeholders are ours; a flow has filled in its own.
    expect([...rows]).toEqual([
      { body: 'Olá {{user}}', automatic: true, userId: null, state: 'queued', outState: 'queued' },
    ])
  })

  test('several quick messages are kept in their order, one call at a time', async () => {
    const lucia = await world.customer(function* () {
      for (;;) yield sayText(`eco ${yield ask('text input')}`)
    })
    await lucia.hears('um')
    typebot.slowness = 60
    await lucia.say('dois', 'três', 'quatro', 'cinco')
    await lucia.settled()
    typebot.slowness = 0
    expect(await lucia.listSent()).toEqual(['eco um', 'eco dois', 'eco três', 'eco quatro', 'eco cinco'])
    expect(typebot.mostAtOnce).toBe(1)
  })

  test('several first messages in one go begin one flow, and none is lost', async () => {
    typebot.publish('fluxo', function* () {
      yield sayText('Olá!')
      for (;;) yield sayText(`eco ${yield ask('text input')}`)
    })
    const lucia = await world.customer()
    const peer = makePeer({ pn: lucia.number })
    await receiveEvents(db, { id: world.whatsappId }, [
      makeMessageEvent(peer, 'um'),
      makeMessageEvent(peer, 'dois'),
      makeMessageEvent(peer, 'três'),
    ])
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['Olá!', 'eco dois', 'eco três'])
  })

  test('it goes on where the contact turns out to be one that was asked for a rating (docs/decisions/0244)', async () => {
    const customer = await world.customer()
    await customer.hears('Obrigada')
    const survey = await customer.ticket()
    await sql`update ticket set status = 'nps' where id = ${survey.id}`
    const lucia = await world.customer(function* () {
      yield sayText('Qual é o pedido?')
      const order = yield ask('text input')
      yield sayText(`Pedido ${order}.`)
      yield ask('text input')
    })
    await lucia.hears('Bom dia')
    const { contactId } = await lucia.ticket()
    await db.transaction(tx => mergeContacts(tx, contactId, survey.contactId))
    expect(await lucia.hears('1234')).toEqual(['Pedido 1234.'])
  })

  test('what a customer took back while the flow was busy is not told to it; a sticker says nothing', async () => {
    const lucia = await world.customer(function* () {
      for (;;) yield sayText(`eco ${yield ask('text input')}`)
    })
    await lucia.hears('um')
    const chat = makePeer({ pn: lucia.number })
    const whole = { id: world.whatsappId }
    typebot.hold(true)
    await lucia.say('dois')
    await receiveEvents(db, whole, [makeMessageEvent(chat, 'minha senha é 1234', { id: 'TAKEN-BACK' })])
    await receiveEvents(db, whole, [
      makeRevokeEvent(chat, 'TAKEN-BACK'),
      makeMessageEvent(chat, '', { mediaType: 'sticker' }),
    ])
    await lucia.say('três')
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['eco um', 'eco dois', 'eco três'])
    expect(callsOf('minha senha')).toBe(0)
  })

  test('what the flow says is told to the screens with its ticket', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Qual é o pedido?')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    const events = await sql<{ payload: string }[]>`
      select payload from live_event where payload like '{"event":"ticket"%' order by id`
    const told = events.map(({ payload }) => JSON.parse(payload)).filter(({ ticket }) => ticket?.id === id)
    const [row] = await sql`select version::int as version from ticket where id = ${id}`
    expect(told.at(-1)?.version).toBe(row?.version)
  })

  test('an address with a stroke at its end and a bot with marks in its name are called as they are meant', async () => {
    await sql`update whatsapp set public_dns_typebot = ${`${typebot.url}/?utm=1`}, public_id_typebot = 'vendas/são joão' where id = ${world.whatsappId}`
    typebot.publish('vendas/são joão', function* () {
      yield sayText('Olá')
      yield ask('text input')
    })
    const lucia = await world.customer()
    expect(await lucia.hears('oi')).toEqual(['Olá'])
    expect(lastCall()?.path).toBe('/api/v1/typebots/vendas%2Fs%C3%A3o%20jo%C3%A3o/startChat')
    await sql`update whatsapp set public_dns_typebot = ${typebot.url}, public_id_typebot = 'fluxo' where id = ${world.whatsappId}`
  })

  test('the inbox does not wait for a flow', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Olá!')
    })
    typebot.hold(true)
    await lucia.say('oi')
    expect(await lucia.ticket()).toMatchObject({ status: 'bot' })
    expect(await lucia.listSent()).toEqual([])
    typebot.hold(false)
    await lucia.settled()
    expect(await lucia.listSent()).toEqual(['Olá!'])
  })
})

describe('decisions-2 §10: messages of the flow become ours', () => {
  test('every kind of bubble, in its order', async () => {
    const lucia = await world.customer(function* () {
      yield sayText(createParagraph('Veja ', { text: 'isto', bold: true }))
      yield show('image', file('foto.png'))
      yield show('audio', file('som.mp3'))
      yield show('video', { type: 'url', ...file('filme.mp4') })
      yield show('video', { type: 'youtube', id: 'abc' })
      yield show('embed', file('tabela.pdf'))
      yield show('custom-embed', { url: 'https://loja.example/mapa' })
      yield createBubble('novidade', { url: 'x' })
      yield performAction('redirect', { redirect: { url: 'https://loja.example' } })
      yield sayText('Fim')
      yield ask('text input')
    })
    expect(await lucia.hears('oi')).toEqual([
      'Veja *isto*',
      '[image]',
      '[audio]',
      '[video]',
      'https://www.youtube.com/watch?v=abc',
      '[application]',
      'https://loja.example/mapa',
      'https://loja.example',
      'Fim',
    ])
    const ticketId = (await lucia.ticket()).id
    const [row] = await sql`select count(*)::int as n from media where owner = 'message' and ticket_id = ${ticketId}`
    expect(row?.n).toBe(4)
  })

  test('a file that moved is followed; what cannot be had, is too large or is not what it says is said as its address', async () => {
    const lucia = await world.customer(function* () {
      for (const name of ['moved.png', 'page.png', 'gif.png', 'round.png', 'nada.gone']) yield show('image', file(name))
      yield show('video', { type: 'url', ...file('big.mp4') })
      yield ask('text input')
    })
    const at = (name: string) => file(name).url
    expect(await lucia.hears('oi')).toEqual([
      '[image]',
      at('page.png'),
      at('gif.png'),
      at('round.png'),
      at('nada.gone'),
      at('big.mp4'),
    ])
    const [row] = await sql`select count(*)::int as n from media where owner = 'upload'`
    expect(row?.n).toBe(0)
  })

  test('a file on a private address is not fetched, not by a detour either, and nobody is told the address', async () => {
    const lucia = await world.customer(function* () {
      yield show('image', { url: 'http://169.254.169.254/latest/meta-data.png' })
      yield show('image', { url: 'http://localhost:9/x.png' })
      yield show('image', file('away.png'))
      yield sayText('Olá')
      yield ask('text input')
    })
    expect(await lucia.hears('oi')).toEqual(['Olá'])
    expect(await lucia.lines()).toEqual(['flowFile', 'flowFile', 'flowFile'])
    expect(await lucia.ticket()).toMatchObject({ status: 'bot' })
  })

  test('a pause holds back what comes after it', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Um')
      yield wait(4)
      yield sayText('Dois')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from max(o.next_at) - min(o.next_at))::float8 as seconds from outbox o join message m on m.id = o.message_id
      where m.ticket_id = ${(await lucia.ticket()).id}`
    expect(row?.seconds).toBeGreaterThan(3)
    expect(row?.seconds).toBeLessThan(6)
  })

  test('a pause holds up nobody who takes over: what the flow still says goes at once, and the person’s words behind it', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Um')
      yield wait(15)
      yield sayText('Dois')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await marina.call('PUT', `/tickets/${id}`, { status: 'open', userId: marinaId })
    const before = await latest(id)
    expect(before).toBeGreaterThan(5)
    expect((await marina.call('POST', `/messages/${id}`, { body: 'Oi, sou a Marina' })).status).toBe(201)
    expect(await latest(id)).toBeLessThan(1)
    expect(await lucia.listSent()).toEqual(['Um', 'Dois', 'Oi, sou a Marina'])
  })

  test('what waits to be tried again is no pause, and is not hurried', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Um')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const { id } = await lucia.ticket()
    await sql`update outbox set error = 'busy', next_at = now() + interval '40 seconds'
      where message_id in (select id from message where ticket_id = ${id})`
    await marina.call('PUT', `/tickets/${id}`, { status: 'open', userId: marinaId })
    expect((await marina.call('POST', `/messages/${id}`, { body: 'Oi' })).status).toBe(201)
    expect(await latest(id)).toBeGreaterThan(20)
  })

  test('many pauses hold nothing back for longer than twenty seconds', async () => {
    const lucia = await world.customer(function* () {
      for (const text of ['Um', 'Dois', 'Três', 'Quatro']) {
        yield sayText(text)
        yield wait(9)
      }
      yield sayText('Cinco')
      yield ask('text input')
    })
    await lucia.hears('oi')
    const seconds = await latest((await lucia.ticket()).id)
    expect([seconds > 15, seconds <= 20]).toEqual([true, true])
  })

  /** In how many seconds the last of what is said may leave. */
  async function latest(ticketId: number): Promise<number> {
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from max(o.next_at) - now())::float8 as seconds from outbox o join message m on m.id = o.message_id
      where m.ticket_id = ${ticketId}`
    return row?.seconds ?? 0
  }

  test('a flow that pauses goes on by itself, without words', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Só um instante')
      yield wait(0.05, true)
      yield sayText('Pronto')
      yield ask('text input')
    })
    expect(await lucia.hears('oi')).toEqual(['Só um instante', 'Pronto'])
    expect(lastCall()?.body.message).toBeUndefined()
  })

  test('what a customer says while the flow pauses answers what it asks then', async () => {
    const lucia = await world.customer(function* () {
      yield sayText('Só um instante')
      yield wait(1, true)
      yield sayText(`eco ${yield ask('text input')}`)
      yield ask('text input')
    })
    await lucia.say('oi')
    await waitUntil('it pauses', async () => (await lucia.listSent()).length > 0)
    expect(await lucia.hears('meu pedido')).toEqual(['eco meu pedido'])
  })

  test('how often it went on by itself is counted anew with every word of the customer', async () => {
    const lucia = await world.customer(function* () {
      for (;;) {
        yield ask('text input')
        yield wait(0.01, true)
        yield sayText('Pronto')
      }
    })
    await lucia.hears('oi')
    await sql`update typebot_session set alone = 20 where ticket_id = ${(await lucia.ticket()).id}`
    expect(await lucia.hears('de novo')).toEqual(['Pronto'])
    expect(await lucia.lines()).toEqual([])
  })

  test('a long question with choices loses none of its words', async () => {
    const question = `${'Leia com calma. '.repeat(250)}Pode ser?`
    const lucia = await official.customer(function* () {
      yield sayText(question)
      yield askChoices('Sim', 'Não')
    })
    expect(await lucia.hears('oi')).toEqual([question, '1 - Sim\n2 - Não'])
  })

  test('words that are too long to stand under a picture follow it', async () => {
    const description = 'Caixa com doze. '.repeat(100).trim()
    const lucia = await official.customer(function* () {
      const pictures = [{ id: 'leite', title: 'Leite', description, pictureSrc: file('foto.png').url }]
      yield sayText('O que deseja?')
      yield ask('picture choice input', {}, pictures)
    })
    expect((await lucia.hears('oi')).slice(1, 3)).toEqual(['[image]', `*Leite*\n${description}`])
  })

  test('a text that is longer than the kind takes goes in several', async () => {
    const lucia = await official.customer(function* () {
      yield sayText(`${'a'.repeat(4000)}\n${'b'.repeat(4000)}`)
      yield ask('text input')
    })
    expect((await lucia.hears('oi')).map(text => text.length)).toEqual([4000, 4000])
  })
})

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
    ending = end.signal
    typebot.hold(true)
    await lucia.say('Antes do fim')
    await waitUntil('it is called', () => callsOf('Antes do fim') > 0)
    end.abort()
    await waitUntil('it is left', async () => (await lucia.lines()).length > 0)
    ending = undefined
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
