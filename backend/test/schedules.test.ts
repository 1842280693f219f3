// Scheduled sends are made, changed and deleted (spec 1 §7).
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Message, Schedule } from '@balcao/contract'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import type { SignedInPerson } from './desk-server.ts'
import { makeContact, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { describeRefusal, note, type Refusal, soon, startSchedulesDesk } from './schedules-desk.ts'
import { waitUntil } from './until.ts'

const { db, sql, whatsapp, official, admin, rafael, bruna, stranger, lucia, luciasTicket, rafaels, tag, form } =
  await startSchedulesDesk()

describe('spec 1 §7: POST /agendamento', () => {
  test('schedules a send to the contact of a conversation, says when it will run, and leaves a line there', async () => {
    const sendAt = soon()
    const { status, body } = await bruna.call<Schedule>('POST', '/agendamento', form({ sendAt, title: 'Cobrança' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({
      title: 'Cobrança',
      message: 'Seu boleto vence amanhã',
      recurrence: 'once',
      RValue: '0',
      sendAt,
      nextRunAt: sendAt,
      enviado: false,
      contactsIds: String(lucia),
      tagsIds: '',
      allContacts: false,
      whatsapp: { name: 'Loja Centro' },
    })
    const { body: page } = await bruna.call<{ messages: Message[] }>('GET', `/messages/${luciasTicket}`)
    expect(page.messages.at(-1)?.system).toMatchObject({ code: 'scheduled', params: { user: 'Bruna' } })
    const [log] = await sql`select action, user_id from log_entry order by id desc limit 1`
    expect(log).toEqual({ action: 'schedule.create', user_id: expect.any(Number) })
    const [event] = await sql`
      select payload::jsonb as payload from live_event where payload::jsonb->>'event' = 'agendamento' order by id desc limit 1`
    expect(event?.payload).toEqual({ event: 'agendamento', action: 'create', version: 1, agendamentoId: body.id })
  })

  test('leaves a line only where it is for one contact, in a conversation that its maker may see', async () => {
    const lines = async () => [
      ...(await sql`select m.ticket_id from message m where m.system->>'code' = 'scheduled' order by m.id`),
    ]
    const before = (await lines()).length
    await rafael.call('POST', '/agendamento', form({ contactsIds: `${lucia},${rafaels}` }))
    await rafael.call('POST', '/agendamento', form({ tagsIds: String(tag) }))
    expect(await lines()).toHaveLength(before)
    // The one of another queue is newer, and on the connection it goes by; a manager does not see it.
    const [other] = await sql<{ id: number }[]>`select id from queue where name = 'Entregas'`
    await sql`update ticket set whatsapp_id = ${official} where id = ${luciasTicket}`
    const hidden = await makeTicket(db, {
      ...{ contactId: lucia, whatsappId: whatsapp, status: 'open' },
      queueId: other?.id ?? 0,
    })
    await rafael.call('POST', '/agendamento', form())
    expect((await lines()).slice(before)).toEqual([{ ticket_id: luciasTicket }])
    await sql`delete from ticket where id = ${hidden}`
    await sql`update ticket set whatsapp_id = ${whatsapp} where id = ${luciasTicket}`
  })

  test('with the same clientId it is the same one, however often and however fast: nobody is written to twice', async () => {
    const clientId = crypto.randomUUID()
    const make = (person = rafael) => person.call<Schedule>('POST', '/agendamento', form({ clientId }))
    const answers = await Promise.all([make(), make(), make()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const [first] = answers
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await make()).body.id).toBe(first?.body.id ?? 0)
    expect((await make(admin)).body.id).not.toBe(first?.body.id ?? 0)
    const [lines] = await sql`select count(*)::int as n from schedule where client_id = ${clientId}`
    expect(lines).toEqual({ n: 2 })
  })

  test('with the same clientId and other words it says the new ones, with the file that is there now', async () => {
    const clientId = crypto.randomUUID()
    const make = (fields: object) => rafael.call<Schedule>('POST', '/agendamento', form({ clientId, ...fields }))
    const { body: first } = await make({ message: 'Sai ao meio-dia', medias: note() })
    expect(first.mediaName).not.toBeNull()
    const { status, body } = await make({ message: 'Sai às duas da tarde' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: first.id, message: 'Sai às duas da tarde', mediaName: null })
    const { body: filed } = await make({ message: 'Sai às duas da tarde', medias: note() })
    expect([filed.id, filed.mediaName]).toEqual([first.id, first.mediaName])
  })

  test('with the same clientId and other words after it went out it says so, and goes out to nobody twice', async () => {
    const clientId = crypto.randomUUID()
    const make = (message: string) =>
      rafael.call<Schedule & Refusal>('POST', '/agendamento', form({ clientId, message }))
    const { body: first } = await make('Sai ao meio-dia')
    await sql`update schedule set next_run_at = null where id = ${first.id}`
    expect((await make('Sai ao meio-dia')).body.id).toBe(first.id)
    expect(describeRefusal(await make('Sai às duas'))).toEqual([422, 'message sentBefore'])
    const [row] = await sql`select message, next_run_at from schedule where id = ${first.id}`
    expect(row).toEqual({ message: 'Sai ao meio-dia', next_run_at: null })
  })

  test('a recurring one runs next by the clocks of the setting timezone', async () => {
    await admin.call('PUT', '/settings/timezone', { value: 'Asia/Tokyo' })
    const data = form({ recurrence: 'every_day', RValue: '', sendAt: '09:00' })
    const { body } = await bruna.call<Schedule>('POST', '/agendamento', data)
    await admin.call('PUT', '/settings/timezone', { value: 'America/Sao_Paulo' })
    expect(body.nextRunAt).toMatch(/T00:00:00\.000Z$/)
    expect(body.sendAt).toBe('09:00')
  })

  test.each([
    [{ message: 'Oi' }, 'message', 'Mensagem muito curta'],
    [{ contactsIds: '' }, 'contactsIds', 'Por favor, informe um destinatário para esse agendamento'],
    [{ contactsIds: '99999999' }, 'contactsIds', 'Por favor, informe um destinatário para esse agendamento'],
    [{ recurrence: 'every_month', RValue: '5', sendAt: '09:00' }, 'RValue', 'Dia inválido'],
    [{ recurrence: 'every_week', RValue: 'mon', sendAt: '09:00' }, 'RValue', 'Dia da semana inválido'],
    [
      { recurrence: 'quarterly', RValue: '30/02', sendAt: '09:00' },
      'RValue',
      'Informe dia e mês como dd/mm, até o dia 28 (29 em fevereiro)',
    ],
    [
      { recurrence: 'once', sendAt: '2020-01-01T10:00' },
      'sendAt',
      'Escolha uma data e um horário que ainda não passaram',
    ],
    [{ recurrence: 'never' }, 'recurrence', 'Escolha a recorrência'],
  ])('refuses %j', async (change, path, message) => {
    const { status, body } = await admin.call<Refusal>('POST', '/agendamento', form(change))
    expect([status, body.error, body.details]).toEqual([
      422,
      'ERR_VALIDATION',
      [{ path, code: expect.any(String), message }],
    ])
  })

  test('takes jpeg, png, pdf, plain text and mp4, told by their bytes', async () => {
    const file = new File(['tabela de preços'], 'tabela.txt', { type: 'text/plain' })
    const { status, body } = await bruna.call<Schedule>('POST', '/agendamento', form({ medias: file }))
    expect([status, body.mediaName, body.mediaType]).toEqual([201, 'tabela.txt', 'application'])
    const exe = new File([new Uint8Array([0x4d, 0x5a, 0x90, 0, 3])], 'nota.pdf', { type: 'application/pdf' })
    const refused = await bruna.call<Refusal>('POST', '/agendamento', form({ medias: exe }))
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_FILE_TYPE'])
    const read = (person: SignedInPerson) => person.call('GET', body.mediaUrl ?? '')
    expect((await Promise.all([bruna, rafael, stranger].map(read))).map(answer => answer.status)).toEqual([
      200, 200, 404,
    ])
  })
})

describe('spec 1 §7: PUT and DELETE', () => {
  test('what is not given stays; a new time is the next run', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form({ title: 'Antes' }))
    const data = new FormData()
    data.append('message', 'Outro texto')
    data.append('recurrence', 'every_week')
    data.append('RValue', 'monday')
    data.append('sendAt', '08:30')
    const { status, body } = await bruna.call<Schedule>('PUT', `/agendamento/${made.id}`, data)
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'Antes', message: 'Outro texto', RValue: 'monday', contactsIds: String(lucia) })
    expect(new Date(body.nextRunAt ?? '').getTime()).toBeGreaterThan(Date.now())
  })

  test('its hours and its first send stay when they are not given; to all takes the place of everybody named', async () => {
    const put = async (id: number, change: Record<string, string>) => {
      const data = new FormData()
      for (const [name, value] of Object.entries(change)) data.append(name, value)
      return (await admin.call<Schedule>('PUT', `/agendamento/${id}`, data)).body
    }
    const daily = { recurrence: 'every_day', RValue: '', sendAt: '09:00', firstSend: 'true', onlyWorkingHours: '1' }
    const named = { tagsIds: String(tag), contactsIds: String(lucia) }
    const { body: made } = await admin.call<Schedule>('POST', '/agendamento', form({ ...daily, ...named }))
    const flags = { firstSend: true, onlyWorkingHours: true }
    expect(await put(made.id, { title: 'Outro' })).toMatchObject({ ...flags, ...named, allContacts: false })
    expect(await put(made.id, { tagsIds: '' })).toMatchObject({ ...flags, contactsIds: String(lucia), tagsIds: '' })
    expect(await put(made.id, { tagsIds: String(tag) })).toMatchObject(named)
    expect(await put(made.id, { allContacts: 'true' })).toMatchObject({
      allContacts: true,
      contactsIds: '',
      tagsIds: '',
    })
  })

  test('another instant, or another day in the same rhythm, is the next run', async () => {
    const put = async (id: number, change: Record<string, string>) => {
      const data = new FormData()
      for (const [name, value] of Object.entries(change)) data.append(name, value)
      return (await bruna.call<Schedule>('PUT', `/agendamento/${id}`, data)).body
    }
    const once = (await bruna.call<Schedule>('POST', '/agendamento', form())).body
    const later = new Date(Date.parse(soon()) + 7_200_000).toISOString()
    expect((await put(once.id, { sendAt: later })).nextRunAt).toBe(later)
    const monthly = { recurrence: 'every_month', RValue: '05', sendAt: '09:00' }
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form(monthly))
    const dayOf = ({ nextRunAt }: Schedule) =>
      new Date(nextRunAt ?? '').toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo', day: '2-digit' })
    expect(dayOf(made)).toBe('05')
    expect(dayOf(await put(made.id, { RValue: '12' }))).toBe('12')
  })

  test('decisions-2 §22: a change that began from an older one is refused with the send as it is now', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form({ title: 'Antes' }))
    const change = (fields: Record<string, string>) => {
      const data = new FormData()
      for (const [name, value] of Object.entries(fields)) data.append(name, value)
      return admin.call<Schedule & { error?: string; details?: Schedule }>('PUT', `/agendamento/${made.id}`, data)
    }
    const { body: now } = await change({ title: 'Depois', version: String(made.version) })
    expect(now).toMatchObject({ title: 'Depois', version: made.version + 1 })
    const { status, body } = await change({ title: 'Outra', version: String(made.version) })
    expect([status, body.error, body.details]).toEqual([409, 'ERR_CHANGED_MEANWHILE', now])
    expect((await change({ title: 'Sem versão' })).body).toMatchObject({ title: 'Sem versão' })
  })

  test('of two who change different fields at once both keep theirs', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form({ title: 'Antes' }))
    const change = (name: string, value: string) => {
      const data = new FormData()
      data.append(name, value)
      return admin.call('PUT', `/agendamento/${made.id}`, data)
    }
    const changes = await sql.begin(async tx => {
      await tx`select 1 from schedule where id = ${made.id} for update`
      const begun = [change('title', 'Depois'), change('message', 'Outro texto')]
      await waitUntil('both wait for the row', async () => (await countLockWaits(sql)) === begun.length)
      return { begun }
    })
    expect((await Promise.all(changes.begun)).map(answer => answer.status)).toEqual([200, 200])
    const { body } = await bruna.call<Schedule>('GET', `/agendamento/${made.id}`)
    expect(body).toMatchObject({ title: 'Depois', message: 'Outro texto' })
  })

  test('every change is told to whoever may be looking, by its number alone; deleting one that went out takes no promise back', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form({ medias: note() }))
    const last = Number((await sql`select max(id) as id from live_event`)[0]?.id)
    const data = new FormData()
    data.append('title', 'Outro')
    await bruna.call('PUT', `/agendamento/${made.id}`, data)
    await bruna.call('DELETE', `/agendamento/file/${made.id}`)
    for (const step of ['pause', 'resume']) await bruna.call('PUT', `/agendamento/${made.id}/${step}`)
    await sql`update schedule set next_run_at = null where id = ${made.id}`
    await bruna.call('DELETE', `/agendamento/${made.id}`)
    const events = await sql`
      select audience, payload::jsonb as payload from live_event where id > ${last} and payload::jsonb->>'event' = 'agendamento' order by id`
    const makeEvent = (action: string, version: number) => ({
      audience: { to: 'everyone' },
      payload: { event: 'agendamento', action, version, agendamentoId: made.id },
    })
    const { version } = made
    expect([...events]).toEqual([
      ...[1, 2, 3, 4].map(n => makeEvent('update', version + n)),
      makeEvent('delete', version + 5),
    ])
    const { body: page } = await bruna.call<{ messages: Message[] }>('GET', `/messages/${luciasTicket}`)
    expect(page.messages.at(-1)?.system?.code).toBe('scheduled')
  })

  test('who was merged into somebody else is not named any more', async () => {
    const merged = await makeContact(db, 'Era a Lúcia')
    await sql`update contact set merged_into = ${lucia} where id = ${merged}`
    const { body } = await admin.call<Schedule>('POST', '/agendamento', form({ contactsIds: `${lucia},${merged}` }))
    expect(body.contactsIds).toBe(String(lucia))
    expect(
      describeRefusal(
        await admin.call<Refusal & Schedule>('POST', '/agendamento', form({ contactsIds: String(merged) })),
      ),
    ).toEqual([422, 'contactsIds recipientRequired'])
    await sql`delete from contact where id = ${merged}`
  })

  test('DELETE /agendamento/file/{id} takes the file away, DELETE /agendamento/{id} all of it', async () => {
    const file = new File(['texto'], 'aviso.txt', { type: 'text/plain' })
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form({ medias: file }))
    expect((await bruna.call('DELETE', `/agendamento/file/${made.id}`)).status).toBe(204)
    expect((await bruna.call<Schedule>('GET', `/agendamento/${made.id}`)).body.mediaUrl).toBeNull()
    expect((await bruna.call('GET', made.mediaUrl ?? '')).status).toBe(404)
    expect((await bruna.call('DELETE', `/agendamento/${made.id}`)).status).toBe(204)
    expect((await bruna.call<Refusal>('GET', `/agendamento/${made.id}`)).body.error).toBe('ERR_NO_SCHEDULE_FOUND')
    const { body: page } = await bruna.call<{ messages: Message[] }>('GET', `/messages/${luciasTicket}`)
    expect(page.messages.at(-1)?.system?.code).toBe('unscheduled')
  })
})

describe('in a ticket that an agent does not see', () => {
  const schedule = () => stranger.call<Refusal & { id: number }>('POST', '/agendamento', form())
  const setStatus = (status: 'open' | 'closed') =>
    sql`update ticket set status = ${status}, closed_at = case when ${status === 'closed'}::boolean then now() end where id = ${luciasTicket}`
  beforeEach(async () => {
    const [person] = await sql<{ id: number }[]>`select id from "user" where name = 'Estranho'`
    await makeTicket(db, {
      ...{ contactId: lucia, whatsappId: whatsapp, status: 'closed', queueId: null, userId: person?.id ?? 0 },
    })
  })

  test('nothing is scheduled for the customer by who served them before', async () => {
    const refused = await schedule()
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    await setStatus('closed')
    expect((await schedule()).status).toBe(201)
    await setStatus('open')
  })

  test('nothing is written that was scheduled before it began: the run says why', async () => {
    await sql`update schedule set next_run_at = null`
    await setStatus('closed')
    const { body: made } = await schedule()
    await setStatus('open')
    const read = () =>
      sql`select id from message where ticket_id = ${luciasTicket} and media_type <> 'system' order by id`
    const before = [...(await read())]
    await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${made.id}`
    await startDueSchedules({ db, dataDir: '/nowhere' })
    for (let wait: number | null = 0; wait === 0; ) wait = await dispatchNext(db, { whatsappId: whatsapp, epoch: 0 }, 0)
    expect([...(await read())]).toEqual(before)
    const rows = await sql`
      select r.state, r.reason from send_recipient r join send s on s.id = r.send_id where s.schedule_id = ${made.id}`
    expect([...rows]).toEqual([{ state: 'excluded', reason: 'hidden_ticket' }])
  })
})
