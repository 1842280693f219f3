// A conversation with a flow, and what the flow says (decisions-2 §10).
import { describe, expect, test } from 'bun:test'
import {
  ask,
  askChoices,
  createBubble,
  createParagraph,
  performAction,
  sayText,
  show,
  wait,
} from '@balcao/simulator/typebot/blocks'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { makeMessageEvent, makePeer, makeRevokeEvent } from './inbox-world.ts'
import { startTypebotDesk } from './typebot-desk.ts'
import { waitUntil } from './until.ts'

const { typebot, db, sql, world, official, marinaId, marina, lastCall, callsOf } = await startTypebotDesk()

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
    const [connection] =
      await sql`select w.name from ticket t join whatsapp w on w.id = t.whatsapp_id where t.id = ${id}`
    const greeting = `Olá, ${lucia.name} (${lucia.number}, ${id}, ${connection?.name}, )!`
    expect(heard).toEqual([greeting, 'Qual é o seu nome?'])
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
