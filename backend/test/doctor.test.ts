// The doctor of the installation (decisions-2 §21 `doctor`, docs/decisions/0232): what is wrong, with what to do about it, and nothing secret.
import { afterAll, describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import type { CheckUp, Finding } from '@balcao/contract'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { checkAssumptions } from '../src/operations/doctor/assumptions.ts'
import { runCheckUp } from '../src/operations/doctor/check-up.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { startDeskServer } from './desk-server.ts'
import { DATA_KEY, makeConnection, makePerson, PASSWORD } from './desk-world.ts'

const there = Bun.serve({ port: 0, fetch: () => new Response('', { status: 401 }) })
const server = await startDeskServer({
  AI_KEY: 'chave-que-ninguem-ve',
  AI_URL: `http://127.0.0.1:${there.port}/caminho-secreto?chave=segredo-no-endereco`,
  GOWA_URL: 'http://127.0.0.1:9/gateway-secreto',
  GOWA_USER: 'desk',
  GOWA_PASSWORD: 'senha-do-gateway',
})
const { db, config } = server
const sql = db.$client

afterAll(() => there.stop(true))
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'gerente' })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')
await makeConnection(db, 'Loja Centro')

const checkUp = async () => (await marina.call<CheckUp>('GET', '/doctor')).body
const found = ({ findings }: CheckUp, code: Finding['code']) => findings.filter(each => each.code === code)

describe('§21: doctor', () => {
  test('is for administrators alone', async () => {
    expect((await bruna.call('GET', '/doctor')).status).toBe(403)
  })

  test('outside hosts are asked six times a minute for one person, not for everybody together', async () => {
    await makePerson(db, { name: 'Ivo', profile: 'admin' })
    const ivo = await server.as('Ivo')
    // All within one minute of the clock: where it ends in between, the second round has it whole.
    const round = () => Promise.all(Array.from({ length: 8 }, () => ivo.call('GET', '/doctor')))
    const answers = [...(await round()), ...(await round())]
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(16 - 2 * 6)
    expect(refused[0]?.body).toMatchObject({ error: 'ERR_TOO_MANY_ATTEMPTS' })
    expect((await marina.call('GET', '/doctor')).status).toBe(200)
  })

  test('every area is looked at; a database that has what we need is well', async () => {
    const report = await checkUp()
    expect(new Set(report.findings.map(({ area }) => area))).toEqual(
      new Set(['company', 'database', 'files', 'machine', 'connections', 'queues', 'push', 'hosts', 'assumptions']),
    )
    expect(report.findings.filter(({ code }) => code === 'failed')).toEqual([])
    for (const code of [
      'database.version',
      'database.extensions',
      'database.encoding',
      'files.write',
      'machine.clock',
    ] as const)
      expect([code, found(report, code)[0]?.level]).toEqual([code, 'ok'])
  })

  test('a shop without a number, people or a queue is told so first; with them it is well', async () => {
    const report = await checkUp()
    const company = () => report.findings.slice(0, 3).map(({ code, level, params }) => [code, level, params.count])
    expect(company()).toEqual([
      ['company.queues', 'warning', 0],
      ['company.numbers', 'ok', 1],
      ['company.people', 'ok', 3],
    ])
  })

  test('a connection that is down, a file that is gone and a host that does not answer are found', async () => {
    await sql`insert into media (id, name, mime, size, sha256, owner) values ('sumiu-do-disco-0001', 'foto.png', 'image/png', 1, 'x', 'message')`
    const report = await checkUp()
    expect(found(report, 'connection.down')).toMatchObject([{ level: 'warning', params: { name: 'Loja Centro' } }])
    expect(found(report, 'files.missing')).toMatchObject([{ level: 'danger', params: { count: 1 } }])
    const hosts = found(report, 'host.reached')
    expect(hosts.find(({ params }) => params.host === `127.0.0.1:${there.port}`)?.level).toBe('ok')
    expect(hosts.find(({ params }) => params.host === '127.0.0.1:9')?.level).toBe('danger')
    await sql`delete from media`
    await rm(getMediaPath(config.dataDir, 'sumiu-do-disco-0001'), { force: true })
  })

  test('an address that somebody who is signed in named is asked only where the internet is', async () => {
    const [person] = await sql<{ id: number }[]>`select id from "user" order by id limit 1`
    let requests = 0
    const inside = Bun.serve({ port: 0, fetch: () => new Response(String(++requests)) })
    const origin = `http://127.0.0.1:${inside.port}`
    await sql`
      insert into push_subscription (user_id, family, endpoint, p256dh, auth) values (${person?.id ?? 0}, 'f', ${`${origin}/x`}, 'x', 'y')`
    const hosts = found(await runCheckUp({ db, config }), 'host.reached')
    expect(hosts.find(({ params }) => params.host === `127.0.0.1:${inside.port}`)).toMatchObject({
      level: 'danger',
      params: { why: 'private' },
    })
    expect(requests).toBe(0)
    await sql`delete from push_subscription`
    await inside.stop(true)
  })

  test('a daily backup that is late and webhooks that were refused are found', async () => {
    const daily = { ...config, backup: { ...config.backup, to: { folder: '/nowhere' } } }
    const stateOf = async () => found(await runCheckUp({ db, config: daily }), 'files.backup')[0]?.level
    expect(await stateOf()).toBe('ok')
    await sql`
      insert into backup (at, place, daily, encrypted, state) values (now() - interval '3 days', 'x', true, false, 'done')`
    expect(await stateOf()).toBe('danger')
    await sql`delete from backup`
    const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from whatsapp`
    await sql`
      insert into whatsapp_count (whatsapp_id, what, hour, count, last_at) values (${id}, 'refused', now() - interval '2 hours', 10, now())`
    expect(found(await runCheckUp({ db, config }), 'connection.webhook')).toMatchObject([
      { level: 'warning', params: { id, count: 10 } },
    ])
    await sql`delete from whatsapp_count`
  })

  test('what is behind, in doubt or not understood is counted', async () => {
    const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from whatsapp`
    await sql`insert into raw_event (whatsapp_id, key, payload, error) values (${id}, 'k', '{}', 'TypeError')`
    const report = await checkUp()
    expect(found(report, 'queues.undigested')).toMatchObject([{ level: 'warning', params: { count: 1 } }])
    expect(found(report, 'queues.unsure')).toMatchObject([{ level: 'ok', params: { count: 0 } }])
    await sql`delete from raw_event`
  })

  test('the four assumptions are unknown until they are seen, and a stand-in proves nothing', async () => {
    await sql`update whatsapp set known_number = '5531999990000'`
    const assumptions = (await checkUp()).findings.filter(({ area }) => area === 'assumptions')
    expect(assumptions.map(({ code, level }) => [code, level]).sort()).toEqual([
      ['assumption.browser', 'unknown'],
      ['assumption.official', 'unknown'],
      ['assumption.pairing', 'unknown'],
      ['assumption.socket', 'unknown'],
    ])
    const graph = { ...config.graph, url: 'https://graph.facebook.com' }
    const signal = AbortSignal.timeout(10_000)
    const real = await checkAssumptions({ db, signal, config: { ...config, whatsappWebUrl: null, graph } })
    expect(real.map(({ code, level }) => [code, level])).toEqual([
      ['assumption.socket', 'ok'],
      ['assumption.pairing', 'ok'],
      ['assumption.browser', 'unknown'],
      ['assumption.official', 'unknown'],
    ])
  })

  test('no secret, path or password is told', async () => {
    const json = JSON.stringify(await checkUp())
    for (const secret of [
      'chave-que-ninguem-ve',
      'caminho-secreto',
      'segredo-no-endereco',
      'gateway-secreto',
      'senha-do-gateway',
      DATA_KEY,
      PASSWORD,
      config.jwtSecret,
      config.push.privateKey,
      new URL(config.databaseUrl ?? 'postgres://x').password || 'no-password',
    ])
      expect([secret, json.includes(secret)]).toEqual([secret, false])
  })

  test('a database that is away is a finding, and the rest is looked at all the same', async () => {
    const away = openDatabase('postgres://postgres:segredo@127.0.0.1:9/nada', { max: 1 })
    const report = await runCheckUp({ db: away, config })
    expect(found(report, 'database.down')).toMatchObject([{ area: 'database', level: 'danger' }])
    expect(JSON.stringify(report)).not.toContain('segredo')
    expect(report.findings.some(({ area }) => area === 'machine')).toBe(true)
    await closeDatabase(away)
  })

  test('who gives it up is not kept waiting, and progress is told area by area', async () => {
    const gone = new AbortController()
    gone.abort()
    await expect(runCheckUp({ db, config }, { signal: gone.signal })).rejects.toThrow()
    const areas: string[] = []
    await runCheckUp({ db, config }, { progress: area => areas.push(area) })
    expect(areas.length).toBe(9)
  })
})
