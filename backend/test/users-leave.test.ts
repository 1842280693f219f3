// What becomes of tickets where somebody is substituted, deactivated, deleted or loses a queue, also at the same moment.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Queue, User } from '@balcao/contract'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia } from '../src/desk/media/store.ts'
import type { ApiAnswer } from './desk-server.ts'
import { makeContact, makeQueue, PASSWORD, toEmail } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'
import { form, NEW, row, startUsersDesk } from './users-desk.ts'

const {
  server,
  db,
  config,
  sql,
  sales,
  finance,
  whatsappId,
  marina,
  owner,
  someone,
  aTicketOf,
  logged,
  put,
  messages,
  somebodyWaits,
  signIn,
  openSocket,
} = await startUsersDesk()

async function where(...ids: number[]) {
  const rows = await sql`select status, user_id, queue_id from ticket where id = any(${ids}::int[]) order by id`
  return rows.map(row => [row.status, row.user_id, row.queue_id])
}

describe('spec 2 §5: substitutions', () => {
  test.each([
    [
      'two for one queue',
      (a: number) => [row(sales, a), row(sales, a)],
      'substitution/1',
      'Não deve haver mais de uma substituição para a mesma fila',
    ],
    [
      'one without a queue',
      (a: number) => [{ value: a, transfer: false }],
      'substitution/0',
      'Não deve existir substituições sem fila/usuário atribuído',
    ],
    [
      'one without a person',
      () => [{ name: sales, value: null }],
      'substitution/0',
      'Não deve existir substituições sem fila/usuário atribuído',
    ],
  ] as const)('%s is refused', async (_, rowsOf, path, message) => {
    const [person, substitute] = [await someone({ active: false }), await someone()]
    const answer = await put<ApiAnswer['body']>(marina, person.id, { substitution: rowsOf(substitute.id) })
    expect(messages(answer)).toMatchObject([{ path, message }])
  })

  test('the substitute must belong to the queue, and be another one', async () => {
    const [person, substitute] = [await someone({ active: false }), await someone({ queueIds: [sales] })]
    const refused = async (rows: object[]) =>
      messages(await put<ApiAnswer['body']>(marina, person.id, { substitution: rows }))
    expect(await refused([row(finance, substitute.id)])).toMatchObject([
      { message: `O(a) usuário(a) ${substitute.name} não pertence à essa fila`, params: { name: substitute.name } },
    ])
    expect(await refused([row(sales, person.id)])).toMatchObject([
      { message: 'O usuário não pode substituir a si mesmo' },
    ])
    expect(await refused([row(sales, 9999)])).toMatchObject([{ code: 'notInQueue' }])
  })

  test('spec 2 §4: none is added while the person is active; those there stay through an activation and may go', async () => {
    const [person, substitute] = [await someone(), await someone()]
    const rows = [row(sales, substitute.id)]
    expect(messages(await put<ApiAnswer['body']>(marina, person.id, { substitution: rows }))).toMatchObject([
      { code: 'active' },
    ])
    expect((await put(marina, person.id, { active: false, substitution: rows })).body.substitution).toEqual(rows)
    expect((await put(marina, person.id, { active: true, substitution: rows })).body.substitution).toEqual(rows)
    expect((await put(marina, person.id, { substitution: [] })).body.substitution).toEqual([])
    expect((await logged(person.id)).at(-1)).toEqual([
      'user.update',
      { changes: [{ field: 'substitution', from: rows, to: [] }] },
    ])
  })
})

describe('decisions-2 §8: deactivating', () => {
  test('per queue, live tickets go to the substitute where transfer is set, otherwise back to their queue', async () => {
    const [person, a, b] = [await someone(), await someone(), await someone()]
    const tickets = [
      await aTicketOf(person.id, sales),
      await aTicketOf(person.id, sales, 'paused'),
      await aTicketOf(person.id, finance),
      await aTicketOf(person.id, null),
    ]
    await sql`update ticket set accepted_at = '2025-11-25T10:00:00Z' where id = any(${tickets.slice(2)}::int[])`
    await sql`update ticket set pause_tag = 'Almoço' where status = 'paused' and id = any(${tickets}::int[])`
    const rating = await aTicketOf(person.id, sales, 'nps')
    const substitution = [row(sales, a.id), { ...row(finance, b.id), transfer: false }]
    expect((await put(marina, person.id, { active: false, substitution })).status).toBe(200)
    expect(await where(...tickets, rating)).toEqual([
      ['open', a.id, sales],
      ['open', a.id, sales],
      ['pending', null, finance],
      ['pending', null, null],
      ['nps', person.id, sales],
    ])
    const lines =
      await sql`select ticket_id, system->>'code' as code from message where ticket_id = any(${tickets}::int[]) order by ticket_id`
    expect(lines.map(line => line.code)).toEqual(['transferred', 'transferred', 'returned', 'returned'])
    // Who takes it over has accepted it; what waits again has to be accepted anew (decisions-2 §23).
    const accepted = await sql`
      select accepted_at is not null as accepted, unread_messages > 0 as unread, pause_tag from ticket
      where id = any(${tickets}::int[]) order by id`
    expect(accepted.map(row => [row.accepted, row.unread, row.pause_tag])).toEqual([
      [true, true, null],
      [true, true, null],
      [false, true, null],
      [false, true, null],
    ])
    const log = await sql`select action from log_entry where ticket_id = any(${tickets}::int[]) order by ticket_id`
    expect(log.map(entry => entry.action)).toEqual([
      'ticket.transfer',
      'ticket.transfer',
      'ticket.return',
      'ticket.return',
    ])
    expect(await logged(person.id)).toContainEqual(['user.deactivate', { toWait: 2, toSubstitutes: 2 }])
  })

  test('a substitute who is inactive or has lost the queue takes nothing', async () => {
    const [person, away, lost] = [await someone(), await someone(), await someone()]
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    await put(marina, person.id, { active: false, substitution: [row(sales, away.id), row(finance, lost.id)] })
    await sql`update ticket set status = 'open', user_id = ${person.id} where id = any(${tickets}::int[])`
    await put(marina, person.id, { active: true })
    await put(marina, away.id, { active: false })
    await put(marina, lost.id, { queueIds: [sales] })
    await put(marina, person.id, { active: false })
    expect(await where(...tickets)).toEqual([
      ['pending', null, sales],
      ['pending', null, finance],
    ])
  })

  test('everything or nothing: a refusal leaves the person active and the tickets where they are', async () => {
    const [person, stranger] = [await someone(), await someone({ queueIds: [] })]
    const ticket = await aTicketOf(person.id, sales)
    await put(marina, person.id, { active: false, name: 'Novo', substitution: [row(sales, stranger.id)] })
    expect(await where(ticket)).toEqual([['open', person.id, sales]])
    expect((await marina.call<User>('GET', `/users/${person.id}`)).body).toMatchObject({
      active: true,
      name: person.name,
      version: 1,
    })
  })

  test('POST /users/transfer hands over by hand, one queue and only to somebody of it', async () => {
    const [person, other, stranger] = [await someone(), await someone(), await someone({ queueIds: [finance] })]
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    const hand = (substituteId: number, queueId = sales) =>
      marina.call<ApiAnswer['body']>('POST', `/users/transfer/${person.id}`, { substituteId, queueId })
    expect(messages(await hand(stranger.id))).toMatchObject([
      { path: 'substituteId', message: `O(a) usuário(a) ${stranger.name} não pertence à essa fila` },
    ])
    expect((await hand(9999)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await hand(other.id, 9999)).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await hand(person.id)).status).toBe(422)
    expect((await hand(other.id)).body).toEqual({ tickets: 1 })
    expect(await where(...tickets)).toEqual([
      ['open', other.id, sales],
      ['open', person.id, finance],
    ])
  })

  test('hundreds of live tickets go in one change, each with its line', async () => {
    const [person, other] = [await someone(), await someone()]
    await sql`
      with c as (insert into contact (name) select 'Muitos ' || n from generate_series(1, 300) n returning id)
      insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id) select id, ${whatsappId}, 'open', ${sales}, ${person.id} from c`
    const { body } = await marina.call('POST', `/users/transfer/${person.id}`, {
      substituteId: other.id,
      queueId: sales,
    })
    expect(body).toEqual({ tickets: 300 })
    const [row] =
      await sql`select count(*)::int as n, count(distinct m.id)::int as lines from ticket t join message m on m.ticket_id = t.id where t.user_id = ${other.id}`
    expect(row).toMatchObject({ n: 300, lines: 300 })
  })
})

describe('decisions §4.5: who loses a queue', () => {
  test('loses the live tickets in it, back to pending; closed ones keep their person', async () => {
    const person = await someone()
    const tickets = [
      await aTicketOf(person.id, sales),
      await aTicketOf(person.id, finance, 'paused'),
      await aTicketOf(person.id, null),
    ]
    await put(marina, person.id, { queueIds: [sales] })
    expect(await where(...tickets)).toEqual([
      ['open', person.id, sales],
      ['pending', null, finance],
      ['open', person.id, null],
    ])
    expect((await logged(person.id)).at(-1)).toEqual([
      'user.update',
      { changes: [{ field: 'queueIds', from: [sales, finance], to: [sales] }], toWait: 1 },
    ])
  })

  test('an administrator may have any ticket; one who is none any more only those of the own queues', async () => {
    const person = await someone({ profile: 'admin', queueIds: [sales] })
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    await put(marina, person.id, { queueIds: [] })
    expect(await where(...tickets)).toEqual([
      ['open', person.id, sales],
      ['open', person.id, finance],
    ])
    await put(marina, person.id, { profile: 'user', queueIds: [sales] })
    expect(await where(...tickets)).toEqual([
      ['open', person.id, sales],
      ['pending', null, finance],
    ])
  })

  test('finds it at once in every open screen: the socket begins afresh and hears nothing of the queue any more', async () => {
    const [person, colleague] = [await someone(), await someone()]
    const sockets = await Promise.all([
      openSocket(await server.as(person.name)),
      openSocket(await server.as(colleague.name)),
    ])
    const [theirs, others] = sockets
    const ticket = await aTicketOf(null, finance, 'pending')
    await put(marina, person.id, { queueIds: [sales] })
    await marina.call('PUT', `/tickets/${ticket}`, { status: 'open', queueId: finance })
    await others?.heard(event => event.event === 'ticket' && 'ticketId' in event && event.ticketId === ticket)
    await theirs?.framed(frame => frame.type === 'reset')
    // Something for everybody, which comes after it.
    await marina.call('POST', '/quickAnswers', form({ shortcut: `oi${ticket}`, message: 'Olá, tudo bem?' }))
    await theirs?.heard(event => event.event === 'quickAnswer')
    // That it came may still have been told; that it was accepted came afterwards.
    expect(
      theirs?.events.filter(event => event.event === 'ticket' && 'ticket' in event && event.ticket.status === 'open'),
    ).toEqual([])
    for (const socket of sockets) socket.close()
  })

  test('somebody deactivated is told why and closed, at once and for good', async () => {
    const person = await someone()
    const session = await server.as(person.name)
    const socket = await openSocket(session)
    await put(marina, person.id, { active: false })
    expect(await socket.closed).toEqual([4401, 'ERR_USER_NO_ACTIVE'])
    expect((await session.call('POST', '/auth/socket')).body.error).toBe('ERR_USER_NO_ACTIVE')
  })
})

describe('decisions §3: deleting', () => {
  test('live tickets go to the substitute where one is set, else back; sessions end; the e-mail is free again; the log keeps it', async () => {
    const [person, substitute] = [await someone(), await someone()]
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    await put(marina, person.id, { active: false, substitution: [{ ...row(sales, substitute.id), transfer: false }] })
    await sql`update ticket set status = 'open', user_id = ${person.id} where id = any(${tickets}::int[])`
    await put(marina, person.id, { active: true })
    const session = await server.as(person.name)
    const socket = await openSocket(session)
    const screen = await openSocket(await server.as(substitute.name))
    expect((await marina.call('DELETE', `/users/${person.id}`, { log: { userId: 1, userName: 'x' } })).status).toBe(204)
    expect(await where(...tickets)).toEqual([
      ['open', substitute.id, sales],
      ['pending', null, finance],
    ])
    expect((await socket.closed)[0]).toBe(4401)
    expect((await session.call('GET', '/queue')).status).toBe(401)
    await screen.heard(event => event.event === 'user' && event.action === 'delete' && event.userId === person.id)
    expect((await marina.call('GET', `/users/${person.id}`)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await marina.call('DELETE', `/users/${person.id}`)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await signIn(toEmail(person.name), PASSWORD)).status).toBe(401)
    const again = { name: 'De novo', email: toEmail(person.name), password: NEW }
    expect((await marina.call('POST', '/users', again)).status).toBe(201)
    expect(await logged(person.id)).toContainEqual(['user.delete', { toWait: 1, toSubstitutes: 1 }])
    screen.close()
  })

  test('many live tickets are sent on their ways in short transactions, each with its line, and counted once', async () => {
    const person = await someone()
    await sql`
      with c as (insert into contact (name) select 'De saída ' || n from generate_series(1, 130) n returning id)
      insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id) select id, ${whatsappId}, 'open', ${sales}, ${person.id} from c`
    expect((await marina.call('DELETE', `/users/${person.id}`)).status).toBe(204)
    const [gone] = await sql`
      select count(*)::int as tickets, count(distinct t.xmin::text)::int > 2 as pieces, count(m.id)::int as lines
      from ticket t join contact c on c.id = t.contact_id left join message m on m.ticket_id = t.id
      where c.name like 'De saída %' and t.status = 'pending' and t.user_id is null`
    expect(gone).toEqual({ tickets: 130, pieces: true, lines: 130 })
    expect(await logged(person.id)).toContainEqual(['user.delete', { toWait: 130, toSubstitutes: 0 }])
  })

  test('the row stays for what it did, without e-mail and password; turns, queues, substitutes, redirects and devices go with the person', async () => {
    const [person, other] = [await someone(), await someone()]
    const session = await server.as(person.name)
    const contactId = await makeContact(db, 'Da casa')
    const both = [person.id, other.id]
    await sql`insert into queue_turn (queue_id, user_id) select ${sales}, unnest(${both}::int[])`
    await sql`insert into user_substitute (user_id, queue_id, substitute_id) values (${person.id}, ${sales}, ${other.id}), (${other.id}, ${sales}, ${person.id})`
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${contactId}, ${sales}, ${person.id})`
    await sql`
      insert into push_subscription (user_id, family, endpoint, p256dh, auth)
      select ${person.id}, family, 'https://push.example/1', 'x', 'y' from refresh_token where user_id = ${person.id}`
    const [before] = await sql<{ version: number; at: string }[]>`
      select version::int as version, updated_at::text as at from contact where id = ${contactId}`
    expect((await marina.call('DELETE', `/users/${person.id}`)).status).toBe(204)
    const [left] = await sql`
      select (select count(*)::int from queue_turn where user_id = u.id) as turns,
        (select count(*)::int from user_queue where user_id = u.id) as queues,
        (select count(*)::int from user_substitute where u.id in (user_id, substitute_id)) as substitutes,
        (select count(*)::int from contact_redirect where user_id = u.id) as redirects,
        (select count(*)::int from push_subscription where user_id = u.id) as devices,
        (select count(*)::int from refresh_token where user_id = u.id and revoked_at is null) as sessions,
        email_sealed as email, password_hash as password, name, active from "user" u where id = ${person.id}`
    expect({ ...left }).toEqual({
      ...{ turns: 0, queues: 0, substitutes: 0, redirects: 0, devices: 0, sessions: 0 },
      ...{ email: '', password: '', name: person.name, active: false },
    })
    await waitUntil('the contact is told of as changed, also to other programs', async () => {
      const [now] = await sql`
        select version::int > ${before?.version ?? 0} and updated_at > ${before?.at ?? ''}::timestamptz and exists (
          select from live_event where payload like ${`{"event":"contact","action":"update"%"id":${contactId},%`}) as yes
        from contact where id = ${contactId}`
      return now?.yes === true
    })
    expect((await session.call('POST', '/auth/refresh_token')).status).toBe(401)
    expect([...(await sql`select 1 from queue_turn where user_id = ${other.id}`)]).toHaveLength(1)
  })

  test('the picture goes from the disk, and from wherever it was shown', async () => {
    const { id, name } = await someone()
    const { profilePicUrl } = (await (await server.as(name)).call<User>('POST', `/users/picture/${id}`, aPicture()))
      .body
    const file = await openMedia({ db, dataDir: config.dataDir }, String(profilePicUrl).split('/').at(-1) ?? '')
    expect(existsSync(file?.path ?? '')).toBe(true)
    expect((await marina.call('DELETE', `/users/${id}`)).status).toBe(204)
    expect((await marina.call('GET', String(profilePicUrl))).status).toBe(404)
    await sweepFiles({ db, dataDir: config.dataDir })
    expect(existsSync(file?.path ?? '')).toBe(false)
    const [left] = await sql`select profile_pic_url from "user" where id = ${id}`
    expect(left?.profile_pic_url).toBeNull()
  })

  test('nobody deletes himself', async () => {
    const { body } = await marina.call<{ users: User[] }>('GET', `/users?searchParam=${toEmail('Marina')}`)
    expect((await marina.call('DELETE', `/users/${body.users[0]?.id}`)).body.error).toBe('ERR_NO_PERMISSION')
  })
})

describe('at the same moment', () => {
  test('who is deactivated, loses the queue or is deleted while accepting ends up without the ticket', async () => {
    for (const act of [
      (id: number) => put(marina, id, { active: false }),
      (id: number) => put(marina, id, { queueIds: [] }),
      (id: number) => marina.call('DELETE', `/users/${id}`),
    ]) {
      const people = await Promise.all(Array.from({ length: 2 }, () => someone()))
      await Promise.all(
        people.map(async ({ id, name }) => {
          const self = await server.as(name)
          const ids = [await aTicketOf(null, sales, 'pending'), await aTicketOf(null, sales, 'pending')]
          const [accepted] = await Promise.all([
            ...ids.map(ticket => self.call('PUT', `/tickets/${ticket}`, { status: 'open', userId: id })),
            act(id),
          ])
          expect([200, 401, 403, 404, 422]).toContain(accepted?.status ?? 0)
          expect(await where(...ids)).toEqual(ids.map(() => ['pending', null, sales]))
        }),
      )
    }
  })

  test('a ticket given to somebody waits for who lets that one out, and then finds nobody', async () => {
    const person = await someone()
    const ticket = await aTicketOf(null, sales, 'pending')
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const letting = db.transaction(async tx => {
      await tx.execute(`select 1 from "user" where id = ${person.id} for no key update`)
      locked.resolve()
      await held.promise
      await tx.execute(`update "user" set active = false where id = ${person.id}`)
    })
    await locked.promise
    const giving = marina.call('PUT', `/tickets/${ticket}`, {
      status: 'open',
      userId: person.id,
      queueId: sales,
      transferMessage: 'para você',
    })
    await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
    held.resolve()
    await letting
    expect((await giving).body.error).toBe('ERR_NO_USER_FOUND')
    expect(await where(ticket)).toEqual([['pending', null, sales]])
  })

  test('two hundred saves of ten people at once: each is done or told that it comes too late, and the version counts those done', async () => {
    const folk = await Promise.all(Array.from({ length: 10 }, () => someone()))
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const { id = 0 } = folk[n % folk.length] ?? {}
        return put<ApiAnswer['body']>(marina, id, { name: `Vez ${n}`, queueIds: n % 2 ? [sales] : [finance] })
      }),
    )
    const done = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    for (const { status, body } of answers)
      expect([200, 503]).toContain(status === 503 && body.error !== 'ERR_BUSY' ? 0 : status)
    for (const [at, { id }] of folk.entries()) {
      const { name, queueIds, version } = (await marina.call<User>('GET', `/users/${id}`)).body
      const n = Number(name.replace('Vez ', ''))
      const own = done.filter(each => each % folk.length === at)
      expect([own.includes(n), queueIds, version]).toEqual([true, n % 2 ? [sales] : [finance], own.length + 1])
    }
    const queues = (await marina.call<Queue[]>('GET', '/queue')).body
    const [row] = await sql`
      select (payload::jsonb->'queue'->>'users')::int as users from live_event
      where payload like '{"event":"queue"%' and (payload::jsonb->'queue'->>'id')::int = ${sales} order by id desc limit 1`
    expect(row?.users).toBe(queues.find(({ id }) => id === sales)?.users)
  })

  test('a queue that goes away while somebody is given it is not there', async () => {
    const person = await someone()
    const gone = await makeQueue(db, `Some${person.id}`)
    const answer = await whileGoing(gone, () => put<ApiAnswer['body']>(marina, person.id, { queueIds: [gone] }))
    expect([answer.status, answer.body.error]).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
  })

  test('two administrators deactivate each the other’s substitute: both are out, every ticket waits or is somebody’s who is in', async () => {
    const [one, other] = [await someone(), await someone()]
    const tickets = [await aTicketOf(one.id, sales), await aTicketOf(other.id, sales)]
    const answers = await Promise.all([
      put(marina, one.id, { active: false, substitution: [row(sales, other.id)] }),
      put(owner, other.id, { active: false, substitution: [row(sales, one.id)] }),
    ])
    // Who comes second would name somebody who is out by then, and is told so.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const second = answers[0]?.status === 422 ? one : other
    expect((await put(owner, second.id, { active: false })).status).toBe(200)
    expect((await where(...tickets)).map(([status, user]) => [status, user])).toEqual([
      ['pending', null],
      ['pending', null],
    ])
  })
})

/** Asks for something while a queue is being deleted, and lets that end once somebody waits for it. */
async function whileGoing<T>(queueId: number, ask: () => Promise<T>): Promise<T> {
  const reached = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const deleting = db.transaction(async tx => {
    await tx.execute(`delete from queue where id = ${queueId}`)
    locked.resolve()
    await reached.promise
  })
  await locked.promise
  const answer = ask()
  await somebodyWaits()
  reached.resolve()
  await deleting
  return answer
}

function aPicture(): FormData {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const data = new FormData()
  data.append('medias', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'eu.png')
  return data
}
