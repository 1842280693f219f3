// Runs of scheduled sends are paused, resumed and cancelled, in one order of locks (decisions-2 §15, decisions 0153).
import { describe, expect, test } from 'bun:test'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { makeConnection, makeContact, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { type Refusal, startScheduleSteeringDesk } from './schedule-steering-desk.ts'
import { waitUntil } from './until.ts'

const { db, sql, place, whatsapp, admin, bruna, lucia, aSchedule, get, put, save, begins, hand, wentOut } =
  await startScheduleSteeringDesk()

describe('decisions-2 §15: PUT /agendamento/{id}/{pause|resume|cancel}', () => {
  test('paused, none begins; resumed it runs next at its hour, and what was missed is not made up', async () => {
    const { id } = await aSchedule()
    expect((await put(id, 'pause')).body).toMatchObject({ state: 'paused', stateUser: { name: 'Marina' } })
    await sql`update schedule set next_run_at = now() - interval '1 hour' where id = ${id}`
    expect(await startDueSchedules(place)).toBe(0)
    const { body } = await put(id, 'resume')
    expect(body.state).toBe('waiting')
    expect(Date.parse(body.nextRunAt ?? '')).toBeGreaterThan(Date.now())
    expect(await startDueSchedules(place)).toBe(0)
  })

  test('a paused one can be cancelled; it says that it was, and not that it went out', async () => {
    const { id } = await aSchedule({ recurrence: 'once', sendAt: new Date(Date.now() + 3_600_000).toISOString() })
    await put(id, 'pause')
    const { body } = await put(id, 'cancel')
    expect(body).toMatchObject({ state: 'cancelled', nextRunAt: null, enviado: false, RValue: '0' })
    await begins(id)
    expect([...(await sql`select 1 from send where schedule_id = ${id}`)]).toEqual([])
  })

  test('who saves a paused one leaves it paused', async () => {
    const { id } = await aSchedule()
    await put(id, 'pause')
    expect(await save(id, { title: 'Outro título' })).toMatchObject({ state: 'paused', title: 'Outro título' })
    await begins(id)
    expect([...(await sql`select 1 from send where schedule_id = ${id}`)]).toEqual([])
  })

  test('the run that goes on stands still with it, and goes on with it', async () => {
    const { id } = await aSchedule()
    await begins(id)
    expect(await hand()).toBe(0)
    await wentOut()
    expect((await put(id, 'pause')).body).toMatchObject({
      state: 'paused',
      run: { state: 'paused' },
      enviados: 1,
      total: 2,
    })
    expect(await hand()).toBeNull()
    expect((await put(id, 'resume')).body).toMatchObject({ state: 'running', run: { state: 'running' } })
    expect(await hand()).toBe(0)
    expect(await get(id)).toMatchObject({ state: 'waiting', run: { state: 'done' }, enviados: 2 })
  })

  test('all runs that go on stand still, go on and end with it, not the newest alone', async () => {
    const { id } = await aSchedule()
    for (let run = 0; run < 3; run++) await begins(id)
    const states = async () =>
      (await sql`select state from send where schedule_id = ${id} order by id`).map(r => r.state)
    expect(await states()).toEqual(['running', 'running', 'running'])
    expect((await put(id, 'pause')).body.state).toBe('paused')
    expect(await states()).toEqual(['paused', 'paused', 'paused'])
    expect(await hand()).toBeNull()
    expect((await put(id, 'resume')).body.state).toBe('running')
    expect(await states()).toEqual(['running', 'running', 'running'])
    // One that is over for good keeps none from going on, and what stopped by itself before the newest is not made up.
    await sql`update send set state = 'stopped', state_reason = 'failures' where id = (select min(id) from send)`
    await put(id, 'pause')
    expect(await states()).toEqual(['stopped', 'paused', 'paused'])
    await sql`update send set state = 'stopped', state_reason = 'file_gone' where id = (select max(id) from send)`
    expect((await put(id, 'resume')).status).toBe(200)
    expect(await states()).toEqual(['stopped', 'running', 'stopped'])
    expect((await put(id, 'cancel')).body.state).toBe('cancelled')
    expect(await states()).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(await hand()).toBeNull()
  })

  test('cancelled: the run ends, none begins, and saving it again begins it anew', async () => {
    const { id } = await aSchedule()
    await begins(id)
    expect((await put(id, 'cancel')).body).toMatchObject({
      state: 'cancelled',
      nextRunAt: null,
      run: { state: 'cancelled' },
    })
    expect(await hand()).toBeNull()
    for (const action of ['pause', 'resume', 'cancel'])
      expect([action, (await put(id, action)).status]).toEqual([action, 409])
    expect(await save(id, { title: 'De novo' })).toMatchObject({ state: 'waiting', title: 'De novo' })
    expect((await get(id)).nextRunAt).not.toBeNull()
    const actions = await sql`select action from log_entry where action like 'schedule.%' order by id desc limit 3`
    expect(actions.map(row => row.action)).toEqual(['schedule.update', 'schedule.cancel', 'schedule.create'])
  })

  test('one that goes out once and was paused over its hour goes out when it is resumed, unless it is half a day late', async () => {
    for (const [late, state] of [
      ['1 hour', 'running'],
      ['13 hours', 'stopped'],
    ] as const) {
      const { id } = await aSchedule({ recurrence: 'once', sendAt: new Date(Date.now() + 3_600_000).toISOString() })
      await put(id, 'pause')
      await sql`update schedule set next_run_at = now() - ${late}::interval where id = ${id}`
      await put(id, 'resume')
      await startDueSchedules(place)
      expect((await get(id)).state).toBe(state)
    }
  })

  test('is refused to who may not see it', async () => {
    const { id } = await aSchedule()
    for (const action of ['pause', 'resume', 'cancel'])
      expect((await put(id, action, bruna)).body.error).toBe('ERR_NO_SCHEDULE_FOUND')
    expect((await bruna.call('GET', `/agendamento/logs/${id}`)).status).toBe(404)
    expect((await get(id)).state).toBe('waiting')
  })
})

describe('decisions §4: who is made an attendant steers no send to many any more', () => {
  test('it stands still and ends by his hand, and neither goes on nor says anything else', async () => {
    const { id } = await aSchedule({ contactsIds: '', allContacts: 'true' })
    await begins(id)
    const [run] = await sql<{ id: number }[]>`select id from send`
    await sql`update schedule set user_id = (select id from "user" where name = 'Bruna')`
    const sendCall = (action: string, body?: unknown) =>
      bruna.call<Refusal>('PUT', `/envioMassa/${run?.id}${action}`, body)
    expect((await sendCall('', { mensagem: 'Outra coisa' })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await sendCall('/pause')).status).toBe(200)
    expect((await sendCall('/resume')).body.error).toBe('ERR_NO_PERMISSION')
    expect((await put(id, 'pause', bruna)).status).toBe(200)
    expect((await put(id, 'resume', bruna)).body.error).toBe('ERR_NO_PERMISSION')
    // Nor the run alone, once the send itself is for somebody of his own.
    const whose = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna'`
    await makeTicket(db, { contactId: lucia, whatsappId: whatsapp, status: 'open', userId: whose[0]?.id })
    await save(id, { allContacts: 'false', contactsIds: String(lucia) })
    expect((await put(id, 'resume', bruna)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await put(id, 'cancel', bruna)).status).toBe(200)
  })

  test('of one to a single contact of own tickets all of it is his, also after that one turned out to be somebody else', async () => {
    const [whose] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna'`
    const [known, other] = [await makeContact(db, 'Ana Prado'), await makeContact(db, 'Ana P.')]
    await sql`update contact set number = '5531987660' || id where id in (${known}, ${other})`
    await makeTicket(db, { contactId: other, whatsappId: whatsapp, status: 'open', userId: whose?.id })
    const { id } = await aSchedule({ contactsIds: String(other) })
    await sql`update schedule set user_id = ${whose?.id ?? 0}`
    await begins(id)
    const [run] = await sql<{ id: number }[]>`select id from send`
    expect((await admin.call('POST', `/contacts/${known}/merge`, { contactId: other })).status).toBe(200)
    expect((await put(id, 'pause', bruna)).status).toBe(200)
    expect((await put(id, 'resume', bruna)).status).toBe(200)
    expect((await bruna.call('PUT', `/envioMassa/${run?.id}`, { mensagem: 'Outra coisa' })).status).toBe(200)
  })
})

describe('decisions 0153: a run is locked before its scheduled send', () => {
  const works: Record<string, (id: number) => Promise<unknown>> = {
    pausing: id => put(id, 'pause'),
    cancelling: id => put(id, 'cancel'),
    deleting: id => admin.call('DELETE', `/agendamento/${id}`),
    'another time zone': () => admin.call('PUT', '/settings/timezone', { value: 'Asia/Tokyo' }),
  }
  test.each(Object.keys(works))('%s', async name => {
    const { id } = await aSchedule()
    await begins(id)
    await sql`update send set state = 'waiting', state_reason = 'working_hours', not_before = now() + interval '1 hour'`
    const { begun, free } = await sql.begin(async tx => {
      const [me] = await tx<
        { pid: number }[]
      >`select pg_backend_pid() as pid from send where schedule_id = ${id} for update`
      const begun = works[name]?.(id)
      await waitUntil('it waits for the run', async () => {
        const [waits] =
          await sql`select 1 from pg_stat_activity where ${me?.pid ?? 0}::int = any(pg_blocking_pids(pid))`
        return waits !== undefined
      })
      // As handing over does when it tells the schedule.
      const free = await tx`select 1 from schedule where id = ${id} for update skip locked`
      return { begun: [begun], free: free.length }
    })
    await Promise.all(begun)
    expect(free).toBe(1)
  })
})

describe('decisions 0153: a connection is locked before the scheduled send that begins', () => {
  test('one that is late leaves its row to who holds the connection', async () => {
    const { id } = await aSchedule()
    await sql`update schedule set next_run_at = now() - interval '13 hours' where id = ${id}`
    const { begun, free } = await sql.begin(async tx => {
      await tx`select 1 from whatsapp where id = ${whatsapp} for no key update`
      const begun = startDueSchedules(place)
      await waitUntil('it waits for the connection', async () => (await countLockWaits(sql)) === 1)
      // As deleting a connection does when it tells those that go by it.
      const free = await tx`select 1 from schedule where id = ${id} for update skip locked`
      return { begun: [begun], free: free.length }
    })
    await Promise.all(begun)
    expect(free).toBe(1)
    expect((await get(id)).run?.state).toBe('stopped')
  })

  test('telling administrators holds up nobody who writes what belongs to the connection', async () => {
    const { id } = await aSchedule()
    await sql`update schedule set next_run_at = now() - interval '13 hours' where id = ${id}`
    await sql.begin(async tx => {
      await tx`select 1 from whatsapp where id = ${whatsapp} for key share`
      await startDueSchedules(place)
    })
    expect((await get(id)).run?.state).toBe('stopped')
  })

  test('where another connection becomes the default meanwhile, it begins by that one', async () => {
    const heir = await makeConnection(db, 'Herdeira')
    const { id } = await aSchedule({ whatsappId: '' })
    await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
    const begun = await sql.begin(async tx => {
      await tx`update whatsapp set is_default = false where id = ${whatsapp}`
      await tx`update whatsapp set is_default = true where id = ${heir}`
      const begun = startDueSchedules(place)
      await waitUntil('it waits for the connection', async () => (await countLockWaits(sql)) === 1)
      return [begun]
    })
    await Promise.all(begun)
    await startDueSchedules(place)
    const runs = await sql`select whatsapp_id, state from send where schedule_id = ${id}`
    expect([...runs]).toEqual([{ whatsapp_id: heir, state: 'waiting' }])
    await sql`update whatsapp set is_default = id = ${whatsapp} where id in (${whatsapp}, ${heir}) and is_default`
    await sql`update whatsapp set is_default = true where id = ${whatsapp}`
  })
})

describe('decisions 0153: no run begins while those of its scheduled send are steered, nor the other way round', () => {
  const works: Record<string, (id: number) => Promise<unknown>> = {
    beginning: () => startDueSchedules(place),
    pausing: id => put(id, 'pause'),
    deleting: id => admin.call('DELETE', `/agendamento/${id}`),
  }
  test.each(Object.keys(works))('%s', async name => {
    const { id } = await aSchedule()
    await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
    const begun = await sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(hashtext('runs of a schedule'), ${id}::int)`
      const begun = works[name]?.(id)
      await waitUntil('it waits for them', async () => (await countLockWaits(sql)) === 1)
      return [begun]
    })
    await Promise.all(begun)
  })
})
