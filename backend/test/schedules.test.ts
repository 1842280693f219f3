// Scheduled sends over HTTP, as a foreign client would use them (spec 1 §5 "Schedule dialog", §7; decisions §4 and §5).
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Message, Schedule, ScheduleLog } from '@balcao/contract'
import { listSchedules } from '../src/messaging/schedules/list.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeRun, makeSession, makeTicket } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { countRowsRead, createRecorder, PLAN_MODES } from './recorded-plans.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const queue = await makeQueue(db, 'Financeiro')
const other = await makeQueue(db, 'Entregas')
const whatsapp = await makeConnection(db, 'Loja Centro')
const official = await makeConnection(db, 'Oficial', 'cloud_api')
const marina = await makePerson(db, { name: 'Marina', profile: 'admin' })
const rafaelId = await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queue] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queue] })
await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [other] })
const admin = await server.as('Marina')
const rafael = await server.as('Rafael')
const bruna = await server.as('Bruna')
const stranger = await server.as('Estranho')
const lucia = await makeContact(db, 'Dona Lúcia')
const luciasTicket = await makeTicket(db, {
  contactId: lucia,
  whatsappId: whatsapp,
  status: 'open',
  queueId: queue,
  userId: brunaId,
})
const nobodys = await makeContact(db, 'De ninguém')
const rafaels = await makeContact(db, 'Do Rafael')
await makeTicket(db, { contactId: rafaels, whatsappId: whatsapp, status: 'open', queueId: queue, userId: rafaelId })
await sql`update contact set number = '5531987650' || id`
const made = await admin.call<{ id: number }>('POST', '/tag', { name: 'VIP', color: '#B8860B', contacts: [nobodys] })
const tag = made.body.id

beforeEach(() => allow('enabled'))

async function allow(value: 'enabled' | 'disabled'): Promise<void> {
  await admin.call('PUT', '/settings/allowAgendador', { value })
}

/** In an hour, to the minute. */
function soon(): string {
  return new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000).toISOString()
}

function form(change: Record<string, string | File> = {}): FormData {
  const data = new FormData()
  const fields = {
    message: 'Seu boleto vence amanhã',
    recurrence: 'once',
    RValue: '0',
    sendAt: soon(),
    contactsIds: String(lucia),
    whatsappId: String(whatsapp),
    log: '{}',
    ...change,
  }
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

const ofOfficial = (change: Record<string, string | File>) => form({ whatsappId: String(official), ...change })

interface Refusal {
  error: string
  details?: { path: string; code?: string; message: string }[]
}

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
    expect(saidOf(await make('Sai às duas'))).toEqual([422, 'message sentBefore'])
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
      saidOf(await admin.call<Refusal & Schedule>('POST', '/agendamento', form({ contactsIds: String(merged) }))),
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

describe('decisions-2 §15: a template for who did not write within 24 hours', () => {
  interface Header {
    readonly parameters: readonly { readonly document: { readonly mediaId: string; readonly name: string } }[]
  }
  const withHeader = (document: object, body: string) =>
    JSON.stringify({
      ...{ name: 'aviso', language: 'pt_BR' },
      parameters: [
        { type: 'header', parameters: [{ type: 'document', document }] },
        { type: 'body', parameters: [{ type: 'text', text: body }] },
      ],
    })
  const fileIn = ({ template }: Schedule) => (template?.parameters?.[0] as Header | undefined)?.parameters[0]?.document
  const upload = async (person: SignedInPerson) =>
    (await person.call<{ uploadId: string }>('PUT', '/uploads?name=nota.txt', new TextEncoder().encode('Nota fiscal')))
      .body.uploadId

  test('its words can be changed and its file stays; another one takes its place; empty words take it away', async () => {
    const template = withHeader({ uploadId: await upload(bruna) }, 'hoje')
    const { status, body: made } = await bruna.call<Schedule>('POST', '/agendamento', ofOfficial({ template }))
    expect(status).toBe(201)
    const file = fileIn(made)
    expect(file).toMatchObject({ name: 'nota.txt' })
    const put = async (template: string, person = bruna) => {
      const data = new FormData()
      data.append('template', template)
      return person.call<Schedule & Refusal>('PUT', `/agendamento/${made.id}`, data)
    }
    const all = async () =>
      (await sql<{ id: string }[]>`select id from media where owner = 'schedule'`).map(({ id }) => id)
    const others = new Set(await all()).difference(new Set([file?.mediaId]))
    const owned = async () => (await all()).filter(id => !others.has(id))
    // What a form says of a file besides which it is counts for nothing.
    const changed = await put(withHeader({ ...file, name: 'outro.txt', mime: 'text/html' }, 'amanhã'))
    expect(changed.status).toBe(200)
    expect(fileIn(changed.body)).toEqual(file)
    expect(JSON.stringify(changed.body.template)).toContain('amanhã')
    expect(await owned()).toEqual([file?.mediaId ?? ''])
    // Nobody puts in a file of others by its name.
    const other = (
      await rafael.call<Schedule>(
        'POST',
        '/agendamento',
        ofOfficial({ template: withHeader({ uploadId: await upload(rafael) }, 'x') }),
      )
    ).body
    expect((await put(withHeader(fileIn(other) ?? {}, 'amanhã'))).body.error).toBe('ERR_NO_FILE_FOUND')
    expect(fileIn((await bruna.call<Schedule>('GET', `/agendamento/${made.id}`)).body)).toEqual(file)
    await rafael.call('DELETE', `/agendamento/${other.id}`)
    const replaced = await put(withHeader({ uploadId: await upload(bruna) }, 'amanhã'))
    expect(await owned()).toEqual([fileIn(replaced.body)?.mediaId ?? ''])
    expect((await put('')).body.template).toBeNull()
    expect(await owned()).toEqual([])
    await bruna.call('DELETE', `/agendamento/${made.id}`)
  })
})

describe('decisions-2 §15: what a connection takes, as in a mass send', () => {
  const template = JSON.stringify({ name: 'aviso', language: 'pt_BR' })
  const long = { message: 'x'.repeat(1025) }
  const put = (id: number, change: Record<string, string | File>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(change)) data.append(name, value)
    return bruna.call<Schedule & Refusal>('PUT', `/agendamento/${id}`, data)
  }

  test('no template on a connection without any, also when it is given another connection', async () => {
    const refused = await bruna.call<Refusal>('POST', '/agendamento', form({ template }))
    expect(saidOf(refused)).toEqual([422, 'template templateNotOffered'])
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', ofOfficial({ template }))
    const moved = { whatsappId: String(whatsapp) }
    expect(saidOf(await put(made.id, moved))).toEqual([422, 'template templateNotOffered'])
    expect((await put(made.id, { ...moved, template: '' })).status).toBe(200)
    expect(saidOf(await put(made.id, { template }))).toEqual([422, 'template templateNotOffered'])
  })

  test('the words under a file are as long as the connection takes, also when the file comes later', async () => {
    const both = ofOfficial({ ...long, medias: note() })
    const refused = await bruna.call<Refusal>('POST', '/agendamento', both)
    expect(saidOf(refused)).toEqual([422, 'message messageLong'])
    expect(JSON.stringify(refused.body)).toContain(
      `Mensagem muito longa: ${long.message.length} caracteres, cabem 1024`,
    )
    expect((await bruna.call('POST', '/agendamento', form({ ...long, medias: note() }))).status).toBe(201)
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', ofOfficial(long))
    expect(saidOf(await put(made.id, { medias: note() }))).toEqual([422, 'message messageLong'])
    expect((await put(made.id, { message: 'Bom dia', medias: note() })).status).toBe(200)
    expect(saidOf(await put(made.id, long))).toEqual([422, 'message messageLong'])
    expect((await bruna.call('DELETE', `/agendamento/file/${made.id}`)).status).toBe(204)
    expect((await put(made.id, long)).status).toBe(200)
  })
})

describe('decisions §4: scheduled sends', () => {
  test('a user sends to single contacts of own tickets, a manager and an administrator to anybody', async () => {
    const toOthers: Record<string, string>[] = [
      { contactsIds: String(nobodys) },
      { contactsIds: String(rafaels) },
      { contactsIds: `${lucia},${nobodys}` },
      { tagsIds: String(tag) },
      { allContacts: 'true' },
    ]
    for (const change of toOthers) {
      const refused = await bruna.call<Refusal>('POST', '/agendamento', form(change))
      expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
      const { contactsIds = '', tagsIds = '', allContacts = 'false' } = change
      const counted = `?contactsIds=${contactsIds}&tagsIds=${tagsIds}&allContacts=${allContacts}`
      expect((await bruna.call('GET', `/agendamento/count${counted}`)).status).toBe(403)
      for (const person of [rafael, admin])
        expect((await person.call('POST', '/agendamento', form(change))).status).toBe(201)
    }
  })

  test('a user gives none of his to others later, and takes no contact of others in', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form())
    for (const change of [{ contactsIds: String(rafaels) }, { tagsIds: String(tag) }, { allContacts: 'true' }]) {
      const data = new FormData()
      for (const [name, value] of Object.entries(change)) data.append(name, value)
      expect((await bruna.call<Refusal>('PUT', `/agendamento/${made.id}`, data)).status).toBe(403)
    }
    expect((await bruna.call<Schedule>('GET', `/agendamento/${made.id}`)).body.contactsIds).toBe(String(lucia))
  })

  test('a user sees own ones alone; managers and administrators see all', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form())
    for (const [person, status] of [
      [bruna, 200],
      [rafael, 200],
      [admin, 200],
      [stranger, 404],
    ] as const)
      expect((await person.call('GET', `/agendamento/${made.id}`)).status).toBe(status)
    const listed = async (person: SignedInPerson) => {
      const { body } = await person.call<{ agendamentos: Schedule[] }>('GET', `/agendamento?contactId=${lucia}`)
      return body.agendamentos.some(schedule => schedule.id === made.id)
    }
    expect([await listed(bruna), await listed(rafael), await listed(stranger)]).toEqual([true, true, false])
    const { body: all } = await rafael
      .call<{ agendamentos: Schedule[] }>('POST', '/agendamento', form())
      .then(() => rafael.call<{ agendamentos: Schedule[] }>('GET', '/agendamento?limit=1'))
    const own = await bruna.call('GET', `/agendamento/${all.agendamentos[0]?.id}`)
    expect(own.status).toBe(404)
    expect((await stranger.call('PUT', `/agendamento/${made.id}`, form())).status).toBe(404)
    expect((await stranger.call('DELETE', `/agendamento/${made.id}`)).status).toBe(404)
    expect((await stranger.call('DELETE', `/agendamento/file/${made.id}`)).status).toBe(404)
    expect((await stranger.call('GET', `/agendamento/logs/${made.id}`)).status).toBe(404)
    for (const action of ['pause', 'resume', 'cancel'])
      expect((await stranger.call('PUT', `/agendamento/${made.id}/${action}`)).status).toBe(404)
    expect((await bruna.call<Schedule>('GET', `/agendamento/${made.id}`)).body).toEqual(made)
  })
})

describe('spec 3 §2: GET /agendamento is searched and filtered', () => {
  interface Page {
    readonly agendamentos: Schedule[]
    readonly count: number
    readonly hasMore: boolean
    readonly nextCursor: string | null
  }
  const search = (person: SignedInPerson, query: Record<string, string>) =>
    person.call<Page & Refusal>('GET', `/agendamento?${new URLSearchParams(query)}`)
  const titles = async (query: Record<string, string>, person = rafael) =>
    (await search(person, query)).body.agendamentos.map(({ title }) => title)

  beforeAll(async () => {
    const daily = { recurrence: 'every_day', RValue: '', sendAt: '09:00' }
    await rafael.call('POST', '/agendamento', form({ title: 'Açúcar 100%', message: 'Chegou o palhaço' }))
    await rafael.call('POST', '/agendamento', form({ title: 'Diário', message: 'Açúcar em oferta', ...daily }))
    await bruna.call('POST', '/agendamento', form({ title: 'Da Bruna', message: 'Acabou o açucar' }))
  })

  test('by title or message, whatever accents and capitals, nothing of it a pattern', async () => {
    expect(await titles({ searchParam: ' ACUCAR ' })).toEqual(['Da Bruna', 'Diário', 'Açúcar 100%'])
    expect(await titles({ searchParam: '100%' })).toEqual(['Açúcar 100%'])
    expect(await titles({ searchParam: 'a%o' })).toEqual([])
    expect(await titles({ searchParam: "açúcar' or true --" })).toEqual([])
    expect(await titles({ searchParam: 'palhaco' })).toEqual(['Açúcar 100%'])
  })

  test('by how often they go out, together with the search and with a contact; what is none is refused', async () => {
    expect(await titles({ searchParam: 'açúcar', recurrence: 'every_day' })).toEqual(['Diário'])
    expect(await titles({ searchParam: 'açúcar', recurrence: 'once', contactId: String(lucia) })).toEqual([
      'Da Bruna',
      'Açúcar 100%',
    ])
    expect(await titles({ searchParam: 'açúcar', contactId: String(nobodys) })).toEqual([])
    expect((await search(rafael, { recurrence: 'sempre' })).status).toBe(422)
    expect((await search(rafael, { searchParam: 'x'.repeat(201) })).status).toBe(422)
  })

  test('of others nothing is found nor counted; pages go on under what is searched, and the count is of all of them', async () => {
    expect(await titles({ searchParam: 'açúcar' }, bruna)).toEqual(['Da Bruna'])
    expect((await search(bruna, { searchParam: 'açúcar' })).body.count).toBe(1)
    expect((await search(stranger, {})).body).toMatchObject({ agendamentos: [], count: 0 })
    const { body: first } = await search(rafael, { searchParam: 'açúcar', limit: '2' })
    expect([first.count, first.hasMore]).toEqual([3, true])
    const rest = { searchParam: 'açúcar', limit: '2', cursor: first.nextCursor ?? '' }
    expect(await titles(rest)).toEqual(['Açúcar 100%'])
    const { body } = await search(rafael, {})
    const [all] = await sql<{ n: number }[]>`select count(*)::int as n from schedule`
    expect(body.count).toBe(all?.n ?? -1)
  })

  for (const mode of PLAN_MODES)
    test(`of thousands a rare word reads those that have it (${mode})`, async () => {
      await sql`insert into schedule (title, message, recurrence, send_time)
        select 'Cobrança ' || n, repeat('Seu boleto vence amanhã. ', 20) || n, 'every_day', '09:00' from generate_series(1, 5000) n`
      await sql`vacuum analyze schedule`
      const { db: watched, nodesOf, end } = createRecorder(server.config.databaseUrl ?? '', mode)
      try {
        const all = await makeSession(db, marina)
        const session = { ...all, settings: { ...all.settings, allowAgendador: true } }
        let found: unknown
        const nodes = await nodesOf(async () => {
          found = await listSchedules(watched, session, { searchParam: 'palhaço' })
        })
        expect(found).toMatchObject({ count: 1 })
        const read = nodes.filter(node => node['Relation Name'] === 'schedule').map(countRowsRead)
        expect(read.filter(rows => rows > 100)).toEqual([])
      } finally {
        await end()
        await sql`delete from schedule where title like 'Cobrança %'`
      }
    })
})

describe('decisions §5: allowAgendador', () => {
  test('switched off, every call is refused to everybody', async () => {
    await allow('disabled')
    for (const person of [admin, rafael, bruna])
      for (const [method, path] of [
        ['GET', '/agendamento'],
        ['GET', '/agendamento/1'],
        ['GET', `/agendamento/count?contactsIds=${lucia}`],
        ['GET', `/agendamento/logs/ticket/${luciasTicket}`],
        ['POST', '/agendamento'],
        ['PUT', '/agendamento/1'],
        ['DELETE', '/agendamento/1'],
        ['DELETE', '/agendamento/file/1'],
      ] as const) {
        const writes = method === 'POST' || method === 'PUT'
        const { status, body } = await person.call<Refusal>(method, path, writes ? form() : undefined)
        expect([path, status, body.error]).toEqual([path, 403, 'ERR_NO_PERMISSION'])
      }
  })
})

describe('spec 1 §7: GET /agendamento/count', () => {
  test('counts each contact once, and not those who want no sends', async () => {
    const count = async (query: string) =>
      (await admin.call<{ count: number }>('GET', `/agendamento/count?${query}`)).body.count
    expect(await count(`contactsIds=${lucia},${nobodys}&tagsIds=${tag}`)).toBe(2)
    expect(await count(`tagsIds=${tag}`)).toBe(1)
    expect(await count('allContacts=true')).toBe(3)
    await admin.call('PUT', `/contacts/${nobodys}`, { optedOut: true })
    expect(await count(`contactsIds=${lucia},${nobodys}`)).toBe(1)
    await admin.call('PUT', `/contacts/${nobodys}`, { optedOut: false })
    expect((await bruna.call('GET', '/agendamento/count?allContacts=true')).status).toBe(403)
    expect((await admin.call('GET', '/agendamento/count?contactsIds=x')).status).toBe(422)
  })
})

describe('spec 1 §7: GET /agendamento/logs/ticket/{ticketId}', () => {
  test('tells what sends did in a conversation, to who may see it', async () => {
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', form({ title: 'Lembrete' }))
    await makeRun(db, made.id, { contactId: lucia, ticketId: luciasTicket })
    const path = `/agendamento/logs/ticket/${luciasTicket}`
    const { body } = await bruna.call<ScheduleLog[]>('GET', path)
    expect(body[0]).toMatchObject({
      body: 'Seu boleto vence amanhã',
      wasSend: true,
      agendamento: { id: made.id, title: 'Lembrete', message: 'Seu boleto vence amanhã' },
    })
    // Of another's an attendant knows what stands in the conversation: neither its title nor what it says meanwhile, nor who was left out.
    const others = (await admin.call<Schedule>('POST', '/agendamento', form({ title: 'Interno' }))).body
    await makeRun(db, others.id, { contactId: lucia, ticketId: luciasTicket })
    await sql`insert into send (schedule_id, due_at, state, body, recipients) values (${others.id}, now() + interval '1 day', 'done', 'Segredo', '{}')`
    await sql`insert into send_recipient (send_id, contact_id, state, reason)
      select id, ${lucia}, 'excluded', 'opted_out' from send where body = 'Segredo'`
    await sql`update schedule set message = 'Texto novo' where id = ${others.id}`
    const ofOthers = async (person: SignedInPerson) =>
      (await person.call<ScheduleLog[]>('GET', path)).body.filter(log => log.agendamento.id === others.id)
    expect(await ofOthers(bruna)).toMatchObject([
      { wasSend: true, agendamento: { id: others.id, title: '', message: '' } },
    ])
    expect(JSON.stringify(await ofOthers(bruna))).not.toMatch(/Interno|Segredo|Texto novo/)
    expect((await ofOthers(rafael)).map(log => [log.body, log.agendamento.title])).toEqual([
      ['Segredo', 'Interno'],
      ['Seu boleto vence amanhã', 'Interno'],
    ])
    // Nor what went to the same contact in a conversation one may not see.
    const [other] = await sql<{ id: number }[]>`select id from queue where name = 'Entregas'`
    const elsewhere = await makeTicket(db, {
      ...{ contactId: lucia, whatsappId: official, status: 'closed' },
      queueId: other?.id ?? 0,
    })
    const third = (await admin.call<Schedule>('POST', '/agendamento', form({ title: 'Da entrega' }))).body
    await makeRun(db, third.id, { contactId: lucia, ticketId: elsewhere })
    const seen = async (person: SignedInPerson) =>
      (await person.call<ScheduleLog[]>('GET', path)).body.some(log => log.agendamento.id === third.id)
    expect([await seen(bruna), await seen(rafael), await seen(admin)]).toEqual([false, false, true])
    const hidden = await stranger.call<Refusal>('GET', path)
    expect([hidden.status, hidden.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })
})

function note(): File {
  return new File(['tabela'], 'tabela.txt', { type: 'text/plain' })
}

/** The status of a refusal, and which field it is about. */
function saidOf({ status, body }: { status: number; body: Refusal }): unknown[] {
  return [status, ...(body.details ?? []).map(({ path, code }) => `${path} ${code}`)]
}
