// A number that is not yet a contact: WhatsApp is asked through the connection, as far as anybody can tell (spec 1 §5).
import { beforeEach, describe, expect, test } from 'bun:test'
import { type SignedInPerson, startDeskServer } from '../desk-server.ts'
import { makeConnection, makePerson } from '../desk-world.ts'
import { waitUntil } from '../until.ts'

const server = await startDeskServer()
const { db } = server

const shop = await makeConnection(db, 'Loja Centro')
await db.$client`update whatsapp set is_default = true, status = 'CONNECTED' where id = ${shop}`
await makePerson(db, { name: 'Bruna', profile: 'user' })
await makePerson(db, { name: 'Novato', profile: 'user' })
await db.$client`update "user" set add_contact = (name = 'Bruna')`
const bruna = await server.as('Bruna')
const novato = await server.as('Novato')

interface Checked {
  readonly exists: boolean | null
  readonly number: string
  readonly contact: { readonly id: number } | null
  readonly error?: string
}

/** Asks while this test answers in the place of the connection's owner. */
async function check(number: string, answer: object | null) {
  const asking = bruna.call<Checked>('GET', `/contacts/check/${number}`)
  await waitUntil(
    'the connection is asked',
    async () => (await db.$client`select 1 from whatsapp_command where state = 'waiting'`).length > 0,
  )
  await db.$client`update whatsapp_command set state = 'done', answer = ${answer === null ? null : JSON.stringify(answer)}::text::jsonb where state = 'waiting'`
  return asking
}

beforeEach(async () => {
  await db.$client`delete from number_check`
})

describe('spec 1 §5: a number is checked on WhatsApp', () => {
  test('it is there, perhaps under the other spelling', async () => {
    const { body } = await check('5531971023345', { jid: '553171023345@s.whatsapp.net', group: false })
    expect(body).toEqual({ exists: true, number: '553171023345', contact: null })
  })

  test('it is not', async () => {
    expect((await check('5531900000001', null)).body).toMatchObject({ exists: false, contact: null })
  })

  test('nobody can tell on the official API, which has no such question', async () => {
    const official = await makeConnection(db, 'Oficial', 'cloud_api')
    const answer = await bruna.call<Checked>('GET', `/contacts/check/5531900000001?whatsappId=${official}`)
    expect(answer.body.exists).toBeNull()
  })

  test('spec 1 §8: the check fails where the connection errs or is down', async () => {
    const asking = bruna.call<Checked>('GET', '/contacts/check/5531900000001')
    const waiting = () => db.$client`select 1 from whatsapp_command where state = 'waiting'`
    await waitUntil('the connection is asked', async () => (await waiting()).length > 0)
    await db.$client`update whatsapp_command set state = 'failed', error = 'timeout' where state = 'waiting'`
    const erred = await asking
    expect([erred.status, erred.body.error]).toEqual([502, 'ERR_WAPP_CHECK_CONTACT'])
    await db.$client`update whatsapp set status = 'DISCONNECTED' where id = ${shop}`
    const down = await bruna.call<Checked>('GET', '/contacts/check/5531900000001')
    expect([down.status, down.body.error]).toEqual([502, 'ERR_WAPP_CHECK_CONTACT'])
  })

  test('one of ours has it already, whichever spelling is asked for', async () => {
    const added = await bruna.call<{ id: number }>('POST', '/contacts', {
      name: 'Mercearia',
      number: '5531971023345',
      email: '',
    })
    expect(added.status).toBe(201)
    const { body } = await bruna.call<Checked>('GET', '/contacts/check/553171023345')
    expect(body.contact?.id).toBe(added.body.id)
    for (const pasted of [
      '\u202a+55 31 97102\u20113345',
      '31/97102-3345',
      'https://wa.me/5531971023345',
      'tel:+5531971023345',
    ]) {
      const answer = await bruna.call<Checked>('GET', `/contacts/check/${encodeURIComponent(pasted)}`)
      expect([pasted, answer.body.contact?.id]).toEqual([pasted, added.body.id])
    }
  })

  test('needs the right addContact, and a phone', async () => {
    expect((await novato.call<Checked>('GET', '/contacts/check/5531900000001')).body.error).toBe('ERR_NO_PERMISSION')
    expect((await bruna.call<Checked>('GET', '/contacts/check/12')).body.error).toBe('ERR_VALIDATION')
  })
})

describe('WhatsApp is not asked so often that it blocks the number', () => {
  const aNumber = (n: number) => `55319${String(80_000_000 + n)}`

  test('one person asks ten times in a minute, however many questions come at once, and is told how long to wait', async () => {
    await connected()
    const answering = answerAll()
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(bruna, aNumber(n))))
    expect(tally(all.map(one => one.status))).toEqual({ 200: 10, 429: 20 })
    const refused = all.find(one => one.status === 429)
    expect(refused?.body.error).toBe('ERR_TOO_MANY_ATTEMPTS')
    expect(Number(refused?.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(await answering.end()).toBe(10)
  })

  test('over one connection all together ask twenty times; another connection has a pace of its own', async () => {
    await connected()
    const answering = answerAll()
    const colleagues = await Promise.all(['Ana', 'Davi', 'Elisa'].map(who => aColleague(who)))
    const all = await Promise.all(
      colleagues.flatMap((who, at) => Array.from({ length: 8 }, (_, n) => ask(who, aNumber(100 + at * 10 + n)))),
    )
    expect(tally(all.map(one => one.status))).toEqual({ 200: 20, 429: 4 })
    const branch = await makeConnection(db, 'Filial')
    await db.$client`update whatsapp set status = 'CONNECTED' where id = ${branch}`
    expect((await ask(bruna, aNumber(200), branch)).status).toBe(200)
    await answering.end()
  })

  test('slowly too it stays within an hour: forty by one person, a hundred and twenty over one connection', async () => {
    await connected()
    const [me] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Bruna'`
    const countChecks = (userId: number | null, times: number) => db.$client`
      insert into number_check (whatsapp_id, user_id, number, asked_at)
      select ${shop}, ${userId}, '551130' || n, now() - interval '59 minutes' + n * interval '1 second' from generate_series(1, ${times}::int) n`
    for (const [userId, times] of [
      [me?.id ?? 0, 40],
      [null, 120],
    ] as const) {
      await db.$client`delete from number_check`
      await countChecks(userId, times)
      const refused = await ask(bruna, aNumber(300))
      expect([refused.status, refused.body.error]).toEqual([429, 'ERR_TOO_MANY_ATTEMPTS'])
    }
  })

  test('a question asked before is answered from memory, in either spelling, and costs nothing', async () => {
    await connected()
    const answering = answerAll()
    for (let n = 0; n < 15; n++) expect((await ask(bruna, '5531971023346')).body.exists).toBe(true)
    expect((await ask(bruna, '553171023346')).body.exists).toBe(true)
    expect(await answering.end()).toBe(1)
  })
})

async function connected(): Promise<void> {
  await db.$client`update whatsapp set status = 'CONNECTED' where id = ${shop}`
}

async function aColleague(name: string): Promise<SignedInPerson> {
  await makePerson(db, { name, profile: 'user' })
  await db.$client`update "user" set add_contact = true where name = ${name}`
  return server.as(name)
}

function ask(person: SignedInPerson, number: string, whatsappId = shop) {
  return person.call<Checked>('GET', `/contacts/check/${number}?whatsappId=${whatsappId}`)
}

/** Answers in the place of the owners that every number is there; gives in the end how often they were asked. */
function answerAll() {
  let [asked, ended] = [0, false]
  const answering = waitUntil(
    'nobody asks any more',
    async () => {
      const answered = await db.$client`
        update whatsapp_command set state = 'done', answer = jsonb_build_object('jid', argument || '@s.whatsapp.net', 'group', false)
        where state = 'waiting' and command = 'check'`
      asked += answered.count
      return ended
    },
    60_000,
  )
  return {
    async end(): Promise<number> {
      ended = true
      await answering
      return asked
    },
  }
}

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
