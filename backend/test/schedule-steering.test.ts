// Scheduled sends that are paused, resumed and cancelled, that go out at once as well, and whose clocks are put (decisions-2 §15, §22 "Sends").
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ResponseBody, Schedule } from '@balcao/contract'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeTicket } from './desk-world.ts'
import { expirePace, settleMessages } from './handed-over.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client
const place = { db, dataDir: '/nowhere' }

type Logs = ResponseBody<'GET /agendamento/logs/:id'>
interface Refusal {
  error: string
}

const whatsapp = await makeConnection(db, 'Loja Centro')
await sql`update whatsapp set status = 'CONNECTED', is_default = true`
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'user' })
const admin = await server.as('Marina')
const bruna = await server.as('Bruna')
const lucia = await makeContact(db, 'Dona Lúcia')
const padaria = await makeContact(db, 'Padaria Estrela')
await sql`update contact set number = '5531987650' || id`
await admin.call('PUT', '/settings/allowAgendador', { value: 'enabled' })

beforeEach(async () => {
  await sql`truncate schedule, send, send_recipient, send_clock, outbox cascade`
  await admin.call('PUT', '/settings', {
    values: { timezone: 'America/Sao_Paulo', holidays: 'disabled', saturday: 'disabled' },
  })
})

async function aSchedule(change: Record<string, string> = {}): Promise<Schedule> {
  const data = new FormData()
  const fields = {
    ...{ message: 'Seu boleto vence amanhã', recurrence: 'every_day', RValue: '', sendAt: '09:00' },
    ...{ contactsIds: `${lucia},${padaria}`, whatsappId: String(whatsapp), ...change },
  }
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  const { status, body } = await admin.call<Schedule>('POST', '/agendamento', data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

const get = async (id: number) => (await admin.call<Schedule>('GET', `/agendamento/${id}`)).body
const put = (id: number, action: string, person = admin) =>
  person.call<Schedule & Refusal>('PUT', `/agendamento/${id}/${action}`)
const save = async (id: number, change: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(change)) data.append(name, value)
  return (await admin.call<Schedule>('PUT', `/agendamento/${id}`, data)).body
}
/** Its hour has come. */
async function begins(id: number): Promise<void> {
  await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
  await startDueSchedules(place)
}
const hand = () => dispatchNext(db, { whatsappId: whatsapp, epoch: 0 }, 15_000)
async function wentOut(state = 'sent'): Promise<void> {
  await settleMessages(sql, state)
  await expirePace(sql)
}

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

describe('decisions-2 §15: a run is its schedule as it stands when it begins', () => {
  test('by its person, with its hours and its template, and says so to who looks', async () => {
    const official = await makeConnection(db, 'Oficial', 'cloud_api')
    const template = { name: 'aviso', language: 'pt_BR' }
    const { id } = await aSchedule({
      ...{ whatsappId: String(official), onlyWorkingHours: 'true' },
      template: JSON.stringify(template),
    })
    await sql`truncate live_event`
    await begins(id)
    const [run] = await sql`
      select u.name, s.only_working_hours, s.template, s.whatsapp_id from send s join "user" u on u.id = s.user_id where s.schedule_id = ${id}`
    expect(run).toMatchObject({ name: 'Marina', only_working_hours: true, template, whatsapp_id: official })
    const { version, run: shown, total } = await get(id)
    expect([shown?.state, total]).toEqual(['waiting', 2])
    const events =
      await sql`select payload::jsonb as payload from live_event where payload::jsonb->>'event' = 'agendamento' order by id`
    // That it began, and for whom it is.
    expect(events.map(({ payload }) => payload.version)).toEqual([version - 1, version])
  })

  test('without its connection, which was deleted: it says so, and goes on by another one', async () => {
    const brief = await makeConnection(db, 'Por um dia')
    const { id, version } = await aSchedule({ whatsappId: String(brief) })
    const byDefault = await aSchedule()
    await sql`truncate live_event`
    expect((await admin.call('DELETE', `/whatsapp/${brief}?force=true`)).status).toBe(204)
    const events =
      await sql`select payload::jsonb as payload from live_event where payload::jsonb->>'event' = 'agendamento'`
    expect(events.map(({ payload }) => payload)).toEqual([
      { event: 'agendamento', action: 'update', version: version + 1, agendamentoId: id },
    ])
    const lost = { state: 'waiting', stateReason: 'connection_deleted' }
    expect(await get(id)).toMatchObject(lost)
    await begins(id)
    expect(await get(id)).toMatchObject({ ...lost, run: { state: 'stopped' } })
    expect(await get(byDefault.id)).toMatchObject({ state: 'waiting', stateReason: null })
    expect(await save(id, { whatsappId: String(whatsapp) })).toMatchObject({ state: 'waiting', stateReason: null })
    await begins(id)
    expect(await get(id)).toMatchObject({ state: 'running', total: 2 })
  })

  test('without its connection, administrators have it in the bell by its name, once, until it goes by another one', async () => {
    const alarms = async (person = admin) =>
      (await person.call<ResponseBody<'GET /notifications'>>('GET', '/notifications?limit=0')).body.alarms
    const brief = await makeConnection(db, 'Por um dia')
    const { id } = await aSchedule({ whatsappId: String(brief), title: 'Cobrança do mês' })
    const unnamed = await aSchedule({ whatsappId: String(brief) })
    expect((await admin.call('GET', `/whatsapp/${brief}/schedules`)).body).toEqual({ count: 2 })
    await admin.call('DELETE', `/whatsapp/${brief}?force=true`)
    expect(await alarms()).toEqual([])
    await begins(id)
    const first = await alarms()
    expect(first).toMatchObject([
      { code: 'schedule_lost', at: expect.any(String), reason: null, schedule: { id, name: 'Cobrança do mês' } },
    ])
    await begins(id)
    expect(await alarms()).toMatchObject([{ schedule: { id } }])
    expect(await alarms(bruna)).toEqual([])
    await begins(unnamed.id)
    expect((await alarms()).map(({ schedule }) => schedule?.name)).toEqual([
      'Seu boleto vence amanhã',
      'Cobrança do mês',
    ])
    await save(id, { whatsappId: String(whatsapp) })
    await put(unnamed.id, 'cancel')
    expect(await alarms()).toEqual([])
  })

  test('of which a connection says how many go by it: with a run that goes on, paused, by the default one', async () => {
    const other = await makeConnection(db, 'Outra')
    const count = async (of: number) =>
      (await admin.call<{ count: number }>('GET', `/whatsapp/${of}/schedules`)).body.count
    const paused = await aSchedule({ whatsappId: String(other) })
    await put(paused.id, 'pause')
    const over = await aSchedule({ whatsappId: String(other) })
    await sql`update schedule set next_run_at = null where id = ${over.id}`
    await aSchedule({ whatsappId: '' })
    const going = await aSchedule({ recurrence: 'once', sendAt: new Date(Date.now() + 3_600_000).toISOString() })
    await begins(going.id)
    expect([await count(other), await count(whatsapp)]).toEqual([1, 2])
    expect((await bruna.call('GET', `/whatsapp/${other}/schedules`)).status).toBe(403)
    expect((await admin.call('GET', '/whatsapp/999999/schedules')).status).toBe(404)
    await admin.call('DELETE', `/whatsapp/${other}?force=true`)
  })

  test('of several runs the newest is shown', async () => {
    const { id } = await aSchedule()
    await begins(id)
    await sql`update send set state = 'done', sent = 2, ended_at = now(), due_at = now() - interval '1 day'`
    await begins(id)
    expect(await get(id)).toMatchObject({ state: 'running', enviados: 0, total: 2 })
  })

  test('what is too late is over at once, and the administrators are told', async () => {
    const { id } = await aSchedule()
    await sql`update schedule set next_run_at = now() - interval '13 hours' where id = ${id}`
    await startDueSchedules(place)
    const [run] =
      await sql`select state, state_reason, ended_at is not null as over from send where schedule_id = ${id}`
    expect(run).toEqual({ state: 'stopped', state_reason: 'late', over: true })
    const [row] = await sql<
      { news: { code: string; name: string }[] }[]
    >`select news from whatsapp where id = ${whatsapp}`
    expect(row?.news[0]).toMatchObject({ code: 'send_stopped', name: 'late' })
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

describe('spec 3 §2: the first-send option', () => {
  test('one that goes out once goes out at its hour alone', async () => {
    const sendAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000).toISOString()
    expect((await aSchedule({ recurrence: 'once', sendAt, firstSend: 'true' })).nextRunAt).toBe(sendAt)
  })

  test('a recurring one goes out at once as well, and then at its hour; saved again it does not', async () => {
    const { id, nextRunAt } = await aSchedule({ firstSend: 'true' })
    expect(Math.abs(Date.parse(nextRunAt ?? '') - Date.now())).toBeLessThan(10_000)
    await startDueSchedules(place)
    const after = await get(id)
    expect(after.run?.state).toBe('running')
    expect(Date.parse(after.nextRunAt ?? '')).toBeGreaterThan(Date.now())
    const saved = await save(id, { firstSend: 'true', title: 'Outro título' })
    expect(saved.nextRunAt).toBe(after.nextRunAt)
    expect(await startDueSchedules(place)).toBe(0)
  })
})

describe('decisions-2 §15: what is due stays due', () => {
  test('whoever edits anything but rhythm and hour takes no run away; a new hour is the next run', async () => {
    for (const late of ['20 seconds', '5 hours']) {
      const { id } = await aSchedule()
      await sql`update schedule set next_run_at = now() - ${late}::interval where id = ${id}`
      const due = (await get(id)).nextRunAt
      expect((await save(id, { title: 'Outro título', sendAt: '09:00', recurrence: 'every_day' })).nextRunAt).toBe(due)
      expect(await startDueSchedules(place)).toBe(1)
      expect((await get(id)).run?.state).toBe('running')
      await sql`update schedule set next_run_at = now() - ${late}::interval where id = ${id}`
      const moved = await save(id, { sendAt: '10:00' })
      expect(Date.parse(moved.nextRunAt ?? '')).toBeGreaterThan(Date.now())
    }
  })

  test('a first send that waits for its minute goes out after an edit', async () => {
    const { id, nextRunAt } = await aSchedule({ firstSend: 'true' })
    expect((await save(id, { firstSend: 'true', title: 'Outro título' })).nextRunAt).toBe(nextRunAt)
    await startDueSchedules(place)
    expect((await get(id)).run?.state).toBe('running')
  })
})

describe('decisions-2 §22 "Sends": next runs by the company’s clocks', () => {
  test('changing the time zone computes them anew; what goes out once stays the instant it is', async () => {
    const daily = await aSchedule()
    const once = await aSchedule({ recurrence: 'once', sendAt: new Date(Date.now() + 5 * 3_600_000).toISOString() })
    const hourIn = (schedule: Schedule, timeZone: string) =>
      new Date(schedule.nextRunAt ?? '').toLocaleTimeString('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
    expect(hourIn(daily, 'America/Sao_Paulo')).toBe('09:00')
    await admin.call('PUT', '/settings/timezone', { value: 'Asia/Tokyo' })
    const moved = await get(daily.id)
    expect(hourIn(moved, 'Asia/Tokyo')).toBe('09:00')
    expect(moved.version).toBeGreaterThan(daily.version)
    const [row] = await sql`
      select audience, payload::jsonb as payload from live_event where payload::jsonb->>'event' = 'agendamento' order by id desc limit 1`
    expect(row).toMatchObject({
      audience: { to: 'everyone' },
      payload: { agendamentoId: daily.id, version: moved.version },
    })
    expect(Date.parse(moved.nextRunAt ?? '')).toBeGreaterThan(Date.now())
    expect((await get(once.id)).nextRunAt).toBe(once.nextRunAt)
  })

  test('what is due already stays due when the clocks change', async () => {
    const { id } = await aSchedule()
    await sql`update schedule set next_run_at = now() - interval '5 minutes' where id = ${id}`
    const due = (await get(id)).nextRunAt
    await admin.call('PUT', '/settings/timezone', { value: 'Asia/Tokyo' })
    expect((await get(id)).nextRunAt).toBe(due)
    expect(await startDueSchedules(place)).toBe(1)
  })

  test('resuming a run takes no run away that is due', async () => {
    const { id } = await aSchedule()
    await begins(id)
    await sql`update send set state = 'stopped', state_reason = 'failures'`
    await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
    const due = (await get(id)).nextRunAt
    expect((await put(id, 'resume')).body.nextRunAt).toBe(due)
  })

  test('what waits for an hour is looked at again when calendar, zone or limit change, and not for anything else', async () => {
    const { id } = await aSchedule()
    await begins(id)
    const waits = async () => {
      const [row] = await sql`select not_before from send`
      return row?.not_before !== null
    }
    for (const [values, expected] of [
      [{ timezone: 'Asia/Tokyo' }, false],
      [{ saturday: 'enabled' }, false],
      [{ dailyCap: '77' }, false],
      [{ sound: 'blub' }, true],
    ] as const) {
      await sql`update send set state = 'waiting', state_reason = 'daily_cap', not_before = now() + interval '1 day'`
      await admin.call('PUT', '/settings', { values })
      expect([values, await waits()]).toEqual([values, expected])
    }
  })

  test('a connection’s own cap wakes what waits for it there, and nothing else of it does', async () => {
    const { id } = await aSchedule()
    await begins(id)
    for (const [change, expected] of [
      [{ dailyCap: 33 }, true],
      [{ dailyCap: 33 }, false],
      [{ dailyCap: null }, true],
    ] as const) {
      await sql`update send set state = 'waiting', state_reason = 'daily_cap', not_before = now() + interval '1 day'`
      const { status } = await admin.call('PUT', `/whatsapp/${whatsapp}`, change)
      const [row] = await sql`select not_before is null as woken from send where schedule_id = ${id}`
      expect([change, status, row?.woken]).toEqual([change, 200, expected])
    }
  })

  test('a working day moves with the holidays', async () => {
    const { id } = await aSchedule({ recurrence: 'business_day', RValue: '1' })
    const before = (await get(id)).nextRunAt ?? ''
    const day = new Date(before).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })
    await admin.call('PUT', '/settings/holidayDates', {
      value: JSON.stringify([{ date: day, name: 'Da casa', open: false }]),
    })
    expect(Date.parse((await get(id)).nextRunAt ?? '')).toBeGreaterThan(Date.parse(before))
    await admin.call('PUT', '/settings/holidayDates', { value: '[]' })
    expect((await get(id)).nextRunAt).toBe(before)
  })
})

describe('spec 3 §7: GET /agendamento/logs/{id}', () => {
  test('tells contact by contact what the runs did, with the ticks, newest first, in pages', async () => {
    const { id } = await aSchedule({ message: 'Oi, {{name}}, seu boleto vence' })
    const out = await makeContact(db, 'Pediu SAIR')
    await sql`update contact set number = '553100000', opted_out_at = now() where id = ${out}`
    await sql`insert into schedule_contact (schedule_id, contact_id) values (${id}, ${out})`
    await begins(id)
    await hand()
    await wentOut('read')
    await hand()
    await wentOut('failed')
    const { body } = await admin.call<Logs>('GET', `/agendamento/logs/${id}`)
    expect(body.logs.map(({ contact, state, wasSend, body: said }) => [contact.name, state, wasSend, said])).toEqual([
      ['Padaria Estrela', 'failed', false, 'Oi, Padaria Estrela, seu boleto vence'],
      ['Dona Lúcia', 'read', true, 'Oi, Dona Lúcia, seu boleto vence'],
      ['Pediu SAIR', 'excluded', false, 'Oi, {{name}}, seu boleto vence'],
    ])
    expect(body).toMatchObject({ count: 3, hasMore: false })
    expect(body.logs.map(({ reason }) => reason)).toEqual(['ERR_SEND_UNAVAILABLE', null, 'opted_out'])
    const first = (await admin.call<Logs>('GET', `/agendamento/logs/${id}?limit=2`)).body
    const rest = (await admin.call<Logs>('GET', `/agendamento/logs/${id}?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.logs, ...rest.logs]).toEqual(body.logs)
    const none = await admin.call<Logs>('GET', `/agendamento/logs/${id}?runId=999999`)
    expect(none.body).toMatchObject({ logs: [], count: 0 })
  })
})
