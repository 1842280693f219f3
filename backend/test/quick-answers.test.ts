// Whose a quick answer is: the team's, a queue's, or one person's alone; and which one somebody takes most often.
import { beforeEach, describe, expect, test } from 'bun:test'
import { canSeeQuickAnswer, type LiveEvent, parseSettings, type QuickAnswer, type Viewer } from '@balcao/contract'
import { buildFrame } from '../src/platform/live/frames.ts'
import type { LiveRow } from '../src/platform/live/reader.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const NAMES = ['Marina', 'Rafael', 'Bruna', 'Solange'] as const
const { sql, sales, finance, findId, findSession } = await startTwoQueueDesk()

beforeEach(async () => {
  await sql`delete from quick_answer`
  await sql`delete from live_event`
})

describe('a quick answer of one’s own', () => {
  test('is nobody else’s, not an administrator’s: not listed, found, read, changed, deleted, counted or used', async () => {
    const own = await add('Bruna', { shortcut: 'minha', message: 'Palavras de Bruna', scope: 'own' }, 'segredo.txt')
    expect(own).toMatchObject({ userId: findId('Bruna'), queueId: null })
    for (const name of ['Marina', 'Rafael', 'Solange'] as const) {
      for (const query of ['', '?searchParam=bruna', '?mostUsed=true', '?scope=own', '?all=true'])
        expect(await list(name, query)).toEqual([])
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', makeForm({ message: 'Outras palavras' })],
        ['PUT', '', makeForm({ message: 'Outras palavras', version: '0' })],
        ['POST', '/use', undefined],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await call(name, method, `/quickAnswers/${own.id}${path}`, body)
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([404, expect.not.stringContaining('Palavras')])
      }
      expect((await call(name, 'GET', own.mediaUrl ?? '')).status).toBe(404)
    }
    expect((await call('Bruna', 'GET', own.mediaUrl ?? '')).status).toBe(200)
    expect(await list('Bruna', '?scope=own')).toEqual(['minha'])
    expect(await hear()).toEqual({ Marina: [], Rafael: [], Bruna: ['create'], Solange: [] })
  })

  test('takes nobody a shortcut, and the log does not say what it is called', async () => {
    for (const name of NAMES) await add(name, { shortcut: 'pix', message: `A chave de ${name}`, scope: 'own' })
    await add('Marina', { shortcut: 'pix', message: 'A chave da loja' })
    const again = await call('Bruna', 'POST', '/quickAnswers', makeForm({ ...WORDS, shortcut: 'pix', scope: 'own' }))
    expect(again.body).toMatchObject({ error: 'ERR_DUPLICATED_SHORTCUT' })
    const { body } = await call<{ logs: { action: string; about: string | null }[] }>('Marina', 'GET', '/log')
    const about = body.logs.filter(({ action }) => action === 'quickAnswer.create').map(row => row.about)
    expect(about.slice(0, 5)).toEqual(['pix', null, null, null, null])
  })

  test('may become the team’s; what the team has nobody keeps for themselves', async () => {
    const own = await add('Bruna', { ...WORDS, scope: 'own' })
    expect(await edit('Bruna', own.id, { scope: 'team' })).toMatchObject([200, { userId: null, queueId: null }])
    expect(await hear()).toEqual({
      ...{ Marina: ['update'], Rafael: ['update'], Bruna: ['create', 'delete', 'update'], Solange: ['update'] },
    })
    expect((await edit('Bruna', own.id, { scope: 'own' }))[0]).toBe(422)
    expect((await edit('Bruna', own.id, { message: 'Outro texto' }))[0]).toBe(200)
  })

  test('is what a form makes that is sent again as one’s own, unless somebody has changed it since', async () => {
    const form = { ...WORDS, scope: 'team', clientId: 'sem-resposta' }
    const { id } = await add('Bruna', form)
    expect(await add('Bruna', { ...form, scope: 'own' })).toMatchObject({ id, userId: findId('Bruna') })
    expect(await list('Rafael')).toEqual([])
    expect(await list('Bruna')).toEqual([WORDS.shortcut])
    expect((await hear()).Rafael).toEqual(['create', 'delete'])
    const other = { ...form, shortcut: 'outra', clientId: 'mudada' }
    const team = await add('Bruna', other)
    expect((await edit('Marina', team.id, { message: 'Palavras da loja' }))[0]).toBe(200)
    expect((await call('Bruna', 'POST', '/quickAnswers', makeForm({ ...other, scope: 'own' }))).status).toBe(422)
    expect(await list('Rafael')).toEqual(['outra'])
  })
})

describe('a quick answer of a queue', () => {
  test('is for the people of the queue and administrators, with its file and what is told of it', async () => {
    const one = await add('Bruna', { ...WORDS, scope: String(finance) }, 'tabela.txt')
    const shown = { Marina: 200, Rafael: 200, Bruna: 200, Solange: 404 }
    for (const name of NAMES) {
      expect([name, await list(name)]).toEqual([name, shown[name] === 200 ? [WORDS.shortcut] : []])
      expect((await call(name, 'GET', `/quickAnswers/${one.id}`)).status).toBe(shown[name])
      expect((await call(name, 'GET', one.mediaUrl ?? '')).status).toBe(shown[name])
    }
    expect(await hear()).toEqual({ Marina: ['create'], Rafael: ['create'], Bruna: ['create'], Solange: [] })
    expect(await list('Marina', `?scope=${finance}`)).toEqual([WORDS.shortcut])
    expect(await list('Marina', `?scope=${sales}`)).toEqual([])
    expect(await list('Marina', '?scope=team')).toEqual([])
  })

  test('is only put into a queue that is there, by those who have it', async () => {
    for (const scope of [String(sales), '999999', '0', '-1', '1e3', 'all', ' ', `${finance} or true`]) {
      const { status } = await call('Bruna', 'POST', '/quickAnswers', makeForm({ ...WORDS, scope }))
      expect([scope, status]).toEqual([scope, 422])
    }
    expect((await call('Marina', 'POST', '/quickAnswers', makeForm({ ...WORDS, scope: '999999' }))).status).toBe(422)
  })

  test('given to another queue is gone for those who do not see it any more', async () => {
    const one = await add('Marina', { ...WORDS, scope: String(finance) })
    await edit('Marina', one.id, { scope: String(sales) })
    expect(await list('Bruna')).toEqual([])
    expect(await list('Solange')).toEqual([WORDS.shortcut])
    expect(await hear()).toEqual({
      Marina: ['create', 'delete', 'update'],
      ...{ Rafael: ['create', 'delete'], Bruna: ['create', 'delete'], Solange: ['update'] },
    })
  })

  test('stays when its queue goes, for administrators alone', async () => {
    const [queue] = await sql<
      { id: number }[]
    >`insert into queue (name, color) values ('Antiga', '#010203') returning id`
    const one = await add('Marina', { ...WORDS, scope: String(queue?.id) })
    expect((await call('Marina', 'DELETE', `/queue/${queue?.id}`)).status).toBe(204)
    for (const name of NAMES) expect(await list(name)).toEqual(name === 'Marina' ? [WORDS.shortcut] : [])
    expect((await edit('Marina', one.id, { message: 'Ainda se edita' }))[0]).toBe(200)
    expect((await edit('Marina', one.id, { scope: 'team' }))[0]).toBe(200)
  })

  test('a form sent again does not show what is another queue’s by now', async () => {
    const form = { ...WORDS, scope: String(finance), clientId: 'um-formulario' }
    const one = await add('Bruna', form)
    await edit('Marina', one.id, { scope: String(sales), message: 'Só para Comercial' })
    const again = await call('Bruna', 'POST', '/quickAnswers', makeForm(form))
    expect([again.status, JSON.stringify(again.body)]).toEqual([404, expect.not.stringContaining('Comercial')])
  })
})

test('page and server agree about who sees an answer', async () => {
  for (const name of NAMES) {
    await add(name, { ...WORDS, scope: 'own' })
    for (const scope of name === 'Marina' ? ['team', String(sales), String(finance)] : [])
      await add(name, { ...WORDS, scope })
  }
  const all = await sql<{ id: number; queueId: number | null; userId: number | null }[]>`
    select id, queue_id as "queueId", user_id as "userId" from quick_answer`
  for (const name of NAMES) {
    const seen = all.filter(row => canSeeQuickAnswer(VIEWERS[name], row)).map(({ id }) => id)
    expect((await load(name, '?all=true')).map(({ id }) => id).sort()).toEqual(seen.sort())
  }
})

describe('what one takes most often', () => {
  test('comes first for that person alone, a shortcut that is typed whole before it', async () => {
    for (const shortcut of ['boleto', 'bom-dia', 'bo']) await add('Marina', { ...WORDS, shortcut })
    const [row] = await load('Bruna', '?searchParam=bom-dia')
    for (let times = 0; times < 3; times++) await call('Bruna', 'POST', `/quickAnswers/${row?.id}/use`)
    expect(await list('Bruna', '?mostUsed=true')).toEqual(['bom-dia', 'bo', 'boleto'])
    expect(await list('Bruna', '?mostUsed=true&searchParam=/bo')).toEqual(['bo', 'bom-dia', 'boleto'])
    expect(await list('Rafael', '?mostUsed=true')).toEqual(['bo', 'boleto', 'bom-dia'])
    expect(await sql`select times from quick_answer_use`).toMatchObject([{ times: 3 }])
  })
})

test('a quick answer of one’s own goes with its person, and its file with it', async () => {
  const own = await add('Solange', { ...WORDS, scope: 'own' }, 'nota.txt')
  await call('Solange', 'POST', `/quickAnswers/${own.id}/use`)
  expect((await call('Marina', 'DELETE', `/users/${findId('Solange')}`)).status).toBe(204)
  expect(await sql`select 1 from quick_answer where user_id = ${findId('Solange')}`).toHaveLength(0)
  expect(await sql`select 1 from quick_answer_use where user_id = ${findId('Solange')}`).toHaveLength(0)
  expect(await sql`select owner from media where id = ${own.mediaUrl?.split('/').at(-1) ?? ''}`).toMatchObject([
    { owner: 'upload' },
  ])
})

const VIEWERS: Readonly<Record<(typeof NAMES)[number], Viewer>> = {
  Marina: { id: findId('Marina'), profile: 'admin', queueIds: [] },
  Rafael: { id: findId('Rafael'), profile: 'gerente', queueIds: [finance] },
  Bruna: { id: findId('Bruna'), profile: 'user', queueIds: [finance] },
  Solange: { id: findId('Solange'), profile: 'user', queueIds: [sales] },
}

const WORDS = { shortcut: 'prazo', message: 'O prazo é de dois dias' }

function makeForm(fields: Readonly<Record<string, string>>, file?: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file) form.set('medias', new File([`bytes de ${file}`], file, { type: 'text/plain' }))
  return form
}

function call<T = unknown>(name: string, method: string, path: string, body?: object) {
  return findSession(name).call<T>(method, path, body)
}

async function add(name: string, fields: Readonly<Record<string, string>>, file?: string): Promise<QuickAnswer> {
  const { status, body } = await call<QuickAnswer>(name, 'POST', '/quickAnswers', makeForm(fields, file))
  expect(status).toBe(201)
  return body
}

async function edit(name: string, id: number, fields: Readonly<Record<string, string>>) {
  const { status, body } = await call<QuickAnswer>(name, 'PUT', `/quickAnswers/${id}`, makeForm(fields))
  return [status, body] as const
}

async function load(name: string, query: string): Promise<readonly QuickAnswer[]> {
  return (await call<{ quickAnswers: QuickAnswer[] }>(name, 'GET', `/quickAnswers${query}`)).body.quickAnswers
}

async function list(name: string, query = ''): Promise<string[]> {
  return (await load(name, query)).map(({ shortcut }) => shortcut)
}

/** What everybody's pages hear of quick answers, in its order. */
async function hear(): Promise<Record<string, string[]>> {
  const rows = await sql<LiveRow[]>`
    select xid::text as xid, id::float8 as id, audience, payload from live_event where payload like '{"event":"quickAnswer"%' order by id`
  const heard = NAMES.map(name => {
    const frame = buildFrame(rows, VIEWERS[name], parseSettings({}), '')
    const { events }: { events: readonly LiveEvent[] } = JSON.parse(frame ?? '{"events":[]}')
    return [name, events.map(({ action }) => action)]
  })
  return Object.fromEntries(heard)
}
