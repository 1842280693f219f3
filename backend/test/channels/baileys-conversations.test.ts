// What only a linked device knows: hidden addresses, groups, the phone's own messages, calls, retries, lost files.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { unseal } from '../../src/messaging/channels/baileys/message.ts'
import { createProviderId } from '../../src/platform/channel/ids.ts'
import { createTestDatabase } from '../database.ts'
import { waitUntil } from '../until.ts'
import { startBaileysStandIn } from './baileys-stand-in.ts'

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const { db } = await createTestDatabase()

const it = await startBaileysStandIn(db)
await it.connect()
afterAll(async () => {
  await it?.close()
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
})

const messageOf = (id: string) => it.desk.next('message', event => event.ref.id === id)
async function sends(message: Parameters<typeof it.driver.send>[2], to = it.address) {
  const result = it.desk.keep(await it.driver.send(to, createProviderId(it.driver.kind), message), message)
  if (!result.ok) throw new Error(`${result.code}: ${result.text}`)
  return result.id
}

describe('before the receipt', () => {
  test('a message counts as delivered only once the desk has stored it', async () => {
    it.desk.refusing = new Error('The database is away')
    const id = await it.says({ type: 'text', text: 'Guardou?' })
    await it.desk.until('a try', () => it.desk.refused > 0)
    expect(it.customer.message(it.company.user, id)?.tick).toBe('sent')
    it.desk.refusing = null
    await messageOf(id)
    await it.desk.until('two ticks', () => it.customer.message(it.company.user, id)?.tick === 'delivered')
  })

  test('a process that dies while storing gets the message again', async () => {
    it.desk.refused = 0
    it.desk.refusing = new Error('The database is away')
    const id = await it.says({ type: 'text', text: 'De novo' })
    await it.desk.until('a try', () => it.desk.refused > 0)
    // The session did not move on: what comes again can be decrypted again.
    const reborn = it.die()
    it.desk.refusing = null
    await reborn
    expect((await messageOf(id)).body).toBe('De novo')
    expect((await messageOf(await it.says({ type: 'text', text: 'E depois' }))).body).toBe('E depois')
  })

  test('an answer set off while a message is being stored harms no session', async () => {
    it.desk.logged.length = 0
    const answers: Promise<unknown>[] = []
    it.desk.onEvent = event => {
      if (event.type === 'message' && !event.ref.fromMe)
        answers.push(
          it.driver.send(event.chat.jid, createProviderId(it.driver.kind), {
            type: 'text',
            text: 'Olá! Já atendemos.',
          }),
        )
    }
    const people = Array.from({ length: 5 }, (_, n) =>
      it.world.customer({ number: `553198700100${n}`, name: `Cliente ${n}` }),
    )
    for (let round = 0; round < 4; round++) {
      const ids = await Promise.all(
        people.map(person => person.send(it.company, { type: 'text', text: `Mensagem ${round}` })),
      )
      for (const id of ids) await messageOf(id)
      if (round === 1) await it.restart()
    }
    it.desk.onEvent = null
    await Promise.all(answers)
    // A spoilt session heals by asking again, and shows only here.
    expect(it.desk.logged.filter(text => text.includes('decrypt'))).toEqual([])
  })

  test('one that cannot be decrypted is told as such, with the card that stands for it if it does not come again', async () => {
    const id = 'SEALEDFOREVER'
    const device = it.company.devices[0]
    const enc = { tag: 'enc', attrs: { type: 'msg', v: '2' }, content: Buffer.from([51, 1, 2, 3, 4, 5, 6, 7, 8, 9]) }
    const t = String(Math.floor(Date.now() / 1000))
    device?.push({ tag: 'message', attrs: { id, from: it.customer.lid, t, type: 'text' }, content: [enc] })
    const { card } = await it.desk.next('unreadable', event => event.card.ref.id === id)
    expect(card).toMatchObject({ mediaType: 'unknown', body: 'ciphertext', chat: { jid: it.customer.lid } })
  })

  test('what many write at once is told in the order it came, once each', async () => {
    const people = Array.from({ length: 12 }, (_, n) =>
      it.world.customer({ number: `55319870020${String(n).padStart(2, '0')}`, name: `Cliente ${n}` }),
    )
    const ids: string[] = []
    for (let round = 0; round < 3; round++)
      for (const person of people) ids.push(await person.send(it.company, { type: 'text', text: `Mensagem ${round}` }))
    for (const id of ids) await messageOf(id)
    const delivered = it.desk.all('message').map(event => event.ref.id)
    expect(delivered.filter(id => ids.includes(id))).toEqual(ids)
  })

  test('each message is told once', async () => {
    const id = await it.says({ type: 'text', text: 'Uma vez' })
    await messageOf(id)
    await messageOf(await it.says({ type: 'text', text: 'Depois' }))
    expect(it.desk.all('message').filter(event => event.ref.id === id)).toHaveLength(1)
  })
})

describe('addresses', () => {
  test('a person seen by a hidden address is tied to the phone', async () => {
    await messageOf(await it.says({ type: 'text', text: 'Sou eu' }))
    expect(it.desk.all('identity')).toContainEqual({ type: 'identity', pn: it.phone, lid: it.customer.lid })
  })

  test('the phone left out by the server is known from earlier', async () => {
    it.customer.withoutAlternate = true
    const message = await messageOf(await it.says({ type: 'text', text: 'Sem número' }))
    it.customer.withoutAlternate = false
    expect(message.chat.pn).toBe(it.phone)
  })

  test('a stranger without a phone is a person all the same', async () => {
    const stranger = it.world.customer({ number: '5511955554444', name: 'Rui', withoutAlternate: true })
    const id = await stranger.send(it.company, { type: 'text', text: 'Olá' })
    const message = await messageOf(id)
    expect(message.chat).toEqual({ jid: stranger.lid, lid: stranger.lid, group: false })
    await sends({ type: 'text', text: 'Olá, Rui' }, message.chat.jid)
    await it.desk.until('the answer', () => stranger.chat(it.company).length > 1)
  })

  test('a person seen by the phone', async () => {
    const joao = it.world.customer({ number: '5511987654321', name: 'João', addressing: 'pn' })
    const message = await messageOf(await joao.send(it.company, { type: 'text', text: 'Oi' }))
    expect(message.chat).toMatchObject({ jid: '5511987654321@s.whatsapp.net', pn: '5511987654321', lid: joao.lid })
  })

  test('a number with the ninth digit is found under the one WhatsApp knows', async () => {
    expect((await it.driver.check('5531998762210'))?.jid).toBe('553198762210@s.whatsapp.net')
  })
})

describe('groups', () => {
  test('a message names group and author; an answer and its ticks come back', async () => {
    const group = it.world.group({ subject: 'Condomínio', members: [it.company, it.customer] })
    const message = await messageOf(await it.customer.send(group, { type: 'text', text: 'Faltou água' }))
    expect(message).toMatchObject({ chatName: 'Condomínio', chat: { jid: group.jid, group: true } })
    expect(message.author).toMatchObject({ pn: it.phone, lid: it.customer.lid })
    const id = await sends({ type: 'text', text: 'Já vai voltar' }, group.jid)
    await it.desk.next('ack', event => event.ref.id === id && event.ack === 'delivered')
    it.customer.read(group)
    await it.desk.next('ack', event => event.ref.id === id && event.ack === 'read')
  })

  test('who is named in a message is told by both addresses, and whether that is us', async () => {
    const rui = it.world.customer({ number: '5531977770009', name: 'Rui' })
    const group = it.world.group({ subject: 'Portaria', members: [it.company, it.customer, rui] })
    const [digits] = rui.lid.split('@')
    const id = await it.customer.send(group, {
      type: 'raw',
      message: {
        extendedTextMessage: {
          text: `@${digits} pode ver?`,
          contextInfo: { mentionedJid: [rui.lid, it.company.lid] },
        },
      },
    })
    expect((await messageOf(id)).mentions).toMatchObject([
      { lid: rui.lid, pn: '5531977770009' },
      { lid: it.company.lid, isSelf: true },
    ])
  })

  test('whom a text of ours names the group gets named by address', async () => {
    const rui = it.world.customer({ number: '5531977770011', name: 'Rui' })
    const group = it.world.group({ subject: 'Síndicos', members: [it.company, it.customer, rui] })
    const text = `@${rui.lid.split('@')[0]} pode ver?`
    await sends({ type: 'text', text, mentions: [rui.lid] }, group.jid)
    const received = () => it.customer.chat(group).map(({ content }) => content)
    await waitUntil('the group has it', () => received().length > 0)
    expect(received()).toEqual([{ type: 'text', text, mentions: [rui.lid] }])
  })

  test('one we were taken out of refuses a message at once, in words', async () => {
    const group = it.world.group({ subject: 'Obra', members: [it.customer, it.company] })
    await messageOf(await it.customer.send(group, { type: 'text', text: 'Oi, grupo' }))
    group.remove(it.company, it.customer)
    const message = { type: 'text', text: 'Alguém?' } as const
    await waitUntil('a refusal', async () => {
      const result = await it.driver.send(group.jid, createProviderId(it.driver.kind), message)
      return !result.ok && result.outcome === 'refused' && result.code === 'not_member'
    })
  })

  test('one we are taken out of, or added to again, is told; of others’ coming and going nothing', async () => {
    const rui = it.world.customer({ number: '5531977770010', name: 'Rui' })
    const group = it.world.group({ subject: 'Feira', members: [it.customer, it.company, rui] })
    const toMembership = (isMember: boolean) =>
      it.desk.next('membership', event => event.group.jid === group.jid && event.isMember === isMember)
    await toMembership(true)
    it.desk.forget()
    group.remove(rui, it.customer)
    group.remove(it.company, it.customer)
    expect(await toMembership(false)).toMatchObject({ group: { group: true } })
    expect(it.desk.all('membership')).toHaveLength(1)
    group.add(it.company, it.customer)
    await toMembership(true)
    it.desk.forget()
    // As after a time without a connection: only a refused message tells.
    group.members.splice(group.members.indexOf(it.company), 1)
    await waitUntil('a refusal', async () => {
      const sent = await it.driver.send(group.jid, createProviderId(it.driver.kind), { type: 'text', text: 'Oi' })
      return !sent.ok
    })
    await toMembership(false)
  })

  test('its members with their phones, and its new name', async () => {
    const group = it.world.group({ subject: 'Vizinhos', description: 'Só avisos', members: [it.company, it.customer] })
    const known = await it.driver.group(group.jid)
    expect(known?.subject).toBe('Vizinhos')
    expect(known?.desc).toBe('Só avisos')
    expect(known?.members.map(member => member.pn)).toContain(it.phone)
    expect(known?.members.map(member => member.admin)).toEqual([true, false])
    group.rename('Vizinhança', it.customer)
    expect(
      (await it.desk.next('group', event => event.jid === group.jid && event.subject !== 'Vizinhos')).subject,
    ).toBe('Vizinhança')
  })
})

describe('changes by the customer', () => {
  test('an edit and a deletion', async () => {
    const { ref } = await messageOf(await it.says({ type: 'text', text: 'As 8' }))
    await it.customer.send(it.company, { type: 'edit', of: ref.id, text: 'Às 9' })
    expect((await it.desk.next('edit', event => event.ref.id === ref.id)).body).toBe('Às 9')
    await it.customer.send(it.company, { type: 'revoke', of: ref.id })
    expect(await it.desk.next('revoke', event => event.ref.id === ref.id)).toMatchObject({ ref: { fromMe: false } })
  })
})

describe('sealed changes', () => {
  const editOf = (id: string) => it.desk.next('edit', event => event.ref.id === id)
  const addressed = { lid: () => it.customer, pn: () => joao }
  let joao: typeof it.customer
  beforeAll(() => {
    joao = it.world.customer({ number: '5511912344321', name: 'João', addressing: 'pn' })
  })

  for (const by of ['lid', 'pn'] as const)
    test(`an edit of somebody known by ${by} is opened with the secret of the original`, async () => {
      const customer = addressed[by]()
      const of = await customer.send(it.company, { type: 'text', text: 'As 8' })
      await customer.send(it.company, { type: 'edit', of, text: 'Às 9', sealed: true })
      expect(await editOf(of)).toMatchObject({ body: 'Às 9', ref: { fromMe: false } })
      expect(it.desk.all('message').at(-1)?.ref.id).toBe(of)
    })

  test('in a group the author’s addresses count', async () => {
    const group = it.world.group({ subject: 'Turma', members: [it.company, it.customer] })
    const of = await it.customer.send(group, { type: 'text', text: 'Sabado' })
    await it.customer.send(group, { type: 'edit', of, text: 'Sábado', sealed: true })
    expect(await editOf(of)).toMatchObject({ body: 'Sábado', by: { lid: it.customer.lid } })
  })

  test('of our own messages: typed on the phone, and sent by the desk, edited on the phone', async () => {
    const typed = await it.company.type({ to: it.customer, text: 'Do celualr' })
    await messageOf(typed)
    const sent = await sends({ type: 'text', text: 'Do balcao' })
    await it.desk.until('the message', () => it.company.find(sent))
    for (const of of [typed, sent]) {
      await it.company.type({ to: it.customer, type: 'edit', of, text: 'Corrigido', sealed: true })
      expect(await editOf(of)).toMatchObject({ body: 'Corrigido', ref: { fromMe: true } })
    }
  })

  test('with a wrong secret its message says that it was changed', async () => {
    const of = await it.says({ type: 'text', text: 'Segredo' })
    await messageOf(of)
    it.desk.secrets.set(of, [Buffer.alloc(32, 1).toString('base64')])
    await it.customer.send(it.company, { type: 'edit', of, text: 'x', sealed: true })
    expect(await editOf(of)).toMatchObject({ body: null })
  })

  test('of a message that comes later it goes along sealed, for the secret that the message brings', async () => {
    const of = await it.says({ type: 'text', text: 'Depos' })
    const secret = (await messageOf(of)).secret ?? ''
    it.desk.secrets.delete(of)
    await it.customer.send(it.company, { type: 'edit', of, text: 'Depois', sealed: true })
    const { body, sealed } = await editOf(of)
    const restored: unknown = JSON.parse(JSON.stringify(sealed))
    expect([body, unseal(restored, secret)?.body]).toEqual([null, 'Depois'])
    expect(unseal(restored, Buffer.alloc(32, 1).toString('base64'))).toBeNull()
  })

  test('of a message that never came, and one without anything in it, are no messages', async () => {
    await it.customer.send(it.company, { type: 'edit', of: 'NEVER', text: 'x', sealed: true })
    expect(await editOf('NEVER')).toMatchObject({ body: null })
    const empty = await it.customer.send(it.company, { type: 'raw', message: { secretEncryptedMessage: {} } })
    await messageOf(await it.says({ type: 'text', text: 'depois' }))
    expect(it.desk.all('message').some(event => event.ref.id === empty)).toBe(false)
  })
})

describe('what people send today', () => {
  const bytesOf = async (id: string) => {
    const { media } = await messageOf(id)
    if (!media) throw new Error('There is no file')
    return new Response(await it.driver.download(media)).bytes()
  }

  test('an order, a Pix key and somebody who comes by an advertisement', async () => {
    const lines = [
      { name: 'Camiseta', quantity: 2, price: 55 },
      { name: 'Boné', quantity: 1, price: 49.9 },
    ]
    const order = await it.customer.send(it.company, { type: 'order', count: 3, total: 159.9, lines })
    const cart = await messageOf(order)
    expect(cart.body).toBe('2 × Camiseta\n1 × Boné')
    expect(cart.details?.card).toMatchObject({
      count: 3,
      total: { amount: 159.9 },
      lines: [
        { name: 'Camiseta', quantity: 2, price: { amount: 55, currency: 'BRL' } },
        { name: 'Boné', quantity: 1, price: { amount: 49.9 } },
      ],
    })
    const other = await it.customer.send(it.company, { type: 'order', count: 3, total: 200, lines })
    // Prices that do not make the sum are told in parts nobody knows: better none than a wrong one.
    expect((await messageOf(other)).details?.card).toMatchObject({ lines: [{ price: null }, { price: null }] })
    const bare = await it.customer.send(it.company, { type: 'order', count: 1, total: 5 })
    expect((await messageOf(bare)).details?.card).toMatchObject({ count: 1, total: { amount: 5 }, lines: [] })
    const pix = await it.customer.send(it.company, { type: 'pix', holder: 'Ana', keyType: 'CPF', key: '123' })
    expect((await messageOf(pix)).details?.card).toMatchObject({ kind: 'payment', pix: { key: '123' } })
    const ad = { title: 'Promoção', link: 'https://fb.me/1' }
    const came = await it.customer.send(it.company, { type: 'ad', text: 'Vi o anúncio', ...ad })
    expect((await messageOf(came)).details?.origin).toMatchObject({ kind: 'ad', ...ad })
  })

  test('a photo in the better quality names the small one, and both files can be had', async () => {
    const small = await it.customer.sendHd(it.company, Buffer.from('small'), Buffer.from('better'), 'Veja')
    const { ref } = await it.desk.next('message', event => event.betterOf === small)
    expect(Buffer.from(await bytesOf(small)).toString()).toBe('small')
    expect(Buffer.from(await bytesOf(ref.id)).toString()).toBe('better')
  })

  test('the file at the head of a card is had', async () => {
    const data = Buffer.from('a picture of the mug')
    const id = await it.customer.send(it.company, { type: 'product', title: 'Caneca', data })
    expect(Buffer.from(await bytesOf(id)).toString()).toBe(data.toString())
  })

  test('a sticker drawn by a program is its picture', async () => {
    const stickerMessage = { mimetype: 'application/was', isLottie: true, pngThumbnail: Buffer.from('png') }
    const message = { lottieStickerMessage: { message: { stickerMessage } } }
    const id = await it.customer.send(it.company, { type: 'raw', message })
    expect(Buffer.from(await bytesOf(id)).toString()).toBe('png')
  })

  test('through a broadcast list it is in the chat with who sent it', async () => {
    const id = await it.customer.send(it.company, { type: 'text', text: 'A todos' }, { list: true })
    expect(await messageOf(id)).toMatchObject({ chat: { pn: it.phone, lid: it.customer.lid }, body: 'A todos' })
  })

  test('mentions in a status, and what the phone writes to itself, are nothing', async () => {
    const mention = await it.customer.send(it.company, { type: 'statusMention' })
    const note = await it.company.type({ to: it.company, text: 'comprar pão' })
    await messageOf(await it.says({ type: 'text', text: 'e agora' }))
    expect(it.desk.all('message').filter(event => [mention, note].includes(event.ref.id))).toEqual([])
  })
})

describe('the phone itself', () => {
  test('what is typed there is a message of ours that the desk did not send', async () => {
    const id = await it.company.type({ to: it.customer, text: 'Do celular' })
    const message = await messageOf(id)
    expect(message.ref.fromMe).toBe(true)
    expect(message.chat.jid).toBe(it.customer.lid)
    expect(message.name).toBeUndefined()
  })

  test('what the desk sends does not come back as a message', async () => {
    const id = await sends({ type: 'text', text: 'Do balcão' })
    await it.desk.next('ack', event => event.ref.id === id && event.ack === 'delivered')
    expect(it.desk.all('message').some(event => event.ref.id === id)).toBe(false)
  })
})

describe('calls', () => {
  test('a missed one', async () => {
    const id = it.customer.call(it.company, { video: true })
    const missed = await it.desk.next('call', event => event.id === id && event.state === 'missed')
    expect(missed).toMatchObject({ video: true, from: { pn: it.phone } })
    expect(it.desk.all('message').some(event => event.ref.id === id)).toBe(false)
  })

  test('rejected where calls are not taken', async () => {
    it.desk.acceptsCalls = false
    const rejected = it.world.timeline.next(event => event.type === 'call' && event.state === 'rejected')
    it.customer.call(it.company, { missed: false })
    await rejected
    it.desk.acceptsCalls = true
  })
})

describe('sending', () => {
  test('a tick that comes at once is not lost', async () => {
    it.world.knobs.ackDelayMs = 0
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => sends({ type: 'text', text: `Lote ${n}` })))
    it.world.knobs.ackDelayMs = 5
    for (const id of ids) await it.desk.next('ack', event => event.ref.id === id && event.ack === 'delivered')
  })

  test('without an answer of the server nobody knows; the same id again is harmless', async () => {
    const id = createProviderId(it.driver.kind) ?? ''
    it.world.knobs.lose = 1
    const message = { type: 'text', text: 'Perdida?' } as const
    expect(await it.driver.send(it.address, id, message)).toMatchObject({ ok: false, outcome: 'unknown' })
    it.world.knobs.lose = 0
    expect(it.driver.capabilities.resendSafe).toBe(true)
    expect(await it.driver.send(it.address, id, message)).toMatchObject({ ok: true, id })
    expect(await it.driver.send(it.address, id, message)).toMatchObject({ ok: true, id })
    await it.desk.until('the message', () => it.customer.message(it.company.user, id))
    expect(it.customer.chat(it.company).filter(one => one.id === id)).toHaveLength(1)
  })

  test('a phone with new keys gets the message again from our database', async () => {
    const id = await sends({ type: 'text', text: 'Antes' })
    await it.desk.until('the message', () => it.customer.message(it.company.user, id))
    it.customer.reinstall()
    const after = await sends({ type: 'text', text: 'Depois da troca' })
    await it.desk.until('the message', () => it.customer.message(it.company.user, after))
  })

  test('while not connected it is for later', async () => {
    await it.driver.stop()
    expect(await it.driver.send(it.address, 'X', { type: 'text', text: 'Oi' })).toMatchObject({
      ok: false,
      outcome: 'retry',
      code: 'not_connected',
    })
    await it.restart()
  })
})

describe('files', () => {
  test('one the server dropped is uploaded again by the phone', async () => {
    const message = await messageOf(await it.says({ type: 'image', bytes: Buffer.from('uma foto') }))
    const { content } = it.customer.message(it.company.user, message.ref.id) ?? {}
    if (!message.media || !content || !('media' in content)) throw new Error('There is no file')
    it.world.media.expire(content.media.path)
    const bytes = await new Response(await it.driver.download(message.media)).bytes()
    expect(Buffer.from(bytes).toString()).toBe('uma foto')
  })
})

test('typing of the customer is seen', async () => {
  it.customer.typing(it.company)
  await it.desk.next('typing', event => event.state === 'typing')
})
