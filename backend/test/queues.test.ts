// Queues (spec 2 §2, §5; decisions §3, §22): the form's rules, who takes turns, and what a queue that goes leaves behind.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Connection, Contact, Queue, Ticket } from '@balcao/contract'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db, url } = server
const sql = db.$client
let bruna: SignedInPerson

interface Refused {
  readonly error: string
  readonly message: string
  readonly details: unknown
}

await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')
beforeEach(async () => {
  await sql`delete from ticket`
  await sql`delete from queue`
})

async function made(fields: object = {}): Promise<Queue> {
  const { status, body } = await marina.call<Queue>('POST', '/queue', { name: 'Financeiro', ...fields })
  expect(status).toBe(201)
  return body
}

async function refused(method: string, path: string, body?: object) {
  const answer = await marina.call<Refused>(method, path, body)
  const { error, details } = answer.body
  return details === undefined ? [answer.status, error] : [answer.status, error, details]
}

async function somebodyWaits(): Promise<void> {
  await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
}

let people = 0
/** Somebody whose own queues these are. */
async function member(queueIds: readonly number[], active = true) {
  const name = `Pessoa${++people}`
  return { name, id: await makePerson(db, { name, profile: 'user', queueIds, active }) }
}

describe('spec 2 §5, the form of a queue:', () => {
  test('what is not said is the default colour, no order of its own and no greeting', async () => {
    expect(await made()).toMatchObject({
      color: '#7a7a7a',
      customOrder: 999,
      greetingMessage: '',
      userIds: [],
      version: 1,
    })
  })

  test('name 2 to 250 characters, colour 3 to 9, order a number; nothing wrong is saved', async () => {
    const wrong = { name: 'x', color: 'azul', customOrder: 'primeira' }
    expect(await refused('POST', '/queue', wrong)).toEqual([
      422,
      'ERR_VALIDATION',
      [
        { path: 'name', code: 'Too Short!', message: 'Escreva um pouco mais: está curto demais.' },
        { path: 'color', code: 'notColor', message: 'Escolha uma cor.' },
        { path: 'customOrder', code: 'notNumber', message: 'Digite um número inteiro que caiba aqui.' },
      ],
    ])
    const long = await refused('POST', '/queue', { name: 'x'.repeat(251), color: '#1234567890' })
    expect(long[2]).toMatchObject([
      { path: 'name', code: 'Too Long!', message: 'Escreva menos: está longo demais.' },
      { path: 'color', code: 'notColor', message: 'Escolha uma cor.' },
    ])
    expect((await marina.call<Queue[]>('GET', '/queue')).body).toEqual([])
  })

  test('a colour belongs to one queue, however it is spelled', async () => {
    await made({ color: '#AABBCC' })
    const other = await made({ name: 'Suporte', color: '#112233' })
    expect(await refused('POST', '/queue', { name: 'Vendas', color: '#aabbcc' })).toMatchObject([
      409,
      'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    ])
    expect(await refused('PUT', `/queue/${other.id}`, { color: '#AaBbCc' })).toMatchObject([
      409,
      'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    ])
    expect((await marina.call<Queue>('GET', `/queue/${other.id}`)).body).toEqual(other)
  })

  test('the list goes by the own order first, then by name', async () => {
    await made({ name: 'Vendas', color: '#111111' })
    await made({ name: 'Água', color: '#222222' })
    await made({ name: 'Zeladoria', color: '#333333', customOrder: '1' })
    const { body } = await marina.call<Queue[]>('GET', '/queue')
    expect(body.map(queue => queue.name)).toEqual(['Zeladoria', 'Água', 'Vendas'])
  })

  test('what a change leaves out stays', async () => {
    const queue = await made({ customOrder: 3, greetingMessage: 'Olá, aqui é o financeiro' })
    const { body } = await marina.call<Queue>('PUT', `/queue/${queue.id}`, { name: 'Cobrança' })
    expect(body).toEqual({ ...queue, name: 'Cobrança', version: 2 })
  })

  test('a change that began from what somebody else has changed since is refused with the queue as it is now', async () => {
    const { id, version } = await made()
    const { body: now } = await marina.call<Queue>('PUT', `/queue/${id}`, { name: 'Cobrança', version })
    expect(await refused('PUT', `/queue/${id}`, { name: 'Contas', version })).toEqual([
      409,
      'ERR_CHANGED_MEANWHILE',
      now,
    ])
    const last = await marina.call<Queue>('PUT', `/queue/${id}`, { name: 'Contas' })
    expect([last.status, last.body.name]).toEqual([200, 'Contas'])
  })

  test('who began from what somebody is just saving waits for that, and is told', async () => {
    const { id, version } = await made()
    let answer: Promise<unknown> = Promise.resolve()
    await sql.begin(async tx => {
      await tx`update queue set name = 'De outro', version = version + 1 where id = ${id}`
      answer = refused('PUT', `/queue/${id}`, { name: 'Minha', version })
      await somebodyWaits()
    })
    expect(await answer).toMatchObject([409, 'ERR_CHANGED_MEANWHILE', { name: 'De outro' }])
  })

  test('how many tickets are open comes from the tally: those that wait, and closed ones, do not count', async () => {
    const { id } = await made()
    const whatsappId = await makeConnection(db, 'Contada')
    for (const [at, status] of (['open', 'open', 'pending', 'paused', 'closed'] as const).entries())
      await makeTicket(db, { contactId: await makeContact(db, `T${at}`), whatsappId, status, queueId: id })
    expect((await marina.call<Queue>('GET', `/queue/${id}`)).body.open).toBe(2)
  })

  test('of two who save at once from the same the second is told', async () => {
    const { id, version } = await made()
    const answers = await Promise.all(
      ['Cobrança', 'Contas'].map(name => marina.call('PUT', `/queue/${id}`, { name, version })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
  })

  test('a queue that is not there', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await refused(method, '/queue/99999999', method === 'PUT' ? {} : undefined)).toMatchObject([
        404,
        'ERR_NO_QUEUE_FOUND',
      ])
  })

  test('only administrators add, change and delete; everybody reads', async () => {
    const queue = await made()
    const { name } = await member([queue.id])
    bruna = await server.as(name)
    expect((await bruna.call('GET', `/queue/${queue.id}`)).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/queue'],
      ['PUT', `/queue/${queue.id}`],
      ['DELETE', `/queue/${queue.id}`],
    ] as const)
      expect((await bruna.call(method, path, { name: 'Minha' })).body.error).toBe('ERR_NO_PERMISSION')
  })
})

describe('decisions-2 §22, who takes turns:', () => {
  test('people of the queue by name; nobody means everybody', async () => {
    const queue = await made()
    const [ana, rui] = [await member([queue.id]), await member([queue.id])]
    const { body } = await marina.call<Queue>('PUT', `/queue/${queue.id}`, { userIds: [rui.id, ana.id, ana.id] })
    expect([body.userIds, body.queuesUser.map(user => user.name), body.users]).toEqual([
      [ana.id, rui.id],
      [ana.name, rui.name],
      2,
    ])
    // What a change leaves out stays.
    expect((await marina.call<Queue>('PUT', `/queue/${queue.id}`, { name: 'Contas' })).body.userIds).toEqual([
      ana.id,
      rui.id,
    ])
    expect((await marina.call<Queue>('PUT', `/queue/${queue.id}`, { userIds: [] })).body.userIds).toEqual([])
  })

  test('who does not have the queue is refused, and nothing is saved', async () => {
    const queue = await made()
    const [ana, stranger] = [await member([queue.id]), await member([])]
    const { status, body } = await marina.call<Refused>('PUT', `/queue/${queue.id}`, {
      name: 'Outra',
      userIds: [ana.id, stranger.id],
    })
    expect([status, body.error, body.message]).toEqual([
      422,
      'ERR_USER_NO_LINKED_IN_QUEUE',
      'Usuário não está vinculado a essa fila!',
    ])
    expect((await marina.call<Queue>('GET', `/queue/${queue.id}`)).body).toMatchObject({
      name: 'Financeiro',
      userIds: [],
    })
    expect(await refused('POST', '/queue', { name: 'Nova', color: '#010203', userIds: [ana.id] })).toMatchObject([
      422,
      'ERR_USER_NO_LINKED_IN_QUEUE',
    ])
  })

  test('who loses the queue takes no turns in it any more', async () => {
    const queue = await made()
    const [ana, rui] = [await member([queue.id]), await member([queue.id])]
    await marina.call('PUT', `/queue/${queue.id}`, { userIds: [rui.id, ana.id] })
    await sql`delete from user_queue where user_id = ${rui.id}`
    expect((await marina.call<Queue>('GET', `/queue/${queue.id}`)).body.userIds).toEqual([ana.id])
  })
})

test('how many people a queue has is told as they come and go, and is what a fresh look finds', async () => {
  const [queue, other] = [await made(), await made({ color: '#123123' })]
  const shown = new Map<number, number>()
  let seen = 0
  /** What an open page of queues shows, by the events since. */
  const page = async () => {
    const rows = await sql<{ id: number; payload: string }[]>`
      select id, payload from live_event where id > ${seen} and payload like '{"event":"queue","action":"update"%' order by id`
    for (const { id, payload } of rows) {
      seen = Number(id)
      const { queue: row } = JSON.parse(payload)
      shown.set(row.id, row.users)
    }
    const fresh = (await marina.call<Queue[]>('GET', '/queue')).body
    expect(fresh.map(({ id }) => [id, shown.get(id) ?? 0])).toEqual(fresh.map(({ id, users }) => [id, users]))
    return [shown.get(queue.id) ?? 0, shown.get(other.id) ?? 0]
  }
  const add = async (queueIds: number[], active = true) => {
    const form = { name: 'Nova Pessoa', email: `nova${++people}@x.example`, active, queueIds }
    return (await marina.call<{ id: number }>('POST', '/users', form)).body.id
  }
  const change = (id: number, body: object) => marina.call('PUT', `/users/${id}`, body)
  const ana = await add([queue.id])
  expect(await page()).toEqual([1, 0])
  const rui = await add([queue.id, other.id], false)
  expect(await page()).toEqual([1, 0])
  await change(rui, { active: true })
  expect(await page()).toEqual([2, 1])
  await change(ana, { queueIds: [other.id] })
  expect(await page()).toEqual([1, 2])
  await change(ana, { active: false })
  expect(await page()).toEqual([1, 1])
  await marina.call('DELETE', `/users/${rui}`)
  expect(await page()).toEqual([0, 0])
  const four = await Promise.all([1, 2, 3, 4].map(() => add([queue.id])))
  await Promise.all(four.slice(1).map(id => change(id, { queueIds: [] })))
  expect(await page()).toEqual([1, 0])
  const sheet = `nome;email;filas\nUm;um@x.example;${queue.name}-a\nDois;dois@x.example;${queue.name}-a`
  await marina.call('PUT', `/queue/${queue.id}`, { name: `${queue.name}-a` })
  const medias = new FormData()
  medias.append('medias', new Blob([sheet]), 'gente.csv')
  expect((await marina.call('POST', '/users/import/1', medias)).body).toMatchObject({ imported: 2 })
  expect(await page()).toEqual([3, 0])
  // Nobody's open form of the queue is older for it.
  expect((await marina.call<Queue>('GET', `/queue/${queue.id}`)).body.version).toBe(queue.version + 1)
})

describe('decisions §3, deleting a queue:', () => {
  test('is refused with the counts while tickets that are not closed use it', async () => {
    const queue = await made()
    const whatsappId = await makeConnection(db, 'Cheia')
    for (const [at, status] of (['pending', 'pending', 'open', 'nps', 'closed'] as const).entries())
      await makeTicket(db, { contactId: await makeContact(db, `C${at}`), whatsappId, status, queueId: queue.id })
    expect(await refused('DELETE', `/queue/${queue.id}`)).toEqual([
      409,
      'ERR_QUEUE_IN_USE',
      { tickets: 4, pending: 2, open: 1, paused: 0, bot: 0, nps: 1 },
    ])
    expect((await marina.call('GET', `/queue/${queue.id}`)).status).toBe(200)
  })

  test('changes the contacts that went to somebody in it, however many, for screens and for other programs', async () => {
    const queue = await made()
    const { id: userId } = await member([queue.id])
    await sql`insert into contact (name, updated_at) select 'Da casa ' || n, now() - interval '1 day' from generate_series(1, 150) n`
    await sql`
      insert into contact_redirect (contact_id, queue_id, user_id)
      select id, ${queue.id}, ${userId} from contact where name like 'Da casa %'`
    const since = `/contacts?changedSince=${new Date(Date.now() - 60_000).toISOString()}`
    await sql`truncate live_event`
    expect((await marina.call('DELETE', `/queue/${queue.id}`)).status).toBe(204)
    await waitUntil('all of them have changed, and lists ask anew', async () => {
      const first = await marina.call<{ contacts: Contact[]; nextCursor: string }>('GET', since)
      const next = await marina.call<{ contacts: Contact[] }>('GET', `${since}&cursor=${first.body.nextCursor}`)
      const changed = [...first.body.contacts, ...next.body.contacts].filter(({ name }) => name.startsWith('Da casa'))
      const [reload] = await sql`select 1 from live_event where payload like '{"event":"contact","action":"reload"%'`
      return changed.length === 150 && changed.every(({ redirect }) => redirect.length === 0) && reload !== undefined
    })
  })

  test('detaches people and connections, and closed tickets keep its name and colour', async () => {
    const queue = await made({ color: '#aa5500' })
    const whatsappId = await makeConnection(db, 'Loja Sul')
    await marina.call('PUT', `/whatsapp/${whatsappId}`, { queueIds: [queue.id] })
    const { id: userId } = await member([queue.id])
    await marina.call('PUT', `/queue/${queue.id}`, { userIds: [userId] })
    const contactId = await makeContact(db, 'Padaria')
    const ticket = await makeTicket(db, { contactId, whatsappId, status: 'closed', queueId: queue.id, userId })
    expect((await marina.call('DELETE', `/queue/${queue.id}`)).status).toBe(204)
    expect((await marina.call<Ticket>('GET', `/tickets/${ticket}`)).body.queue).toEqual({
      id: queue.id,
      name: 'Financeiro',
      color: '#aa5500',
    })
    expect((await marina.call<Connection>('GET', `/whatsapp/${whatsappId}`)).body.queueIds).toEqual([])
    const [row] = await sql<{ payload: string }[]>`
      select payload from live_event where payload like '{"event":"whatsapp",%' and audience->>'to' = 'admins' order by id desc limit 1`
    expect(JSON.parse(row?.payload ?? '{}')).toMatchObject({
      action: 'update',
      whatsapp: { id: whatsappId, queueIds: [] },
    })
    expect([...(await sql`select 1 from user_queue where user_id = ${userId}`)]).toEqual([])
    expect(await made({ color: '#aa5500' })).toMatchObject({ name: 'Financeiro' })
  })

  test('a ticket that is put into it at the same moment keeps it', async () => {
    const queue = await made()
    const contactId = await makeContact(db, 'Justo agora')
    const whatsappId = await makeConnection(db, 'Agora')
    let answer: Promise<unknown> = Promise.resolve()
    await sql.begin(async tx => {
      await tx`insert into ticket (status, contact_id, whatsapp_id, queue_id) values ('pending', ${contactId}, ${whatsappId}, ${queue.id})`
      answer = refused('DELETE', `/queue/${queue.id}`)
      await somebodyWaits()
    })
    expect(await answer).toMatchObject([409, 'ERR_QUEUE_IN_USE', { tickets: 1 }])
  })

  test('who had it is told at once: the open line begins afresh without it', async () => {
    const queue = await made()
    const { name } = await member([queue.id])
    const person = await server.as(name)
    const { body: pass } = await person.call<{ token: string }>('POST', '/auth/socket')
    const heard: string[] = []
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${pass.token}`)
    socket.onmessage = ({ data }) => heard.push(String(data))
    socket.onopen = () => socket.send('{"type":"hello","cursor":null}')
    try {
      await waitUntil('the line stands', () => heard.some(frame => frame.includes('"welcome"')))
      await marina.call('DELETE', `/queue/${queue.id}`)
      await waitUntil('it begins afresh', () => heard.some(frame => frame.includes('"reset"')))
      expect(heard.join()).toContain('"queueIds":[]')
    } finally {
      socket.close()
    }
  })
})

test('spec 2 §4: every change is told live, newer than the last, and written in the log of the queue', async () => {
  const queue = await made()
  await marina.call('PUT', `/queue/${queue.id}`, { name: 'Cobrança' })
  await marina.call('DELETE', `/queue/${queue.id}`)
  const events = await sql<{ audience: object; action: string; version: number }[]>`
    select audience, payload::jsonb->>'action' as action, (payload::jsonb->>'version')::int as version
    from live_event where payload::jsonb->>'event' = 'queue'
      and ${queue.id} in ((payload::jsonb->>'queueId')::int, (payload::jsonb->'queue'->>'id')::int) order by id`
  expect(events.map(({ action, version }) => [action, version])).toEqual([
    ['create', 1],
    ['update', 2],
    ['delete', 3],
  ])
  expect(new Set(events.map(({ audience }) => JSON.stringify(audience)))).toEqual(new Set(['{"to":"everyone"}']))
  const deeds = await sql`select l.action, u.name from log_entry l join "user" u on u.id = l.user_id
    where l.queue_id = ${queue.id} order by l.id`
  expect([...deeds]).toEqual(['create', 'update', 'delete'].map(done => ({ action: `queue.${done}`, name: 'Marina' })))
})
