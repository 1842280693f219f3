// The hours of a person end inside the desk as at its door (decisions-2 §24): every call, the socket and what is told to devices.
import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { type Endpoint, endpoints } from '@balcao/contract'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeTicket,
  PASSWORD,
  toEmail,
} from './desk-world.ts'
import { waitUntil } from './until.ts'

/** What the server does by itself at least once a minute, to be done by a test without waiting for it. */
const clocks: (() => void)[] = []
const timers = spyOn(globalThis, 'setInterval')
const server = await startDeskServer()
for (const [act, ms = 0] of timers.mock.calls) if (ms >= 10_000 && ms <= 60_000) clocks.push(() => act())
timers.mockRestore()
const { db, url } = server
const sql = db.$client
let bruna: SignedInPerson

const queueId = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja Centro')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
const contactId = await makeContact(db, 'Padaria Estrela')
const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId: brunaId })
await makeMessage(db, ticketId, 'Bom dia')
const marina = await server.as('Marina')

beforeEach(async () => {
  await setWorking(true)
  bruna = await server.as('Bruna')
})

/** Whether Bruna works today, as an administrator says it in her form. */
async function setWorking(works: boolean): Promise<void> {
  const { status } = await marina.call('PUT', `/users/${brunaId}`, {
    ...{ startTime: '00:00', endTime: '23:59' },
    ...{ weekdays: works, saturday: works, sunday: works, holidays: true },
  })
  expect(status).toBe(200)
}

const guarded = Object.entries<Endpoint>(endpoints)
  .filter(([, { audience }]) => audience === undefined)
  .map(([key]) => key)

describe('who is out of hours', () => {
  test('is refused every call but the look at the own account', async () => {
    await setWorking(false)
    const open: string[] = []
    for (const key of guarded) {
      const [method = '', pattern = ''] = key.split(' ')
      const path = pattern.replace(/:\w+/g, String(ticketId))
      const { status, body } = await bruna.call(method, path, method === 'GET' ? undefined : {})
      if (status !== 401 || body.error !== 'ERR_INVALID_WORKING_TIME') open.push(`${key} ${status}`)
    }
    expect(open).toEqual([])
    expect((await bruna.call('GET', `/users/${brunaId}`)).status).toBe(200)
    expect((await bruna.call('GET', '/users/1')).body.error).toBe('ERR_INVALID_WORKING_TIME')
  })

  test('may still sign out', async () => {
    await setWorking(false)
    expect((await bruna.call('DELETE', '/auth/logout')).status).toBe(204)
    await setWorking(true)
    expect((await bruna.call('GET', '/tickets')).body.error).toBe('ERR_SESSION_EXPIRED')
  })

  test('gets no file either, by the cookie of the browser', async () => {
    await setWorking(false)
    const cookie = [...bruna.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${url}/media/nada`, { headers: { cookie } })
    expect([answer.status, (await answer.json()).error]).toEqual([401, 'ERR_INVALID_WORKING_TIME'])
  })

  test('is told why at the socket, which ends, and is not let in with a token had before', async () => {
    const late = (await bruna.call<{ token: string }>('POST', '/auth/socket')).body.token
    const socket = await listen((await bruna.call<{ token: string }>('POST', '/auth/socket')).body.token)
    await setWorking(false)
    await waitUntil('the socket ends', () => socket.closed !== '')
    expect(socket.closed).toBe('4401 ERR_INVALID_WORKING_TIME')
    const frames = socket.heard
    await makeMessage(db, ticketId, 'Ainda aí?')
    const other = await listen(late)
    await waitUntil('it is closed', () => other.closed !== '')
    expect(other.closed).toBe('4401 ERR_INVALID_WORKING_TIME')
    expect(socket.heard).toBe(frames)
  })

  test('is out within a minute though nobody changed anything and the screen is idle', async () => {
    const socket = await listen((await bruna.call<{ token: string }>('POST', '/auth/socket')).body.token)
    await sql`update "user" set weekdays = false, saturday = false, sunday = false, holidays = false where id = ${brunaId}`
    for (const act of clocks) act()
    await waitUntil('the socket ends', () => socket.closed !== '')
    expect(socket.closed).toBe('4401 ERR_INVALID_WORKING_TIME')
  })

  test('comes back in when the hours begin, and administrators were never limited', async () => {
    await sql`update "user" set weekdays = false, saturday = false, sunday = false where name = 'Marina'`
    await setWorking(false)
    const account = { email: toEmail('Bruna'), password: PASSWORD }
    expect((await createBrowser(url).call('POST', '/auth/login', account)).body.error).toBe('ERR_INVALID_WORKING_TIME')
    expect((await marina.call('GET', '/tickets')).status).toBe(200)
    await setWorking(true)
    expect((await bruna.call('GET', '/tickets')).status).toBe(200)
  })
})

/** A socket with this token, once it was welcomed or closed. */
async function listen(token: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${token}`)
  const state = { closed: '', heard: 0 }
  let isWelcome = false
  socket.onmessage = ({ data }) => {
    if (String(data).includes('"welcome"')) isWelcome = true
    state.heard++
  }
  socket.onclose = ({ code, reason }) => {
    state.closed = `${code} ${reason}`
  }
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
  await waitUntil('the socket stands', () => isWelcome || state.closed !== '')
  return state
}
