// When two names are one person: a phone is lent, an account is not.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { LogAction } from '@balcao/contract'
import { listContacts } from '../src/desk/contacts/list.ts'
import type { PersonNames } from '../src/platform/channel/driver.ts'
import { createTestDatabase } from './database.ts'
import { makeInbox, makeMessageEvent, makePeer } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const { take, empty } = await makeInbox(db)
const official = await makeInbox(db, 'cloud_api')

const PHONE = '5531985554444'
const NEW_PHONE = '5531990001111'

beforeEach(empty)

/** What each contact said, oldest contact first; those that were merged away left out. */
async function conversations(): Promise<string[][]> {
  const rows = await sql<{ contact_id: number; body: string }[]>`
    select m.contact_id, m.body from message m join contact c on c.id = m.contact_id and c.merged_into is null
    where m.media_type <> 'system' order by m.contact_id, m.id`
  return [...Map.groupBy(rows, row => row.contact_id).values()].map(list => list.map(row => row.body))
}

async function found(number: string): Promise<number> {
  return (await listContacts(db, { searchParam: number })).contacts.length
}

const logged = async (action: LogAction) => (await sql`select 1 from log_entry where action = ${action}`).length

describe('a number that another person has now', () => {
  test("who is known already by another account takes it too: it finds both, and what comes from it is the new one's", async () => {
    await take(makeMessageEvent(makePeer({ lid: '222' }), 'oi'))
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'meu exame deu positivo'))
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '222' }), 'comprei este chip'))
    await take(makeMessageEvent(makePeer({ pn: PHONE }), 'ainda eu'))
    expect(await conversations()).toEqual([['oi', 'comprei este chip', 'ainda eu'], ['meu exame deu positivo']])
    expect((await sql`select number from contact order by id`).map(row => row.number)).toEqual([PHONE, null])
    expect([await found(PHONE), await logged('contact.lostNumber')]).toEqual([2, 1])
  })

  const accounts: [string, PersonNames, PersonNames][] = [
    ['LID', { lid: '111' }, { lid: '222' }],
    ['BSUID', { bsuid: 'BR.1' }, { bsuid: 'BR.2' }],
  ]
  for (const [kind, former, present] of accounts)
    test(`another ${kind} on the same phone is another person: the conversation is neither continued nor shown`, async () => {
      const inbox = kind === 'LID' ? { take } : official
      await inbox.take(
        makeMessageEvent(makePeer({ pn: PHONE, ...former }), 'meu exame deu positivo', { name: 'Antiga' }),
      )
      await inbox.take(makeMessageEvent(makePeer({ pn: PHONE, ...present }), 'oi, comprei este chip', { name: 'Nova' }))
      await inbox.take(makeMessageEvent(makePeer({ pn: PHONE }), 'ainda eu'))
      expect(await conversations()).toEqual([['meu exame deu positivo'], ['oi, comprei este chip', 'ainda eu']])
      const rows =
        await sql`select c.name, c.number, t.status from ticket t join contact c on c.id = t.contact_id order by c.id`
      expect([...rows]).toEqual([
        { name: 'Antiga', number: null, status: 'pending' },
        { name: 'Nova', number: PHONE, status: 'pending' },
      ])
      expect(await logged('contact.lostNumber')).toBe(1)
    })

  test('nothing goes to the number from the former owner’s conversation any more, and both are found by it', async () => {
    await official.take(makeMessageEvent(makePeer({ pn: PHONE, bsuid: 'BR.1' }), 'oi'))
    await sql`update contact_channel set jid = ${PHONE}`
    await official.take(makeMessageEvent(makePeer({ pn: PHONE, bsuid: 'BR.2' }), 'oi'))
    const rows = await sql`
      select ch.jid from contact_channel ch join contact_identity i on i.contact_id = ch.contact_id and i.value = 'BR.1'`
    expect(rows.map(row => row.jid)).toEqual([])
    expect(await found(PHONE)).toBe(2)
  })

  test('word of somebody who does not write takes no number from anybody', async () => {
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'oi'))
    await take(makeMessageEvent(makePeer({ lid: '222' }), 'oi'))
    await take({ type: 'identity', pn: PHONE, lid: '222@lid' })
    await take({ type: 'contact', peer: makePeer({ pn: PHONE, lid: '222' }), name: 'X', source: 'push' })
    await take(makeMessageEvent(makePeer({ pn: PHONE }), 'eu ainda'))
    expect(await conversations()).toEqual([['oi', 'eu ainda'], ['oi']])
  })

  test('who was known by the phone alone is the account that shows up on it', async () => {
    await take(makeMessageEvent(makePeer({ pn: PHONE }), 'oi'))
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'oi de novo'))
    await official.take(makeMessageEvent(makePeer({ pn: PHONE, bsuid: 'BR.1' }), 'pela API oficial'))
    expect(await conversations()).toEqual([['oi', 'oi de novo', 'pela API oficial']])
  })

  test('a repeat of the former owner’s message, and of the new one’s, changes nothing', async () => {
    const before = makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'antes')
    const after = makeMessageEvent(makePeer({ pn: PHONE, lid: '222' }), 'depois')
    await take(before, after)
    await take(before)
    await take(after, makeMessageEvent(makePeer({ pn: PHONE }), 'eu'))
    expect(await conversations()).toEqual([['antes'], ['depois', 'eu']])
  })
})

describe('a person who has another number now', () => {
  const moved = (from: PersonNames, to: PersonNames) => ({ type: 'moved', id: `N${Date.now()}`, from, to }) as const
  const cases: [string, PersonNames, PersonNames, PersonNames][] = [
    ['told without ids', { pn: PHONE }, { pn: PHONE }, { pn: NEW_PHONE }],
    ['whose id we know', { pn: PHONE, bsuid: 'BR.1' }, { pn: PHONE }, { pn: NEW_PHONE }],
    [
      'told with both ids',
      { pn: PHONE, bsuid: 'BR.1' },
      { pn: PHONE, bsuid: 'BR.1' },
      { pn: NEW_PHONE, bsuid: 'BR.2' },
    ],
    [
      'told by hidden addresses',
      { pn: PHONE, lid: '111' },
      { pn: PHONE, lid: '111@lid' },
      { pn: NEW_PHONE, lid: '222@lid' },
    ],
  ]
  for (const [name, known, from, to] of cases)
    test(`${name}: one contact, one conversation, and the old number finds it`, async () => {
      await official.take(makeMessageEvent(makePeer(known), 'do número antigo'))
      await official.take(moved(from, to))
      await official.take(makeMessageEvent({ jid: NEW_PHONE, ...to, group: false }, 'do número novo'))
      expect(await conversations()).toEqual([['do número antigo', 'do número novo']])
      expect((await sql`select 1 from ticket`).length).toBe(1)
      const lines = await sql`select system from message where media_type = 'system'`
      expect(lines.map(row => row.system)).toEqual([{ code: 'moved', params: { number: '+55 31 99000-1111' } }])
      const { contacts } = await listContacts(db, { searchParam: PHONE })
      expect(contacts.map(contact => contact.number)).toEqual([NEW_PHONE])
      expect(contacts[0]?.numbers).toContain(PHONE)
      expect(await logged('contact.newNumber')).toBe(1)
    })

  test('who wrote from the new number before it was told is the same one', async () => {
    await official.take(makeMessageEvent(makePeer({ pn: PHONE, bsuid: 'BR.1' }), 'antes'))
    await official.take(makeMessageEvent(makePeer({ pn: NEW_PHONE, bsuid: 'BR.2' }), 'depois'))
    await official.take(moved({ pn: PHONE, bsuid: 'BR.1' }, { pn: NEW_PHONE, bsuid: 'BR.2' }))
    expect((await conversations()).map(list => list.toSorted())).toEqual([['antes', 'depois']])
    expect(await logged('contact.merge')).toBe(1)
  })

  test('the one whose number it was before keeps his conversation', async () => {
    await official.take(makeMessageEvent(makePeer({ pn: PHONE, bsuid: 'BR.1' }), 'quem muda'))
    await official.take(makeMessageEvent(makePeer({ pn: NEW_PHONE, bsuid: 'BR.9' }), 'quem tinha o número'))
    await official.take(moved({ pn: PHONE }, { pn: NEW_PHONE }))
    await official.take(makeMessageEvent(makePeer({ pn: NEW_PHONE }), 'quem mudou'))
    expect(await conversations()).toEqual([['quem muda', 'quem mudou'], ['quem tinha o número']])
  })

  test('what comes from the number that was left is another person’s', async () => {
    await official.take(makeMessageEvent(makePeer({ pn: PHONE }), 'antes'))
    await official.take(moved({ pn: PHONE }, { pn: NEW_PHONE }))
    await official.take(makeMessageEvent(makePeer({ pn: PHONE, bsuid: 'BR.9' }), 'sou outra pessoa'))
    expect(await conversations()).toEqual([['antes'], ['sou outra pessoa']])
    expect(await found(PHONE)).toBe(2)
  })

  test('an account that writes from another number has moved to it', async () => {
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'antes'))
    await take(makeMessageEvent(makePeer({ pn: NEW_PHONE, lid: '111' }), 'depois'))
    expect(await conversations()).toEqual([['antes', 'depois']])
    const [contact] = (await listContacts(db, { searchParam: PHONE })).contacts
    expect([contact?.number, contact?.numbers.toSorted()]).toEqual([
      NEW_PHONE,
      ['553185554444', '553190001111', PHONE, NEW_PHONE],
    ])
  })

  test('what the team wrote down as another number of an account stays', async () => {
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'antes'))
    const [contact] = await sql<{ id: number }[]>`update contact set number = ${NEW_PHONE} returning id`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${NEW_PHONE}, ${contact?.id ?? 0})`
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'depois'))
    expect((await sql`select number from contact`).map(row => row.number)).toEqual([NEW_PHONE])
    expect(await logged('contact.newNumber')).toBe(0)
  })

  test('an account that writes from a number of which only the phone was known takes that contact along', async () => {
    await take(
      makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'antes'),
      makeMessageEvent(makePeer({ pn: NEW_PHONE }), 'sem conta'),
    )
    await take(makeMessageEvent(makePeer({ pn: NEW_PHONE, lid: '111' }), 'depois'))
    expect(await conversations()).toEqual([['antes', 'sem conta', 'depois']])
    expect((await listContacts(db, { searchParam: PHONE })).contacts.map(one => one.number)).toEqual([NEW_PHONE])
  })

  test('of somebody we do not know it is nothing to us', async () => {
    await official.take(moved({ pn: PHONE }, { pn: NEW_PHONE }))
    expect((await sql`select 1 from contact`).length).toBe(0)
  })
})

describe('a message from before a change of number that comes after it', () => {
  const MINUTE = 60_000
  const address = async (body: string) => {
    const [row] = await sql<{ jid: string; number: string }[]>`
      select h.jid, c.number from message m join contact c on c.id = m.contact_id
        join contact_channel h on h.contact_id = c.id and h.whatsapp_id = m.whatsapp_id where m.body = ${body}`
    return row
  }
  const atMeta = (names: PersonNames) => ({ jid: names.pn ?? '', ...names, group: false })

  test('turns no address back: the next answer goes to the new number', async () => {
    const now = Date.now()
    await official.take(makeMessageEvent(atMeta({ pn: PHONE, bsuid: 'BR.1' }), 'antes', { at: now - 9 * MINUTE }))
    await official.take(makeMessageEvent(atMeta({ pn: NEW_PHONE, bsuid: 'BR.1' }), 'depois', { at: now - 2 * MINUTE }))
    await official.take(makeMessageEvent(atMeta({ pn: PHONE, bsuid: 'BR.1' }), 'atrasada', { at: now - 5 * MINUTE }))
    expect(await conversations()).toEqual([['antes', 'depois', 'atrasada']])
    expect(await address('atrasada')).toEqual({ jid: NEW_PHONE, number: NEW_PHONE })
    expect(await logged('contact.newNumber')).toBe(1)
    await official.take(makeMessageEvent(atMeta({ pn: PHONE, bsuid: 'BR.1' }), 'de volta', { at: now }))
    expect(await address('de volta')).toEqual({ jid: PHONE, number: PHONE })
  })

  test('whatever order one batch has them in', async () => {
    const now = Date.now()
    await official.take(
      makeMessageEvent(atMeta({ pn: NEW_PHONE, bsuid: 'BR.1' }), 'depois', { at: now - 2 * MINUTE }),
      makeMessageEvent(atMeta({ pn: PHONE, bsuid: 'BR.1' }), 'atrasada', { at: now - 5 * MINUTE }),
    )
    expect(await address('atrasada')).toEqual({ jid: NEW_PHONE, number: NEW_PHONE })
  })

  test('also where the provider told of the change, and where the phone alone is shown', async () => {
    const now = Date.now()
    await official.take(makeMessageEvent(atMeta({ pn: PHONE }), 'antes', { at: now - 9 * MINUTE }))
    const move = { type: 'moved', id: 'N1', at: now - 4 * MINUTE, from: { pn: PHONE }, to: { pn: NEW_PHONE } } as const
    await official.take(move)
    await official.take(makeMessageEvent(atMeta({ pn: PHONE }), 'atrasada', { at: now - 5 * MINUTE }))
    expect(await conversations()).toEqual([['antes', 'atrasada']])
    expect(await address('atrasada')).toEqual({ jid: NEW_PHONE, number: NEW_PHONE })
    await official.take(makeMessageEvent(atMeta({ pn: PHONE }), 'sou outra pessoa', { at: now - MINUTE }))
    expect(await conversations()).toEqual([['antes', 'atrasada'], ['sou outra pessoa']])
    await official.take(makeMessageEvent(atMeta({ pn: PHONE }), 'mais atrasada', { at: now - 6 * MINUTE }))
    expect(await conversations()).toEqual([['antes', 'atrasada', 'mais atrasada'], ['sou outra pessoa']])
  })

  test('takes no number from who has it by now', async () => {
    const now = Date.now()
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'antes', { at: now - 9 * MINUTE }))
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '222' }), 'comprei este chip', { at: now - 3 * MINUTE }))
    await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'atrasada', { at: now - 5 * MINUTE }))
    await take(makeMessageEvent(makePeer({ pn: PHONE }), 'ainda eu', { at: now }))
    expect(await conversations()).toEqual([
      ['antes', 'atrasada'],
      ['comprei este chip', 'ainda eu'],
    ])
    expect(await logged('contact.lostNumber')).toBe(1)
  })

  test('what was kept of the past, told newest first, moves nobody', async () => {
    const now = Date.now()
    const past = { past: true, replay: true } as const
    await take(makeMessageEvent(makePeer({ pn: NEW_PHONE, lid: '111' }), 'hoje', { at: now }))
    await take({
      ...makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'há um ano', { at: now - 365 * 24 * 60 * MINUTE }),
      ...past,
    })
    expect((await sql`select number from contact`).map(row => row.number)).toEqual([NEW_PHONE])
    expect(await logged('contact.newNumber')).toBe(0)
  })
})

test('a merge is in the activity log, with the names that came along', async () => {
  await take(
    makeMessageEvent(makePeer({ pn: PHONE }), 'pelo número'),
    makeMessageEvent(makePeer({ lid: '555' }), 'pelo LID'),
  )
  await take({ type: 'identity', pn: PHONE, lid: '555@lid' })
  const [entry] = await sql`select contact_id, params from log_entry where action = 'contact.merge'`
  const [survivor] = await sql`select id from contact where merged_into is null`
  expect(entry?.contact_id).toBe(survivor?.id)
  expect(entry?.params).toMatchObject({ names: [{ kind: 'lid', value: '555' }] })
})

describe('a number that some write with a sign and others without', () => {
  test.each([
    ['Mexico', '525512345678', '5215512345678'],
    ['Mexico, the other way round', '5215512345679', '525512345679'],
    ['Argentina', '541131234567', '5491131234567'],
    ['Argentina, the other way round', '5491131234568', '541131234568'],
    ['Brazil', '553185554444', '5531985554444'],
  ])('is one person’s: %s', async (_, saved, known) => {
    await take(makeMessageEvent(makePeer({ pn: saved }), 'oi'))
    await take(makeMessageEvent(makePeer({ pn: known }), 'sou eu'))
    expect(await conversations()).toEqual([['oi', 'sou eu']])
    expect(await found(known)).toBe(1)
  })

  test('two contacts that stood there before become the older one when the person writes, with both conversations', async () => {
    for (const value of ['525512345678', '5215512345678']) {
      const [made] = await sql<{ id: number }[]>`
        insert into contact (name, number) values ('Lupita', ${value}) returning id`
      await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${value}, ${made?.id ?? 0})`
    }
    await take(makeMessageEvent(makePeer({ pn: '5215512345678' }), 'hola'))
    expect(await conversations()).toEqual([['hola']])
    const rows = await sql<{ number: string; merged_into: number | null }[]>`
      select number, merged_into from contact order by id`
    expect(rows.map(({ merged_into }) => merged_into === null)).toEqual([true, false])
    expect([await found('525512345678'), await found('5215512345678')]).toEqual([1, 1])
  })
})

test('of two that are one person the one with a long history stays: it is not written anew', async () => {
  await take(makeMessageEvent(makePeer({ pn: PHONE }), 'oi'))
  await take(makeMessageEvent(makePeer({ lid: '111' }), 'bom dia'))
  const [older, younger] = (await sql<{ id: number }[]>`select id from contact order by id`).map(({ id }) => id)
  await sql`
    with past as (
      insert into ticket (status, contact_id, whatsapp_id, message_seq, closed_at)
      select 'closed', contact_id, whatsapp_id, 1100, now() from ticket where contact_id = ${younger ?? 0} returning *)
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select id, contact_id, whatsapp_id, 100 + n, now(), false, 'Oi', 'received' from past, generate_series(1, 1000) n`
  const places = async () =>
    (await sql`select id, ctid::text from message where seq > 100 order by id`).map(row => row.ctid)
  const before = await places()
  await take(makeMessageEvent(makePeer({ pn: PHONE, lid: '111' }), 'sou eu'))
  expect(await places()).toEqual(before)
  expect([...(await sql`select id, merged_into from contact order by id`)]).toEqual([
    { id: older, merged_into: younger },
    { id: younger, merged_into: null },
  ])
  expect((await conversations()).map(list => list.filter(body => body !== 'Oi'))).toEqual([['oi', 'bom dia', 'sou eu']])
})
