// A mass send is paused, resumed and cancelled; its table and detail (decisions-2 §15, spec 3 §2).
import { describe, expect, test } from 'bun:test'
import type { MassSend, MergePreview } from '@balcao/contract'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import { makeConnection } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { type List, type Recipients, type Refusal, startMassSendsDesk } from './mass-sends-desk.ts'
import { waitUntil } from './until.ts'

const {
  db,
  sql,
  whatsapp,
  admin,
  rafael,
  aCustomer,
  lucia,
  padaria,
  begin,
  one,
  recipientsOf,
  calculating,
  hand,
  timePasses,
  wentOut,
} = await startMassSendsDesk()

describe('decisions-2 §15: pause, resume and cancel at any moment', () => {
  const put = (id: number, action: string, person = admin) =>
    person.call<MassSend & Refusal>('PUT', `/envioMassa/${id}/${action}`)

  test('while it is calculated: nobody else is frozen, and it goes on behind', async () => {
    const id = await calculating({ contactsIds: [lucia, padaria] })
    expect((await put(id, 'pause', rafael)).body).toMatchObject({ state: 'paused', stateUser: { name: 'Rafael' } })
    await snapshotRecipients(db)
    expect(await sql`select 1 from send_recipient`).toHaveLength(0)
    expect((await put(id, 'resume')).body.state).toBe('calculating')
    await snapshotRecipients(db)
    expect((await one(id)).state).toBe('running')
  })

  test('while it runs: the next gets nothing until it is resumed, and nobody gets it twice', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    expect(await hand()).toBe(0)
    await timePasses()
    await wentOut('sent')
    expect((await put(body.id, 'pause')).status).toBe(200)
    expect(await hand()).toBeNull()
    expect((await put(body.id, 'resume')).body.state).toBe('running')
    expect(await hand()).toBe(0)
    expect(await hand()).toBeNull()
    expect(await sql`select contact_id from outbox order by 1`).toEqual([
      { contact_id: lucia },
      { contact_id: padaria },
    ] as never)
    expect(await one(body.id)).toMatchObject({ state: 'done', enviados: 2, total: 2, endsAt: null })
  })

  test('cancelled: who has not got it gets nothing, and it does not come back', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    expect((await put(body.id, 'cancel')).body).toMatchObject({ state: 'cancelled', stateUser: { name: 'Marina' } })
    expect((await one(body.id)).endedAt).not.toBeNull()
    expect(await hand()).toBeNull()
    for (const action of ['pause', 'resume', 'cancel']) {
      const { status, body: refusal } = await put(body.id, action)
      expect([status, refusal.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
    }
    expect((await admin.call('PUT', `/envioMassa/${body.id}`, { mensagem: 'outra' })).status).toBe(409)
    const actions = await sql`select action from log_entry order by id desc limit 2`
    expect(actions.map(row => row.action)).toEqual(['send.cancel', 'send.create'])
  })

  test('whoever waited when a send was cancelled waits no more, in its list, its numbers, by each state and in a merge', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    const before = await recipientsOf(body.id)
    expect(before.recipients.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    await put(body.id, 'cancel')
    const { recipients, count } = await recipientsOf(body.id)
    expect([recipients.map(({ state }) => state), count]).toEqual([['cancelled', 'cancelled'], 2])
    const { endedAt, counts } = await one(body.id)
    expect(recipients.every(({ at }) => at === endedAt)).toBe(true)
    expect(counts).toMatchObject({ waiting: 0, cancelled: 2 })
    expect(await recipientsOf(body.id, '?state=waiting')).toMatchObject({ recipients: [], count: 0 })
    const page = await recipientsOf(body.id, '?state=cancelled&limit=1')
    expect([page.recipients.length, page.count, page.hasMore]).toEqual([1, 2, true])
    const rest = await recipientsOf(body.id, `?state=cancelled&limit=1&cursor=${page.nextCursor}`)
    expect([...page.recipients, ...rest.recipients].map(({ id }) => id)).toEqual(before.recipients.map(({ id }) => id))
    const [from, into] = recipients.map(({ contact }) => contact.id)
    const { body: merge } = await admin.call<MergePreview>('GET', `/contacts/${into}/merge/${from}`)
    expect(merge.sends).toBe(0)
  })

  test('of two at once, one who cancels and one who resumes, the later is told; it stays cancelled', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await put(id, 'pause')
    const [resumed] = await sql.begin(async tx => {
      await tx`update send set state = 'cancelled', ended_at = now() where id = ${id}`
      const begun = put(id, 'resume', rafael)
      await waitUntil('it waits for the other', async () => (await countLockWaits(sql)) === 1)
      return [begun]
    })
    expect((await resumed)?.status).toBe(409)
    expect((await one(id)).state).toBe('cancelled')
    expect(await hand()).toBeNull()
  })

  test('one that is done does not go on, and is neither paused nor cancelled', async () => {
    const { body } = await begin({ contactsIds: String(lucia) })
    await snapshotRecipients(db)
    expect(await hand()).toBe(0)
    expect((await one(body.id)).state).toBe('done')
    for (const action of ['pause', 'resume', 'cancel'])
      expect([action, (await put(body.id, action)).status]).toEqual([action, 409])
    expect((await one(body.id)).state).toBe('done')
  })

  test('resumed after too many failures, those of before do not stop it again', async () => {
    const more = await Promise.all(Array.from({ length: 5 }, (_, n) => aCustomer(`Cliente ${n}`)))
    const { id } = (await begin({ contactsIds: [lucia, padaria, ...more].join(',') })).body
    await snapshotRecipients(db)
    for (let n = 0; n < 5; n++) {
      expect(await hand()).toBe(0)
      await wentOut('failed')
      await timePasses()
    }
    expect(await hand()).toBeNull()
    expect(await one(id)).toMatchObject({ state: 'stopped', stateReason: 'failures' })
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'running', stateReason: null })
    expect(await hand()).toBe(0)
  })

  test('one that nobody waits for any more is done when it is resumed', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await sql`update send set state = 'stopped', state_reason = 'failures'`
    await sql`delete from send_recipient`
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'done', endedAt: expect.any(String) })
  })

  test('resumed while its connection is down it waits for it', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await put(id, 'pause')
    await sql`update whatsapp set status = 'DISCONNECTED' where id = ${whatsapp}`
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'waiting', stateReason: 'disconnected' })
    await sql`update whatsapp set status = 'CONNECTED' where id = ${whatsapp}`
  })

  test('one whose connection was deleted does not go on, whoever had paused it; it may be put away', async () => {
    const brief = await makeConnection(db, 'Por um dia')
    const { id } = (await begin({ whatsappId: brief })).body
    await snapshotRecipients(db)
    expect((await put(id, 'pause')).body.stateUser).toMatchObject({ name: 'Marina' })
    await admin.call('DELETE', `/whatsapp/${brief}?force=true`)
    expect(await one(id)).toMatchObject({ state: 'stopped', stateReason: 'connection_deleted', stateUser: null })
    const refused = await put(id, 'resume')
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_INVALID_TRANSITION'])
    expect((await put(id, 'cancel')).body.state).toBe('cancelled')
  })

  test('what waits for its hour goes on when it need not keep to hours any more; nothing to say is refused', async () => {
    const { id } = (await begin({ onlyWorkingHours: true })).body
    await snapshotRecipients(db)
    await sql`update send set state = 'waiting', state_reason = 'working_hours', not_before = now() + interval '9 hours'`
    const before = (await one(id)).version
    const { body, status } = await admin.call<MassSend>('PUT', `/envioMassa/${id}`, { onlyWorkingHours: false })
    expect([status, body.onlyWorkingHours, body.version > before]).toEqual([200, false, true])
    expect(await hand()).toBe(0)
    const refused = await admin.call<Refusal>('PUT', `/envioMassa/${id}`, { mensagem: ' ' })
    expect([refused.status, refused.body.details?.[0]?.code]).toEqual([422, 'messageRequired'])
    expect((await one(id)).mensagem).toBe('Chegou a farinha, {{name}}!')
  })

  test('what is said to those who still wait may be changed; of two who change it the older form is told', async () => {
    const { body } = await begin()
    await snapshotRecipients(db)
    await hand()
    await timePasses()
    await wentOut('sent')
    const stale = await admin.call<Refusal>('PUT', `/envioMassa/${body.id}`, { mensagem: 'x', version: 1 })
    expect([stale.status, stale.body.error]).toEqual([409, 'ERR_CHANGED_MEANWHILE'])
    const { version } = await one(body.id)
    expect((await admin.call('PUT', `/envioMassa/${body.id}`, { mensagem: 'Acabou, {{name}}', version })).status).toBe(
      200,
    )
    await hand()
    const rows = await sql`select body from message where from_me order by id desc limit 2`
    expect(rows.map(row => row.body)).toEqual(['Acabou, Padaria Estrela', 'Chegou a farinha, Dona Lúcia!'])
  })
})

describe('spec 3 §2: the table and the detail', () => {
  test('is newest first, by how they stand, in pages', async () => {
    const ids: number[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await begin()).body.id)
    await snapshotRecipients(db)
    await admin.call('PUT', `/envioMassa/${ids[0]}/pause`)
    await admin.call('PUT', `/envioMassa/${ids[1]}/cancel`)
    const list = async (query: string) => (await admin.call<List>('GET', `/envioMassa?${query}`)).body
    const all = await list('limit=3')
    expect(all.envios.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(all.counts).toEqual({ all: 5, active: 3, stopped: 1, ended: 1 })
    expect((await list(`limit=3&cursor=${all.nextCursor}`)).envios.map(({ id }) => id)).toEqual(ids.slice(3))
    expect((await list('show=active')).envios.map(({ id }) => id)).toEqual(ids.slice(2))
    expect((await list('show=stopped')).envios.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    expect((await list('show=ended')).envios.map(({ id }) => id)).toEqual(ids.slice(1, 2))
    // A page shows of each what it shows by itself.
    const { counts: _, excluded: __, last: ___, contacts: ____, tags: _____, ...whole } = await one(ids[2] ?? 0)
    const { endsAt: a, ...listed } = (await list('')).envios.find(({ id }) => id === ids[2]) ?? { endsAt: null }
    const { endsAt: b, ...single } = whole
    expect(listed).toEqual(single)
    expect(Math.abs(Date.parse(a ?? '') - Date.parse(b ?? ''))).toBeLessThan(1000)
  })

  test('recipients stand with their ticks, newest first, and behind them who waits', async () => {
    const more = await Promise.all(Array.from({ length: 4 }, (_, n) => aCustomer(`Cliente ${n}`)))
    const { body } = await begin({ contactsIds: [lucia, padaria, ...more].join(',') })
    await snapshotRecipients(db)
    for (const state of ['read', 'failed', 'delivered']) {
      await hand()
      await wentOut(state)
      await timePasses()
    }
    const all = await recipientsOf(body.id)
    expect(all.recipients.map(({ state }) => state)).toEqual([
      'delivered',
      'failed',
      'read',
      'waiting',
      'waiting',
      'waiting',
    ])
    expect(all).toMatchObject({ count: 6, hasMore: false, nextCursor: null })
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Recipients = await recipientsOf(body.id, `?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.recipients.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(all.recipients.map(({ id }) => id))
    const failed = await recipientsOf(body.id, '?state=failed')
    expect(failed.recipients).toMatchObject([{ reason: 'ERR_SEND_UNAVAILABLE', contact: { id: padaria } }])
    expect(failed.count).toBe(1)
    expect((await recipientsOf(body.id, '?state=waiting')).recipients).toHaveLength(3)
    await sql`update contact set opted_out_at = now() + interval '1 second' where id = ${lucia}`
    expect(await one(body.id)).toMatchObject({
      counts: { waiting: 3, sending: 0, sent: 0, delivered: 1, read: 1, failed: 1, excluded: 0, optedOut: 1 },
      ...{ falhas: 1, enviados: 3, last: ['ok', 'failed', 'ok'] },
    })
  })

  test('what is on its way, or in doubt, is neither a success nor a failure', async () => {
    const { id } = (await begin()).body
    await snapshotRecipients(db)
    await hand()
    expect((await one(id)).last).toEqual([])
    await wentOut('unknown')
    expect(await one(id)).toMatchObject({ last: [], falhas: 0, counts: { unknown: 1 } })
  })

  test('a cursor or a state that is none is refused', async () => {
    const { id } = (await begin()).body
    for (const query of ['cursor=x', 'state=lost', `cursor=${Buffer.from('["nie",3]').toString('base64url')}`])
      expect([query, (await admin.call('GET', `/envioMassa/${id}/recipients?${query}`)).status]).toEqual([query, 422])
  })
})
