// What a scheduled send needs, who sees and may have it, and its log (decisions §4, §5, decisions-2 §15).
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Schedule, ScheduleLog } from '@balcao/contract'
import { listSchedules } from '../src/messaging/schedules/list.ts'
import type { SignedInPerson } from './desk-server.ts'
import { makeRun, makeSession, makeTicket } from './desk-world.ts'
import { countRowsRead, createRecorder, PLAN_MODES } from './recorded-plans.ts'
import { describeRefusal, note, type Refusal, startSchedulesDesk } from './schedules-desk.ts'

const {
  server,
  db,
  sql,
  whatsapp,
  official,
  marina,
  admin,
  rafael,
  bruna,
  stranger,
  lucia,
  luciasTicket,
  nobodys,
  rafaels,
  tag,
  allow,
  form,
} = await startSchedulesDesk()

const ofOfficial = (change: Record<string, string | File>) => form({ whatsappId: String(official), ...change })

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
    expect(describeRefusal(refused)).toEqual([422, 'template templateNotOffered'])
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', ofOfficial({ template }))
    const moved = { whatsappId: String(whatsapp) }
    expect(describeRefusal(await put(made.id, moved))).toEqual([422, 'template templateNotOffered'])
    expect((await put(made.id, { ...moved, template: '' })).status).toBe(200)
    expect(describeRefusal(await put(made.id, { template }))).toEqual([422, 'template templateNotOffered'])
  })

  test('the words under a file are as long as the connection takes, also when the file comes later', async () => {
    const both = ofOfficial({ ...long, medias: note() })
    const refused = await bruna.call<Refusal>('POST', '/agendamento', both)
    expect(describeRefusal(refused)).toEqual([422, 'message messageLong'])
    expect(JSON.stringify(refused.body)).toContain(
      `Mensagem muito longa: ${long.message.length} caracteres, cabem 1024`,
    )
    expect((await bruna.call('POST', '/agendamento', form({ ...long, medias: note() }))).status).toBe(201)
    const { body: made } = await bruna.call<Schedule>('POST', '/agendamento', ofOfficial(long))
    expect(describeRefusal(await put(made.id, { medias: note() }))).toEqual([422, 'message messageLong'])
    expect((await put(made.id, { message: 'Bom dia', medias: note() })).status).toBe(200)
    expect(describeRefusal(await put(made.id, long))).toEqual([422, 'message messageLong'])
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
