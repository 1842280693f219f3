// A read may begin with the session of the last request while the database is asked for the one of now (0263): faster, and nobody is shown
// anything that is not for them by then. What the session is asked of is held up here, so that everything else has time to be wrong.
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import type postgres from 'postgres'
import { createAccessToken } from '../src/policy/sessions/tokens.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { db, config, as } = await startDeskServer()
const sql = db.$client
let [brunaId, queueId, ticketId] = [0, 0, 0]
let bruna: SignedInPerson

beforeAll(async () => {
  queueId = await makeQueue(db, 'Financeiro')
  const whatsappId = await makeConnection(db, 'Loja Centro')
  brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
  const contactId = await makeContact(db, 'Padaria Estrela')
  ticketId = await makeTicket(db, { contactId, whatsappId, status: 'pending', queueId })
})

beforeEach(async () => {
  bruna = await as('Bruna')
  // Now the server knows the session, for pages and for other reads.
  for (const path of [`/tickets/${ticketId}`, '/tag']) expect((await bruna.call('GET', path)).status).toBe(200)
})

/** Makes a call whose session is asked for in vain until something was changed. */
async function callDuring(
  method: string,
  path: string,
  body: unknown,
  change: (tx: postgres.TransactionSql) => Promise<unknown>,
  waiting = 1,
) {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const changing = sql.begin(async tx => {
    await tx`lock table refresh_token, tag in access exclusive mode`
    await change(tx)
    locked.resolve()
    await held.promise
  })
  await Promise.race([locked.promise, changing])
  const calling = bruna.call<{ error?: string }>(method, path, body)
  const countWaiting = async () =>
    (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length
  await waitUntil('statements that wait for the lock', async () => (await countWaiting()) >= waiting)
  held.resolve()
  await changing
  return calling
}

test('the rows of a read and its session are asked for at the same time', async () => {
  expect((await callDuring('GET', '/tag', undefined, async () => {}, 2)).status).toBe(200)
})

test('a read that began before somebody was signed out gives nothing', async () => {
  const answer = await callDuring(
    'GET',
    `/tickets/${ticketId}`,
    undefined,
    tx => tx`update refresh_token set revoked_at = now() where user_id = ${brunaId}`,
  )
  expect([answer.status, answer.body.error]).toEqual([401, 'ERR_SESSION_EXPIRED'])
})

test('a read that began before somebody was deactivated gives nothing', async () => {
  const answer = await callDuring(
    'GET',
    `/tickets/${ticketId}`,
    undefined,
    tx => tx`update "user" set active = false where id = ${brunaId}`,
  )
  await sql`update "user" set active = true where id = ${brunaId}`
  expect([answer.status, answer.body.error]).toEqual([401, 'ERR_USER_NO_ACTIVE'])
})

test('a read that began with a queue that was taken away is answered without it', async () => {
  const answer = await callDuring(
    'GET',
    `/tickets/${ticketId}`,
    undefined,
    tx => tx`delete from user_queue where user_id = ${brunaId}`,
  )
  await sql`insert into user_queue (user_id, queue_id) values (${brunaId}, ${queueId})`
  expect([answer.status, answer.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  expect((await bruna.call('GET', `/tickets/${ticketId}`)).status).toBe(200)
})

test('a read that was refused by old rights is answered by those given meanwhile', async () => {
  await sql`delete from user_queue where user_id = ${brunaId}`
  expect((await bruna.call('GET', `/tickets/${ticketId}`)).status).toBe(403)
  const answer = await callDuring(
    'GET',
    `/tickets/${ticketId}`,
    undefined,
    tx => tx`insert into user_queue (user_id, queue_id) values (${brunaId}, ${queueId})`,
  )
  expect(answer.status).toBe(200)
})

test('a setting that was changed meanwhile holds', async () => {
  const read = () => bruna.call<{ key: string; value: string }[]>('GET', '/settings')
  const findHierarchy = (settings: unknown) =>
    Array.isArray(settings) ? settings.find(({ key }) => key === 'hierarchy')?.value : undefined
  expect(findHierarchy((await read()).body)).toBe('disabled')
  const answer = await callDuring(
    'GET',
    '/settings',
    undefined,
    tx => tx`insert into setting (key, value) values ('hierarchy', 'enabled')`,
  )
  expect(findHierarchy(answer.body)).toBe('enabled')
})

test('what changes something begins only when it is known who asks', async () => {
  const form = { name: 'Cobrança', color: '#7a7a7a' }
  const answer = await callDuring(
    'POST',
    '/tag',
    form,
    tx => tx`update refresh_token set revoked_at = now() where user_id = ${brunaId}`,
  )
  expect(answer.status).toBe(401)
  expect(await sql`select 1 from tag`).toHaveLength(0)
})

test('a token that was good before runs out all the same', async () => {
  const [row] = await sql<{ family: string }[]>`
    select family from refresh_token where user_id = ${brunaId} order by id desc limit 1`
  bruna.token = await createAccessToken(config, { userId: brunaId, family: row?.family ?? '' }, 2)
  expect((await bruna.call('GET', '/tag')).status).toBe(200)
  await waitUntil(
    'the token has run out',
    async () => (await bruna.call('GET', '/tag')).body.error === 'ERR_TOKEN_EXPIRED',
  )
})
