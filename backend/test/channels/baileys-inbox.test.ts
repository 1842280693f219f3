// From a phone over WhatsApp's protocol into the real inbox: what a conversation shows of what people send today, and what it does not.
import { afterAll, expect, test } from 'bun:test'
import { createCipheriv, hkdfSync } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import { toChannelEvents } from '../../src/messaging/channels/baileys/message.ts'
import { receiveEvents } from '../../src/messaging/inbox/receive.ts'
import { claimDue } from '../../src/messaging/outbox/claim.ts'
import type { ChannelEvent } from '../../src/platform/channel/driver.ts'
import { createTestDatabase } from '../database.ts'
import { writeFromDesk } from '../outgoing-world.ts'
import { waitUntil } from '../until.ts'
import { startBaileysStandIn } from './baileys-stand-in.ts'

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const { db } = await createTestDatabase()
const sql = db.$client
let taken = Promise.resolve()

const it = await startBaileysStandIn(db)
await it.connect()
const { id } = it.desk.connection
await sql`update whatsapp set greeting_message = 'Olá! Já atendemos.' where id = ${id}`
it.desk.onEvent = (event: ChannelEvent) => {
  taken = taken.then(async () => void (await receiveEvents(db, { id }, [event])))
}
afterAll(async () => {
  it.desk.onEvent = null
  await it.close()
  await taken
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
})

/** Everything sent before is taken in: messages come in their order. */
async function settled(by = it.customer): Promise<void> {
  const id = await by.send(it.company, { type: 'text', text: 'e é isso' })
  await it.desk.next('message', event => event.ref.id === id)
  await taken
}

const ticketsOf = (phone: string) => sql`
  select t.id, t.unread_messages::int as unread from ticket t join contact_identity i on i.contact_id = t.contact_id
  where i.kind = 'pn' and i.value = ${phone}`
const messagesOf = async (phone: string) =>
  sql`select m.* from message m join contact_identity i on i.contact_id = m.contact_id
    where i.kind = 'pn' and i.value = ${phone} and not m.automatic order by m.id`

test('what is no message opens no ticket, greets nobody and rings nothing', async () => {
  const silent = it.world.customer({ number: '553198811000', name: 'Quieta' })
  const { ProtocolMessage } = proto.Message
  const raws: proto.IMessage[] = [
    { limitSharingMessage: { message: { protocolMessage: { type: ProtocolMessage.Type.LIMIT_SHARING } } } },
    { protocolMessage: { type: ProtocolMessage.Type.EPHEMERAL_SETTING, ephemeralExpiration: 86_400 } },
    { botInvokeMessage: { message: { conversation: '@Meta AI oi' } } },
    { groupStatusMentionMessage: { message: { protocolMessage: {} } } },
    { senderKeyDistributionMessage: { groupId: 'g' } },
    { pinInChatMessage: { key: { id: 'x' }, type: 1 } },
  ]
  await silent.send(it.company, { type: 'statusMention' })
  for (const message of raws) await silent.send(it.company, { type: 'raw', message })
  await silent.send(it.company, { type: 'edit', of: 'NEVER', text: 'x', sealed: true })
  await it.company.type({ to: it.company, text: 'comprar pão' })
  await settled()
  expect(await ticketsOf(silent.user)).toHaveLength(0)
  expect(await sql`select 1 from ticket`).toHaveLength(1)
  expect(await sql`select 1 from message where automatic`).toHaveLength(1)
  const rows = await sql`select distinct payload::json->'ticket'->'contact'->>'name' as name from live_event
    where payload::json->'ticket' is not null`
  expect(rows.map(row => row.name).filter(Boolean)).toEqual(['Dona Lúcia'])
})

test('a photo in the better quality, an edit, an order and a kind without a name are what they are, in one conversation', async () => {
  const rui = it.world.customer({ number: '553198822000', name: 'Rui' })
  await rui.sendHd(it.company, Buffer.from('small'), Buffer.from('better'), 'Veja')
  const of = await rui.send(it.company, { type: 'text', text: 'As oito' })
  await rui.send(it.company, { type: 'edit', of, text: 'Às oito', sealed: true })
  await rui.send(it.company, { type: 'order', count: 2, total: 20, lines: [{ name: 'Pão', quantity: 2, price: 10 }] })
  await rui.send(it.company, { type: 'raw', message: { ephemeralMessage: {} } })
  await rui.send(it.company, { type: 'text', text: 'A todos' }, { list: true })
  await settled(rui)
  const rows = await messagesOf(rui.user)
  expect(rows.map(row => [row.media_type, row.body])).toEqual([
    ['image', 'Veja'],
    ['chat', 'Às oito'],
    ['order', '2 × Pão'],
    ['unknown', ''],
    ['chat', 'A todos'],
    ['chat', 'e é isso'],
  ])
  expect(rows[1]).toMatchObject({ is_edited: true, edited_msg: 'As oito' })
  expect(rows[3]?.details).toEqual({
    card: { kind: 'notice', code: 'new_kind', name: 'ephemeralMessage' },
  })
  const file = await it.driver.download(rows[0]?.raw.handle)
  expect(await new Response(file).text()).toBe('better')
  expect([...(await ticketsOf(rui.user))].map(row => row.unread)).toEqual([6])
})

test('an edit that overtook its message is opened when that comes, whoever was restarted in between; a stranger’s opens nothing', async () => {
  const { id } = it.desk.connection
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const [iris, eva] = ['553198833000@s.whatsapp.net', '553198844000@s.whatsapp.net']
  const deliver = (jid: string, name: string, message: proto.IMessage) =>
    toChannelEvents(
      { key: { id: name, remoteJid: jid, fromMe: false }, messageTimestamp: Math.floor(Date.now() / 1000), message },
      { self: { id: `${it.company.user}@s.whatsapp.net` }, replay: false },
    )
  // Each by itself, and nothing kept but what lies in the database.
  for (const [jid, name] of [
    [iris, 'EDIT1'],
    [eva, 'EDIT2'],
  ] as const)
    await receiveEvents(
      db,
      { id },
      deliver(jid, name, { secretEncryptedMessage: sealedEdit('OVERTAKEN', jid, secret, 'Às dez') }),
    )
  const messageContextInfo = { messageSecret: secret }
  await receiveEvents(db, { id }, deliver(iris, 'OVERTAKEN', { conversation: 'As dez', messageContextInfo }))
  await receiveEvents(
    db,
    { id },
    deliver(eva, 'OVERTAKEN', { conversation: 'Sou outra', messageContextInfo: { messageSecret: key32 } }),
  )
  expect((await messagesOf('553198833000'))[0]).toMatchObject({ body: 'Às dez', edited_msg: 'As dez', is_edited: true })
  expect((await messagesOf('553198844000'))[0]).toMatchObject({ body: 'Sou outra', details: { hiddenEdit: true } })
})

test('what we answer vanishes when the chat’s own messages do, as whoever set it last wants it', async () => {
  const { id } = it.desk.connection
  const WEEK = 604_800
  const tania = it.world.customer({ number: '553198855000', name: 'Tânia' })
  const says = (text: string, expiration: number) =>
    tania.send(it.company, { type: 'raw', message: { extendedTextMessage: { text, contextInfo: { expiration } } } })
  const timerNow = async () => {
    const [row] = await sql`
      select h.timer from contact_channel h join contact_identity i on i.contact_id = h.contact_id
      where i.kind = 'pn' and i.value = ${tania.user}`
    return row?.timer
  }
  const answer = async (text: string) => {
    const [ticket] = await ticketsOf(tania.user)
    await sql`update outbox set state = 'done' where whatsapp_id = ${id}`
    await db.transaction(tx => writeFromDesk(tx, Number(ticket?.id), text))
    const claims = await claimDue(db, { whatsappId: id, epoch: it.desk.host.epoch }, 50)
    const claim = claims.find(({ payload }) => 'text' in payload && payload.text === text)
    if (!claim) throw new Error('Nothing was claimed')
    await it.driver.send(claim.to ?? '', claim.providerId, claim.payload)
    const seen = () => tania.message(it.company.user, claim.providerId ?? '')
    await waitUntil(`${text} is there`, () => seen() !== undefined)
    // Its ticks are the last that is written of it.
    await waitUntil('it was delivered', async () =>
      (await messagesOf(tania.user)).some(row => row.body === text && row.state === 'delivered'),
    )
    return seen()?.timer
  }
  await says('some em uma semana', WEEK)
  await waitUntil('it is known', async () => (await timerNow()) === WEEK)
  expect(await answer('some também')).toBe(WEEK)
  const { ProtocolMessage } = proto.Message
  const set = { type: ProtocolMessage.Type.EPHEMERAL_SETTING, ephemeralExpiration: 86_400 }
  await tania.send(it.company, { type: 'raw', message: { protocolMessage: set } })
  await waitUntil('it is known', async () => (await timerNow()) === 86_400)
  expect(await answer('em um dia')).toBe(86_400)
  await tania.send(it.company, { type: 'text', text: 'agora fica' })
  await waitUntil('it is known', async () => (await timerNow()) === 0)
  expect(await answer('fica também')).toBeUndefined()
})

const key32 = new Uint8Array(32).fill(7)

/** As a phone seals one: with a key made of the message's secret, its id, and who wrote and changes it. */
function sealedEdit(of: string, by: string, secret: Uint8Array, text: string): proto.Message.ISecretEncryptedMessage {
  const info = `${of}${by}${by}Message Edit`
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), info, 32))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const inside = proto.Message.encode({ protocolMessage: { editedMessage: { conversation: text } } }).finish()
  const encPayload = Buffer.concat([cipher.update(inside), cipher.final(), cipher.getAuthTag()])
  return { targetMessageKey: { id: of }, encPayload, encIv: iv, secretEncType: 2 }
}
