// A run of a scheduled send: what it goes by, what is locked, when the next comes (decisions-2 §15, §22, decisions 0153).
import { describe, expect, test } from 'bun:test'
import type { ResponseBody, Schedule } from '@balcao/contract'
import type { Bucket, BucketReader } from '../src/desk/media/bucket.ts'
import type { MediaStorage } from '../src/desk/media/storage.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { makeConnection, makeContact } from './desk-world.ts'
import { startScheduleSteeringDesk } from './schedule-steering-desk.ts'
import { makeTestFolder } from './test-folder.ts'

const { db, sql, place, whatsapp, admin, bruna, aSchedule, get, put, save, begins, hand, wentOut } =
  await startScheduleSteeringDesk()

type Logs = ResponseBody<'GET /agendamento/logs/:id'>

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

  test('what was scheduled in one conversation goes there, whether or not it has a number; to many nobody goes without one', async () => {
    const [known, unknown] = [await makeContact(db, 'Só LID'), await makeContact(db, 'Nunca visto')]
    await sql`update contact set number = null where id in (${known}, ${unknown})`
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${known}, ${whatsapp}, 'x@lid')`
    const reasons = async (contactsIds: string) => {
      const { id } = await aSchedule({ contactsIds })
      await begins(id)
      const rows = await sql<{ reason: string | null }[]>`
        select reason from send_recipient where send_id = (select max(s.id) from send s where s.schedule_id = ${id}) order by contact_id`
      const counted = await admin.call<{ count: number }>('GET', `/agendamento/count?contactsIds=${contactsIds}`)
      return [counted.body.count, ...rows.map(({ reason }) => reason)]
    }
    expect(await reasons(`${known}`)).toEqual([1, null])
    expect(await reasons(`${unknown}`)).toEqual([0, 'no_number'])
    expect(await reasons(`${known},${unknown}`)).toEqual([0, 'no_number', 'no_number'])
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

describe('a file for which there is no room', () => {
  const full: BucketReader = {
    // biome-ignore lint/correctness/useYield: it does not come so far
    async *read() {
      throw Object.assign(new Error('No space left on device'), { code: 'ENOSPC' })
    },
    part: () => Promise.reject(new Error('nobody asks for a part')),
    small: async () => null,
  }
  const noRoom: MediaStorage = { db, dataDir: makeTestFolder(), bucket: { ...full, forPeople: full } as Bucket }
  const withPicture = async (due: string) => {
    const { id } = await aSchedule()
    const mediaId = `no-room-${id}-picture`
    await sql`
      insert into media (id, name, mime, size, sha256, owner, kept_in) values (${mediaId}, 'oferta.png', 'image/png', 1000, 'x', 'schedule', 's3')`
    await sql`update schedule set media_id = ${mediaId}, next_run_at = now() - ${due}::interval where id = ${id}`
    return id
  }
  const runOf = async (id: number) => [...(await sql`select state, state_reason from send where schedule_id = ${id}`)]

  test('keeps its run waiting, until it is too late for it as for any other', async () => {
    const [waits, late] = [await withPicture('11 hours'), await withPicture('13 hours')]
    expect(await startDueSchedules(noRoom)).toBe(1)
    expect([await runOf(waits), await runOf(late)]).toEqual([[], [{ state: 'stopped', state_reason: 'late' }]])
    expect(await startDueSchedules(noRoom)).toBe(0)
  })

  test('holds up nobody, however many wait for it', async () => {
    const first = await withPicture('2 hours')
    await sql`
      insert into schedule (message, recurrence, r_value, send_time, user_id, media_id, whatsapp_id, next_run_at)
      select message, recurrence, r_value, send_time, user_id, media_id, whatsapp_id, next_run_at from schedule, generate_series(1, 120) where id = ${first}`
    const { id } = await aSchedule()
    await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
    expect(await startDueSchedules(noRoom)).toBe(1)
    expect((await get(id)).run?.state).toBe('running')
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
