// Where entries of the activity log come from, what a sheet of them holds, and whom they do not name (decisions §1; decisions-2 §13, §16).
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Job, JobReference, ResponseBody, Setting } from '@balcao/contract'
import en from '@balcao/contract/texts/log/en.json'
import { writeLog, writeLogs } from '../src/policy/log/write.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeSheetFile, parseSheetRows } from './sheet-files.ts'
import { waitUntil } from './until.ts'

type Page = ResponseBody<'GET /log'>

const AGENTS = {
  web: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  phone: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
  terminal: 'balcao-terminal',
  api: 'curl/8.9',
} as const

const server = await startDeskServer()
const { db, url } = server
const sql = db.$client

await sql`update "user" set name = 'Dona Secreta' where id = 1`
const queueId = await makeQueue(db, 'Suporte')
const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
const marina = await server.as('Marina')
const owner = await server.as('Dono')

beforeEach(async () => {
  await sql`delete from log_entry`
})

async function log(query = '', person = marina): Promise<Page> {
  const { status, body } = await person.call<Page>('GET', `/log?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body
}

async function origins(query = ''): Promise<string[]> {
  return (await log(query)).logs.map(({ action, origem }) => `${action} ${origem}`)
}

/** One tag from each kind of program. */
async function fromEverywhere(): Promise<void> {
  for (const [name, agent] of Object.entries(AGENTS)) {
    const { status } = await marina.call(
      'POST',
      '/tag',
      { name: `Tag ${name} ${Math.random()}` },
      { 'user-agent': agent },
    )
    expect([name, status]).toEqual([name, 201])
  }
}

describe('decisions-2 §16: where an entry comes from', () => {
  test('a page, a page on a phone, the terminal, another program: each is told, and can be asked for', async () => {
    await fromEverywhere()
    expect(await origins()).toEqual(['tag.create api', 'tag.create terminal', 'tag.create phone', 'tag.create web'])
    for (const name of Object.keys(AGENTS)) expect(await origins(`origem=${name}`)).toEqual([`tag.create ${name}`])
    expect(await origins(`origem=phone&userId=${marinaId}&entity=tag`)).toEqual(['tag.create phone'])
    expect(await origins(`origem=phone&userId=0`)).toEqual([])
    expect((await marina.call('GET', '/log?origem=nowhere')).status).toBe(422)
  })

  test('what the desk does by itself is automatic, also while a request runs; what another program sends is of the API', async () => {
    await db.transaction(async tx => {
      await writeLog(tx, { action: 'ticket.return', ticketId: 1 })
      await writeLog(tx, { action: 'api.send', ticketId: 1 })
      await writeLog(tx, { action: 'tag.create', userId: marinaId, entityId: 1 })
    })
    expect(await origins()).toEqual(['tag.create auto', 'api.send api', 'ticket.return auto'])
    expect(await origins('origem=auto')).toEqual(['tag.create auto', 'ticket.return auto'])
  })

  test('a job logs where it was asked for', async () => {
    const form = new FormData()
    form.set(
      'medias',
      makeSheetFile([
        ['nome', 'numero'],
        ['Ana Prado', '31 98655-4410'],
      ]),
    )
    const { body } = await marina.call<JobReference>('POST', '/contacts/import', form, { 'user-agent': AGENTS.phone })
    await ended(marina, body.jobId)
    expect(await origins('action=contact.import')).toEqual(['contact.import phone'])
  })

  test('what was reported keeps its own words for it; entries from before it was kept have none', async () => {
    const reported = { descricao: 'tabela trocada', origem: 'ERP' }
    await marina.call('POST', '/log', { log: reported }, { 'user-agent': AGENTS.api })
    await sql`insert into log_entry (action, origem, user_id, created_at) values ('tag.create', 'tag', ${marinaId}, now() - interval '1 hour')`
    const { logs } = await log()
    expect(logs.map(({ origem, entity, reported }) => [origem, entity, reported])).toEqual([
      ['ERP', 'ERP', true],
      ['', 'tag', false],
    ])
    expect((await log('origem=api')).logs.map(({ descricao }) => descricao)).toEqual(['tabela trocada'])
  })
})

describe('decisions-2 §13, §16: a sheet of the log', () => {
  test('holds the entries that fit and no others, newest first, as text', async () => {
    await fromEverywhere()
    const changes = [{ field: 'name', from: '=1+1', to: 'Suporte' }, { field: 'email' }]
    await db.transaction(async tx => {
      await writeLog(tx, { action: 'user.update', params: { changes }, userId: 1, entityId: marinaId })
      await writeLog(tx, { action: 'queue.create', userId: marinaId, queueId })
    })
    await marina.call('POST', '/log', { log: { descricao: '=HYPERLINK("http://x")', origem: 'ERP' } })
    const [heads, ...all] = await sheetOf(marina, {})
    expect(heads).toEqual(['data', 'hora', 'quem', 'o que fez', 'sobre', 'origem', 'informado', 'detalhes'])
    expect(all.map(row => row.slice(2))).toEqual([
      ['Marina', '=HYPERLINK("http://x")', '', 'ERP', 'sim'],
      ['Marina', 'Fila criada', 'Suporte', 'Automático', 'não'],
      ['Conta principal', 'Usuário alterado', 'Marina', 'Automático', 'não', 'name: =1+1 → Suporte; email: mudou'],
      ...['API', 'Terminal', 'Celular', 'Painel web'].map(from => [
        ...['Marina', 'Tag criada', expect.any(String)],
        ...[from, 'não'],
      ]),
    ])
    expect(all[0]?.[0]).toMatch(/^\d\d\/\d\d\/\d{4}$/)
    expect(all[0]?.[1]).toMatch(/^\d\d:\d\d$/)
    const some = await sheetOf(marina, { origem: 'phone', entity: 'tag', userId: marinaId })
    expect(some.map(row => row[5])).toEqual(['origem', 'Celular'])
    // The owner reads by name what the owner did.
    expect((await sheetOf(owner, { userId: 1 })).map(row => row[2])).toContain('Dona Secreta')
  })

  test('is written page by page: nothing twice, nothing left out, and itself an entry', async () => {
    await sql`insert into log_entry (action, origem, user_id, entity_id, params, created_at)
      select 'protocol.create', 'protocol', ${marinaId}, n, jsonb_build_object('protocolo', n), now() - n * interval '1 second' from generate_series(1, 2300) n`
    const rows = await sheetOf(marina, { action: 'protocol.create' })
    expect(rows.slice(1).map(row => row[3])).toEqual(
      Array.from({ length: 2300 }, (_, n) => `Protocolo gerado: ${n + 1}`),
    )
    const { logs } = await log('action=log.export')
    expect(logs.map(({ descricao }) => descricao)).toEqual(['Registro exportado (atividades: 2300)'])
  })

  test('is for administrators alone, to its end; what is wrong is said at once', async () => {
    const bruna = await server.as('Bruna')
    expect((await bruna.call('POST', '/log/export', {})).status).toBe(403)
    for (const body of [{ action: 'nothing' }, { firstDate: 'x' }, { searchParam: 'ab' }, { origem: 'nowhere' }])
      expect([body, (await marina.call('POST', '/log/export', body)).status]).toEqual([body, 422])
    const carlaId = await makePerson(db, { name: 'Carla', profile: 'admin' })
    const carla = await server.as('Carla')
    const job = await exported(carla, {})
    expect(job.result?.counts).toEqual({ entries: expect.any(Number) })
    expect((await fetch(new URL(job.result?.url ?? '', url))).status).toBe(200)
    await sql`update "user" set profile = 'user' where id = ${carlaId}`
    expect((await carla.call<Job>('GET', `/jobs/${job.id}`)).body.result?.url ?? null).toBeNull()
  })
})

test('the sheet speaks the language of who asks for it', async () => {
  await db.transaction(tx =>
    writeLogs(tx, [
      { action: 'contact.import', params: { created: 3, updated: 1, skipped: 0, failed: 0 }, userId: marinaId },
      { action: 'ticket.give' },
    ]),
  )
  const [heads, ...rows] = await sheetOf(marina, { language: 'en' })
  expect(heads?.slice(2, 4)).toEqual(['who', 'what was done'])
  expect(rows.map(cells => cells[3])).toEqual(
    expect.arrayContaining(['Contacts imported (new: 3, updated: 1)', en.log.ticket.give]),
  )
  expect(rows.flat().join()).not.toContain('Contatos')
})

describe('decisions §1: the owner is hidden from others', () => {
  test('what the owner did is told, the name is not: in the log, by searching, in the history of user 1, in settings', async () => {
    await owner.call('PUT', '/settings/hierarchy', { value: 'enabled' })
    await db.transaction(tx => writeLog(tx, { action: 'user.changePassword', userId: 1, entityId: 1 }))
    const theirs = await log()
    expect(theirs.logs.map(({ action, user, userId, about }) => [action, user, userId, about])).toEqual([
      ['user.changePassword', null, 1, null],
      ['setting.update', null, 1, null],
    ])
    expect((await log('searchParam=Secreta')).logs).toEqual([])
    const settings = await marina.call<Setting[]>('GET', '/settings')
    for (const answer of [theirs, await log('entity=user&entityId=1'), settings.body])
      expect(JSON.stringify(answer)).not.toContain('Secreta')
    expect(settings.body.find(({ key }) => key === 'hierarchy')).toMatchObject({ changedBy: null, version: 1 })
    const changed = await marina.call('PUT', '/settings', {
      values: { hierarchy: 'disabled' },
      versions: { hierarchy: 0 },
    })
    expect([changed.status, JSON.stringify(changed.body).includes('Secreta')]).toEqual([409, false])
  })

  test('the owner reads the own name', async () => {
    await db.transaction(tx => writeLog(tx, { action: 'user.changePassword', userId: 1, entityId: 1 }))
    const { logs } = await log('searchParam=Secreta', owner)
    expect(logs.map(({ user, about }) => [user?.name, about])).toEqual([['Dona Secreta', 'Dona Secreta']])
  })
})

async function exported(person: SignedInPerson, body: object): Promise<Job> {
  const answer = await person.call<JobReference>('POST', '/log/export', body)
  expect(answer.status).toBe(202)
  return ended(person, answer.body.jobId)
}

async function ended(person: SignedInPerson, id: number): Promise<Job> {
  const job = async () => (await person.call<Job>('GET', `/jobs/${id}`)).body
  await waitUntil('the job has ended', async () => (await job()).endedAt !== null)
  expect(await job()).toMatchObject({ state: 'done' })
  return job()
}

async function sheetOf(person: SignedInPerson, filters: object): Promise<(readonly string[])[]> {
  const job = await exported(person, filters)
  return parseSheetRows(await (await fetch(new URL(job.result?.url ?? '', url))).arrayBuffer(), 'registro.xlsx')
}
