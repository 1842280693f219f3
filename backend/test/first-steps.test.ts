// The first steps of a new company: done when what they name is there, put away by an administrator; and what a trade begins with, of which
// only what nobody changed or uses is thrown away again.
import { expect, test } from 'bun:test'
import type { CheckUp, FirstStep, FirstSteps } from '@balcao/contract'
import { TRADES } from '@balcao/contract/first-steps/first-steps'
import { LANGUAGES } from '@balcao/contract/kit/language'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const OWNER = 1
const SET_UP: FirstStep[] = ['connection', 'queues', 'people', 'greeting']
const ALL: FirstStep[] = [...SET_UP, 'hours', 'message']
const admin = await server.as('Dono')
/** What the doctor misses of a company. */
async function listMissing(): Promise<string[]> {
  const { findings } = (await admin.call<CheckUp>('GET', '/doctor')).body
  return findings.flatMap(({ area, level, code }) => (area === 'company' && level === 'warning' ? [code] : [])).sort()
}
const steps = async () => (await admin.call<FirstSteps>('GET', '/first-steps')).body

test('each step is done when what it names is there', async () => {
  // The company of tests never closes.
  expect((await steps()).done).toEqual(['hours'])
  await sql`delete from setting`
  expect(await steps()).toEqual({ done: [], isOver: false, trade: null, preset: 0 })
  expect(await listMissing()).toEqual(['company.numbers', 'company.people', 'company.queues'])
  const connectionId = await makeConnection(db, 'Loja')
  await sql`update whatsapp set status = 'QRCODE' where id = ${connectionId}`
  expect((await steps()).done).toEqual([])
  await sql`update whatsapp set status = 'CONNECTED' where id = ${connectionId}`
  expect((await steps()).done).toEqual(['connection'])
  expect(await listMissing()).toEqual(['company.people', 'company.queues'])
  await sql`update whatsapp set deleted_at = now() where id = ${connectionId}`
  expect([(await steps()).done, (await listMissing())[0]]).toEqual([[], 'company.numbers'])
  await sql`update whatsapp set deleted_at = null where id = ${connectionId}`
  const queueId = await makeQueue(db, 'Vendas')
  expect(await listMissing()).toEqual(['company.people'])
  await makePerson(db, { name: 'Rui', profile: 'user' })
  await sql`update whatsapp set greeting_message = 'Olá!' where id = ${connectionId}`
  expect((await steps()).done).toEqual(['connection', 'queues', 'people', 'greeting'])
  // Who is greeted by the queue is greeted too.
  await sql`update whatsapp set greeting_message = '' where id = ${connectionId}`
  expect((await steps()).done).not.toContain('greeting')
  await sql`update queue set greeting_message = 'Bem-vindo às vendas.' where id = ${queueId}`
  expect((await steps()).done).toContain('greeting')
  expect(await listMissing()).toEqual([])
  // The hours are no greeting: somebody has looked at them, or changed them. The clock's place says nothing of them.
  await sql`insert into setting (key, value) values ('timezone', 'America/Manaus'), ('call', 'disabled')`
  expect((await steps()).done).not.toContain('hours')
  const confirm = (hoursChecked: boolean) => admin.call<FirstSteps>('PUT', '/first-steps', { hoursChecked })
  expect((await confirm(true)).body).toMatchObject({ done: [...SET_UP, 'hours'], isOver: false })
  expect((await confirm(false)).body.done).toEqual(SET_UP)
  await admin.call('PUT', '/settings', { values: { saturday: 'enabled' }, versions: {} })
  expect((await steps()).done).toEqual([...SET_UP, 'hours'])
  const contactId = await makeContact(db, 'Lúcia')
  const ticketId = await makeTicket(db, { contactId, queueId, userId: OWNER, status: 'open', whatsappId: connectionId })
  await say(ticketId, null)
  expect((await steps()).isOver).toBe(false)
  await say(ticketId, OWNER)
  expect(await steps()).toMatchObject({ done: ALL, isOver: true })
})

test('what was done once stays done: the number is offline, and many more messages come', async () => {
  await sql`update whatsapp set number = '5531988887777'`
  await sql`update whatsapp set status = 'DISCONNECTED', number = null`
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, state, body)
    select ticket_id, contact_id, whatsapp_id, 100 + many, now(), false, 'received', 'oi'
    from message, generate_series(1, 60) many where seq = 1 limit 60`
  expect(await steps()).toMatchObject({ done: ALL, isOver: true })
  // Taken up again they are asked anew.
  await admin.call('PUT', '/first-steps', { isOver: false })
  expect(await steps()).toMatchObject({ done: ALL, isOver: true })
})

test('an administrator puts them away and takes them up again; nobody else reads them', async () => {
  await sql`update queue set greeting_message = ''`
  expect(await steps()).toMatchObject({ done: ALL.filter(step => step !== 'greeting'), isOver: true })
  expect((await admin.call<FirstSteps>('PUT', '/first-steps', { isOver: false })).body.isOver).toBe(false)
  expect((await steps()).isOver).toBe(false)
  expect((await admin.call<FirstSteps>('PUT', '/first-steps', { isOver: true })).body.isOver).toBe(true)
  expect((await steps()).isOver).toBe(true)
  expect((await admin.call<FirstSteps>('PUT', '/first-steps', { isOver: false })).body.isOver).toBe(false)
  const rui = await server.as('Rui')
  for (const [method, path, body] of [
    ['GET', '/first-steps', undefined],
    ['PUT', '/first-steps', { isOver: true }],
    ['POST', '/first-steps/preset', { trade: 'shop' }],
    ['DELETE', '/first-steps/preset', undefined],
  ] as const)
    expect((await rui.call(method, path, body)).status).toBe(403)
})

for (const language of LANGUAGES)
  for (const trade of TRADES)
    test(`what a ${trade} begins with keeps the rules of each list and is thrown away again whole, in ${language}`, async () => {
      const before = await countRows()
      const added = await admin.call<FirstSteps>('POST', '/first-steps/preset', { trade, language })
      expect([added.status, added.body.trade, added.body.preset]).toEqual([201, trade, 13])
      expect((await admin.call('POST', '/first-steps/preset', { trade: 'shop' })).status).toBe(409)
      const removed = await admin.call<FirstSteps>('DELETE', '/first-steps/preset')
      expect([removed.body.trade, removed.body.preset]).toEqual([null, 0])
      expect(await countRows()).toEqual(before)
    })

test('what was changed or is used stays, and what is there already is not made again', async () => {
  const before = await countRows()
  await sql`insert into quick_answer (shortcut, message) values ('pix', 'a nossa')`
  expect((await admin.call<FirstSteps>('POST', '/first-steps/preset', { trade: 'shop' })).body.preset).toBe(12)
  const [queue] = await sql<{ id: number }[]>`select id from queue where name = 'Financeiro'`
  await sql`insert into user_queue (user_id, queue_id) values (${OWNER}, ${queue?.id ?? 0})`
  const [tag] = await sql<{ id: number }[]>`select id from tag where name = 'Primeira compra'`
  await sql`insert into contact_tag (contact_id, tag_id) select min(id), ${tag?.id ?? 0} from contact`
  const [answer] = await sql<{ id: number }[]>`select id from quick_answer where shortcut = 'prazo'`
  const form = new FormData()
  form.set('message', 'Amanhã mesmo.')
  await admin.call('PUT', `/quickAnswers/${answer?.id ?? 0}`, form)
  expect((await steps()).preset).toBe(9)
  await admin.call('DELETE', '/first-steps/preset')
  const left = await countRows()
  expect(left.map((many, at) => many - (before[at] ?? 0))).toEqual([1, 2, 0, 1])
  expect((await steps()).trade).toBeNull()
})

test('of two who choose at once one has it', async () => {
  const answers = await Promise.all(
    (['clinic', 'school'] as const).map(trade => admin.call('POST', '/first-steps/preset', { trade })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect((await steps()).preset).toBe(13)
})

/** Queues, quick answers, questions and tags. */
async function countRows(): Promise<number[]> {
  const [row] = await sql<{ many: number[] }[]>`
    select array[(select count(*) from queue), (select count(*) from quick_answer), (select count(*) from question),
      (select count(*) from tag)]::int[] as many`
  return row?.many ?? []
}

async function say(ticketId: number, userId: number | null) {
  const id = await makeMessage(db, ticketId, 'oi')
  await sql`update message set from_me = ${userId !== null}, user_id = ${userId} where id = ${id}`
}
