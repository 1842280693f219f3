// How a gateway's device is watched and its chats are read again, where one answer, one number or one send in doubt makes the difference
// (docs/decisions/0215).
import { afterEach, describe, expect, test } from 'bun:test'
import { createTestDatabase } from '../database.ts'
import { makeContact, makeTicket } from '../desk-world.ts'
import { waitUntil } from '../until.ts'
import { type MeowStandIn, startMeowStandIn } from './meow-stand-in.ts'

const { db } = await createTestDatabase()
const sql = db.$client
let it: MeowStandIn

afterEach(() => it?.close())

type Times = Parameters<typeof startMeowStandIn>[2]

async function paired(times: Times = {}): Promise<void> {
  it = await startMeowStandIn(db, {}, times)
  await it.connect()
  it.desk.forget()
}

const looks = () => it.gowa.calls.filter(call => /^GET \/devices\/[^/]+$/.test(call)).length
const readings = () => it.gowa.calls.filter(call => call === 'GET /chats').length
const statuses = () => it.desk.all('status').map(event => event.status)

describe('watched', () => {
  test('one answer that does not come takes nothing down', async () => {
    await paired({ againMs: 60_000 })
    await waitUntil('the chats were read', () => readings() > 0)
    await Bun.sleep(100)
    it.gowa.knobs.fail = 1
    const before = looks()
    await waitUntil('it was looked at some more', () => looks() > before + 3)
    expect(statuses()).toEqual([])
  })

  test('where it posts to is put right at every start', async () => {
    await paired()
    const [device] = it.company.gateways
    if (!device?.webhook) throw new Error('It posts nowhere')
    const right = device.webhook
    device.webhook = { ...right, url: 'http://127.0.0.1:9/somebody-else', secret: 'secret' }
    await it.restart()
    expect(device.webhook).toMatchObject({ url: right.url, secret: right.secret })
  })

  test('it asks to be told of all that it understands, a number’s coming into a group and going out of it, too', async () => {
    await paired()
    const device = [...it.gowa.devices.values()][0]
    expect(device?.webhook?.events.toSorted()).toEqual([
      'call.offer',
      'group.joined',
      'group.participants',
      'message',
      'message.ack',
      'message.edited',
      'message.reaction',
      'message.revoked',
    ])
  })

  test('a code that follows a code is no new beginning', async () => {
    it = await startMeowStandIn(db)
    await it.driver.pair({ qr: true })
    await it.desk.next('status', event => event.status === 'qrcode')
    it.desk.forget()
    await it.driver.pair({ qr: true })
    await it.desk.next('status', event => event.status === 'qrcode')
    expect(statuses()).toEqual(['qrcode'])
  })

  test('a send that meets a closed line has it looked at, and not a minute later', async () => {
    await paired({ pollMs: 60_000, againMs: 60_000 })
    const [device] = it.company.gateways
    if (device) device.online = false
    await it.driver.send(it.address, null, { type: 'text', text: 'Está aí?' })
    expect((await it.desk.next('status', event => event.status === 'DISCONNECTED')).trouble).toMatchObject({
      next: 'retry',
    })
  })
})

describe('read again', () => {
  test('another number on the same device brings nothing of what it said before', async () => {
    await paired()
    await it.driver.stop()
    const [device] = it.company.gateways
    device?.unlink('phone')
    const other = it.world.company({ number: '553132224099', name: 'Loja Norte' })
    await it.customer.send(other, { type: 'text', text: 'De antes' })
    await Bun.sleep(1100)
    device?.link(other)
    const before = readings()
    it.desk.forget()
    await it.driver.start()
    expect((await it.desk.next('status', event => event.status === 'CONNECTED')).me?.pn).toBe(other.user)
    await waitUntil('the chats were read', () => readings() > before + 1)
    expect(it.desk.all('message')).toEqual([])
  })

  test('while a send to a chat is in doubt, what stands there as ours is not taken for typed on the phone', async () => {
    await paired({ againMs: 50, settledMs: 0 })
    const whatsappId = it.desk.connection.id
    const contactId = await makeContact(db, 'Dona Lúcia')
    const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: null })
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${contactId}, ${whatsappId}, ${it.address})`
    const [message] = await sql<{ id: number }[]>`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, media_type, state, read, chat)
      values (${ticketId}, ${contactId}, ${whatsappId}, 1, now(), true, 'Chegou?', 'chat', 'sending', true, ${it.address}) returning id::int as id`
    await sql`insert into outbox (whatsapp_id, contact_id, message_id, operation, payload, state)
      values (${whatsappId}, ${contactId}, ${message?.id ?? 0}, 'message', '{"type":"text","text":"Chegou?"}', 'sending')`
    const [device] = it.company.gateways
    if (device) device.lane.drop = 1
    const id = await it.company.type({ to: it.customer, text: 'Chegou?' })
    const before = readings()
    await waitUntil('the chats were read again and again', () => readings() > before + 3)
    expect(it.desk.all('message').map(event => event.ref.id)).not.toContain(id)
    await sql`update outbox set state = 'done' where whatsapp_id = ${whatsappId}`
    await it.desk.next('message', event => event.ref.id === id)
  })

  test('what stands there from before a send is not that send', async () => {
    await paired()
    const text = { type: 'text', text: 'Bom dia' } as const
    await it.company.type({ to: it.customer, ...text })
    expect(await it.driver.sentLike?.(it.address, text, Date.now())).toHaveLength(1)
    expect(await it.driver.sentLike?.(it.address, text, Date.now() + 10 * 60_000)).toEqual([])
  })
})
