// Many contacts at once, and who may do it (decisions-2 §22, spec 3 §6).
import { describe, expect, test } from 'bun:test'
import { DELEGATION_COLUMNS } from '@balcao/contract'
import { importContacts, importDelegation } from '../src/desk/contact-sheets/import.ts'
import { isStillAllowed } from '../src/desk/jobs/rights.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { ended, HEADS, makeSheetForm, own, startContactSheetDesk } from './contact-sheet-desk.ts'
import { createBrowser } from './desk-server.ts'
import { makeSession, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import type { Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

const {
  server,
  db,
  url,
  sql,
  queues,
  people,
  whatsappId,
  marina,
  diego,
  contact,
  tag,
  send,
  imported,
  begun,
  contacts,
  names,
} = await startContactSheetDesk()

describe('§22: many contacts at once', () => {
  test('tags are put on those that are named, by everybody, and told', async () => {
    const [one, two, three] = [
      await contact('Ana', '5531986554410'),
      await contact('Beto', '5531986554411'),
      await contact('Caio', '5531986554412'),
    ]
    const vip = await tag('VIP')
    await sql`insert into contact_tag values (${one}, ${vip})`
    const job = await begun('POST', '/contacts/bulk', { ids: [one, two], action: 'tag', tagIds: [vip] }, diego)
    expect(job.result?.counts).toEqual({ changed: 1, kept: 1 })
    expect((await contacts()).map(({ id, tags }) => [id, tags.length])).toEqual([
      [one, 1],
      [two, 1],
      [three, 0],
    ])
    const rows = await sql<
      { payload: string }[]
    >`select payload from live_event where payload like '{"event":"contact"%'`
    expect(rows.map(({ payload }) => JSON.parse(payload).contact)).toEqual(
      (await contacts()).filter(({ id }) => id === two),
    )
    const off = await begun('POST', '/contacts/bulk', { ids: [one, two, three], action: 'untag', tagIds: [vip] }, diego)
    expect(off.result?.counts).toEqual({ changed: 2, kept: 1 })
  })

  test('all that a search finds, and nobody who comes later', async () => {
    await sql`
      insert into contact (name, name_source, number)
      select case when n % 2 = 1 then 'Padaria ' else 'Oficina ' end || n, 'manual', (5531980000000 + n)::text from generate_series(0, 699) n`
    const vip = await tag('VIP')
    // Somebody holds one of the first while others come: the work waits in its first batch.
    const { job, late } = await db.transaction(async tx => {
      await getSql(tx)`select 1 from contact where name = 'Padaria 1' for update`
      const job = begun('POST', '/contacts/bulk', { searchParam: 'padaria', action: 'tag', tagIds: [vip] })
      await waitUntil('it waits', async () => (await countLockWaits(sql)) > 0)
      return { job, late: await contact('Padaria que veio depois', '5531977770000') }
    })
    expect((await job).state).toBe('done')
    expect([...(await sql`select 1 from contact_tag where contact_id = ${late}`)]).toEqual([])
    await sql`delete from contact where id = ${late}`
    expect(await job).toMatchObject({ state: 'done', done: 350, total: 350 })
    const [count] =
      await sql`select count(*)::int as n from contact_tag t join contact c on c.id = t.contact_id where c.name like 'Padaria%'`
    expect([count?.n, (await job).result?.counts.changed]).toEqual([350, 350])
    const everybody = await begun('POST', '/contacts/bulk', { searchParam: '', action: 'tag', tagIds: [vip] })
    expect(everybody.result?.counts).toEqual({ changed: 350, kept: 350 })
  })

  test('one person for a queue, and nobody', async () => {
    const [one, two] = [await contact('Ana', '5531986554410'), await contact('Beto', '5531986554411')]
    const give = { ids: [one, two], action: 'delegate', queueId: queues.sales, userId: people.bruna }
    expect((await begun('POST', '/contacts/bulk', give)).result?.counts).toEqual({ changed: 2, kept: 0 })
    expect((await contacts()).map(({ redirect }) => redirect)).toEqual([
      [{ queueId: queues.sales, userId: people.bruna }],
      [{ queueId: queues.sales, userId: people.bruna }],
    ])
    expect((await begun('POST', '/contacts/bulk', { ...give, userId: null })).result?.counts).toMatchObject({
      changed: 2,
    })
    expect((await contacts()).flatMap(({ redirect }) => redirect)).toEqual([])
    const unlinked = await marina.call('POST', '/contacts/bulk', {
      ...give,
      queueId: queues.finance,
      userId: people.marina,
    })
    expect(unlinked.body.error).toBe('ERR_USER_NO_LINKED_IN_QUEUE')
  })

  test('deletion takes the conversations along, and leaves who has a protocol', async () => {
    const [one, two] = [await contact('Ana', '5531986554410'), await contact('Beto', '5531986554411')]
    const long = await makeTicket(db, { contactId: one, whatsappId, status: 'open', userId: people.bruna })
    // More than goes at once.
    await sql`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select id, contact_id, whatsapp_id, n, now(), false, 'Oi', 'received' from ticket cross join generate_series(1, 1400) n where id = ${long}`
    const ticket = await makeTicket(db, { contactId: two, whatsappId, status: 'closed' })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('2026', ${ticket}, ${two})`
    const body = { ids: [one, two, 999_999], action: 'delete' }
    const looked = await marina.call('POST', '/contacts/bulk?preview=true', body)
    expect([looked.status, looked.body]).toEqual([200, { contacts: 2, tickets: 1, kept: 1 }])
    expect(await names()).toHaveLength(2)
    const job = await begun('POST', '/contacts/bulk', body)
    expect(job.result?.counts).toEqual({ changed: 1, kept: 1 })
    expect(await names()).toEqual(['Beto'])
    expect(await sql`select 1 from ticket`).toHaveLength(1)
  })

  test('what a search finds is looked up once, not for each that is deleted', async () => {
    const [first, , last] = [
      await contact('Padaria 1', '5531986554410'),
      await contact('Padaria 2', '5531986554411'),
      await contact('Padaria 3', '5531986554412'),
    ]
    const job = await db.transaction(async tx => {
      await getSql(tx)`select 1 from contact where id = ${first} for update`
      const job = begun('POST', '/contacts/bulk', { searchParam: 'padaria', action: 'delete' })
      await waitUntil('it waits', async () => (await countLockWaits(sql)) > 0)
      await sql`update contact set name = 'Oficina' where id = ${last}`
      return { job }
    })
    expect((await job.job).result?.counts).toEqual({ changed: 3, kept: 0 })
  })

  test('what hangs on them is told only to who may delete them', async () => {
    const one = await contact('Ana', '5531986554410')
    const ticket = await makeTicket(db, { contactId: one, whatsappId, status: 'closed' })
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('2026', ${ticket}, ${one})`
    const body = { ids: [one], action: 'tag', tagIds: [await tag('VIP')] }
    const looked = await diego.call('POST', '/contacts/bulk?preview=true', body)
    expect([looked.status, looked.body]).toEqual([200, { contacts: 1, tickets: 0, kept: 0 }])
  })

  test('says what is missing', async () => {
    const refusal = async (body: object) => {
      const { status, body: said } = await marina.call('POST', '/contacts/bulk', body)
      return [status, said.error]
    }
    expect(await refusal({ action: 'tag', tagIds: [1] })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [], action: 'delete' })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [1], action: 'tag' })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [1], action: 'tag', tagIds: [999_999] })).toEqual([404, 'ERR_NO_TAG_FOUND'])
    expect(await refusal({ searchParam: 'ab', action: 'delete' })).toEqual([422, 'ERR_VALIDATION'])
    expect(await refusal({ ids: [1], action: 'delegate', queueId: 999_999, userId: null })).toEqual([
      404,
      'ERR_NO_QUEUE_FOUND',
    ])
    expect(await refusal({ ids: [1], action: 'delegate', queueId: queues.sales, userId: 999_999 })).toEqual([
      404,
      'ERR_NO_USER_FOUND',
    ])
  })
})

describe('spec 3 §6: who may', () => {
  test('who lacks the flag is refused at every door', async () => {
    const one = await contact('Ana', '5531986554410')
    const calls: [string, string, unknown?][] = [
      ['POST', '/contacts/import', makeSheetForm([HEADS, ['Ana', '31986554410']])],
      ['POST', '/contacts/import?preview=true', makeSheetForm([HEADS, ['Ana', '31986554410']])],
      ['POST', '/contacts/import'],
      ['GET', '/contacts/import/template'],
      ['POST', '/contacts/export'],
      ['POST', '/contacts/delegation', makeSheetForm([[...DELEGATION_COLUMNS]])],
      ['GET', '/contacts/delegation/template'],
      ['POST', '/contacts/export/delegation'],
      ['POST', '/contacts/clear', { confirm: 'APAGAR' }],
      ['POST', '/contacts/clear?preview=true', {}],
      ['POST', '/contacts/bulk', { ids: [one], action: 'delete' }],
      ['POST', '/contacts/bulk?preview=true', { ids: [one], action: 'delete' }],
      ['POST', '/contacts/bulk', { ids: [one], action: 'delegate', queueId: queues.sales, userId: people.bruna }],
    ]
    for (const [method, path, body] of calls) {
      const { status, body: said } = await diego.call(method, path, body)
      expect([method, path, status, said.error]).toEqual([method, path, 403, 'ERR_NO_PERMISSION'])
    }
    expect(await names()).toEqual(['Ana'])
  })

  test.each([
    ['contacts.import', 'edit_contact'],
    ['contacts.phone', 'edit_contact'],
    ['contacts.export', 'edit_contact'],
    ['contacts.assign', 'edit_contact'],
    ['contacts.delegation', 'add_contact'],
    ['contacts.exportDelegation', 'add_contact'],
    ['contacts.clear', 'del_contact'],
    ['contacts.remove', 'del_contact'],
    ['contacts.tag', null],
  ])('%s goes on, and is had, only as long as there is the flag %p, and nobody has left', async (kind, flag) => {
    const may = () => isStillAllowed(db, { kind, params: {} }, people.diego)
    const set = (column: string, value: boolean) =>
      sql`update "user" set ${sql(column)} = ${value} where id = ${people.diego}`
    expect(await may()).toBe(flag === null)
    if (flag) await set(flag, true)
    expect(await may()).toBe(true)
    await set('active', false)
    expect(await may()).toBe(false)
    await set('active', true)
    if (flag) await set(flag, false)
  })

  test('who loses the flag while the sheet comes in is refused when it is there', async () => {
    const session = await makeSession(db, people.marina)
    const lost = { ...session, mayContacts: { add: false, edit: false, del: false } }
    const toRequest = (rows: readonly Cells[]) => ({
      request: new Request(url, { method: 'POST', body: makeSheetForm(rows) }),
      address: '127.0.0.1',
      session,
      admitted: async () => lost,
    })
    const parts = { ...server, ring: () => {} } as unknown as Parts
    const refused = { code: 'ERR_NO_PERMISSION' }
    await expect(importContacts(parts, toRequest([HEADS, ['Ana', '31986554410']]), {})).rejects.toMatchObject(refused)
    await expect(importDelegation(parts, toRequest([[...DELEGATION_COLUMNS]]), {})).rejects.toMatchObject(refused)
    expect(await sql`select 1 from job`).toHaveLength(0)
  })

  test("somebody else's job is nobody's: neither its file nor its wrong rows", async () => {
    const job = await imported([HEADS, ['X', '31 98655-4410']])
    await sql`update "user" set edit_contact = true where name = 'Diego'`
    for (const path of [`/jobs/${job.id}`, `/jobs/${job.id}/errors`]) {
      const { status, body } = await diego.call('GET', path)
      expect([status, body.error]).toEqual([404, 'ERR_NO_JOB_FOUND'])
    }
    await sql`update "user" set edit_contact = false where name = 'Diego'`
    expect((await createBrowser(url).call('GET', `/jobs/${job.id}/errors`)).status).toBe(401)
  })

  test('who lost the flag gets neither the file nor the wrong rows any more, and work that goes on ends', async () => {
    await sql`update "user" set edit_contact = true where name = 'Diego'`
    await contact('Ana', '5531986554410')
    const sheet = await begun('POST', '/contacts/export', undefined, diego)
    expect((await own(diego, sheet.id)).result?.url).toBeString()
    const wrong = await ended(diego, (await send([HEADS, ['X', '31 98655-4410']], '', {}, diego)).body.jobId)
    await sql`update "user" set edit_contact = false where name = 'Diego'`
    expect((await own(diego, sheet.id)).result?.url).toBeNull()
    expect((await diego.call('GET', `/jobs/${wrong.id}/errors`)).body.error).toBe('ERR_NO_PERMISSION')
    // As if it had been taken away between the call and the work.
    const params = {
      action: 'delegate',
      ids: null,
      search: null,
      upTo: 999_999,
      total: 1,
      tagIds: [],
      queueId: queues.sales,
      userId: people.bruna,
    }
    const [row] = await sql<{ id: number }[]>`
      insert into job (kind, user_id, params) values ('contacts.assign', ${people.diego}, ${JSON.stringify(params)}::text::jsonb) returning id`
    await sql`select graphile_worker.add_job('contacts.assign', json_build_object('jobId', ${row?.id ?? 0}::int))`
    expect(await ended(diego, row?.id)).toMatchObject({ state: 'failed', error: 'ERR_NO_PERMISSION' })
    expect((await contacts()).flatMap(({ redirect }) => redirect)).toEqual([])
  })
})
