// Who may read and save which setting, and what one would do before it is saved (spec 2 §6, decisions-2 §18).
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  type AccessSettings,
  canSeeTicket,
  PREVIEWED_SETTINGS,
  parseSettings,
  type Setting,
  type SettingPreview,
  type SettingSaveResult,
  TICKET_STATUSES,
} from '@balcao/contract'
import { foldTally } from '../src/desk/tickets/tally.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { loadFacts } from '../src/policy/access/ticket-facts.ts'
import { findMovedTickets } from '../src/policy/settings/preview.ts'
import type { SignedInPerson } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { createSeededRandom } from './seeded-random.ts'
import { faults, put, startSettingsDesk } from './settings-desk.ts'

const { server, db, staff, owner, marina, otavio, now, count } = await startSettingsDesk()

describe('who may', () => {
  test('spec 2 §6: blockImportContacts is the owner’s alone, on every way', async () => {
    const ways = (as: SignedInPerson) => [
      () => as.call('PUT', '/settings/blockImportContacts', { value: 'enabled' }),
      () => as.call('PUT', '/settings/block%49mportContacts', { value: 'enabled' }),
      () => put(as, { blockImportContacts: 'enabled' }),
      () => put(as, { blockImportContacts: 'enabled' }, { blockImportContacts: 0 }),
      () => put(as, { sound: 'default', blockImportContacts: 'enabled' }),
    ]
    for (const as of [marina, otavio, ...staff])
      for (const way of ways(as)) expect((await way()).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await now('blockImportContacts', owner))?.value).toBe('disabled')
    for (const way of ways(owner).slice(0, 3)) expect((await way()).status).toBe(200)
    expect((await now('blockImportContacts', owner))?.value).toBe('enabled')
    for (const as of [marina, otavio, ...staff])
      expect((await as.call<Setting[]>('GET', '/settings')).body.map(({ key }) => key)).not.toContain(
        'blockImportContacts',
      )
    const [event] = await db.$client<{ audience: object }[]>`
      select audience from live_event where payload like '%blockImportContacts%' order by id desc limit 1`
    expect(event?.audience).toEqual({ to: 'users', userIds: [1] })
  })

  test('changing and looking first are the administrators’; everybody reads values, and nothing else', async () => {
    for (const person of staff) {
      expect((await put(person, { sound: 'skype' })).status).toBe(403)
      expect((await person.call('PUT', '/settings/userApiToken', { value: 'new' })).status).toBe(403)
      expect((await person.call('POST', '/settings/userShowAll/preview', { value: 'enabled' })).status).toBe(403)
      const { body } = await person.call<Setting[]>('GET', '/settings')
      expect(body.some(({ key }) => key === 'userApiToken')).toBe(false)
      expect(new Set(body.flatMap(each => Object.keys(each)))).toEqual(new Set(['key', 'value']))
    }
  })

  test('decisions §5 userApiToken: shown once, changed for another, taken away; two who make one at once do not undo each other', async () => {
    const make = (as: SignedInPerson, version: number) =>
      as.call<SettingSaveResult>('PUT', '/settings/userApiToken', { value: 'new', version })
    const [one, two] = (await Promise.all([make(marina, 0), make(otavio, 0)])).sort((a, b) => a.status - b.status)
    expect([one?.status, two?.status]).toEqual([200, 409])
    const token = one?.body.value ?? ''
    const known = (input: string) => browserStatus(input)
    expect(await known(token)).not.toBe(401)
    expect((await now('userApiToken'))?.value).toBe(`••••${token.slice(-4)}`)
    expect(JSON.stringify(two?.body)).not.toContain(token)
    const next = await make(marina, 1)
    expect([await known(token), await known(next.body.value)]).toEqual([401, expect.not.stringMatching('401')])
    await marina.call('PUT', '/settings/userApiToken', { value: '' })
    expect(await known(next.body.value)).toBe(401)
    expect((await marina.call('PUT', '/settings/userApiToken', { value: 'meu-token' })).status).toBe(422)
    // Of a token nothing is told but its last characters, and to administrators alone; nothing else of it is written down.
    const rows = await getSql(db)<{ audience: { to: string }; payload: string }[]>`
      select audience, payload from live_event where payload like '%userApiToken%' order by id`
    expect(rows.map(({ audience, payload }) => [audience.to, JSON.parse(payload).setting.value])).toEqual([
      ['admins', `••••${token.slice(-4)}`],
      ['admins', `••••${next.body.value.slice(-4)}`],
      ['admins', ''],
    ])
    const deeds = await getSql(db)<{ action: string; params: unknown }[]>`
      select action, params from log_entry where action in ('setting.createToken', 'setting.removeToken') order by id`
    expect(deeds.map(({ action, params }) => [action, params])).toEqual([
      ['setting.createToken', null],
      ['setting.createToken', null],
      ['setting.removeToken', null],
    ])
  })
})

async function browserStatus(token: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/messages/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  return answer.status
}

describe('decisions-2 §18: the dry run of a setting', () => {
  const random = createSeededRandom(20_270_318)
  const people: number[] = []

  beforeAll(async () => {
    const queues = [
      await makeQueue(db, 'Comercial'),
      await makeQueue(db, 'Financeiro'),
      await makeQueue(db, 'Entregas'),
    ]
    const whatsappId = await makeConnection(db, 'Loja Centro')
    for (const profile of ['admin', 'gerente', 'gerente', 'user', 'user', 'user', 'user', 'user'] as const) {
      const queueIds = queues.filter(() => random.chance(0.6))
      people.push(await makePerson(db, { name: `${profile}${people.length}`, profile, queueIds }))
    }
    // Two with the same rights.
    people.push(await makePerson(db, { name: 'gemea1', profile: 'user', queueIds: queues.slice(0, 2) }))
    people.push(await makePerson(db, { name: 'gemea2', profile: 'user', queueIds: queues.slice(0, 2) }))
    const away = await makePerson(db, { name: 'inativa', profile: 'user', queueIds: queues, active: false })
    for (let n = 0; n < 150; n++) {
      const isGroup = random.chance(0.25)
      const contactId = await makeContact(db, `Cliente ${n}`, isGroup)
      const userId = random.chance(0.3) ? null : random.pick([...people, away])
      const queueId = random.chance(0.25) ? null : random.pick(queues)
      await makeTicket(db, { contactId, whatsappId, status: random.pick(TICKET_STATUSES), queueId, userId, isGroup })
      if (n === 75) await foldTally(db)
    }
  })

  test('says what a fresh count by the policy says, for everybody, whatever the other settings are', async () => {
    const live = await getSql(db)<
      { id: number; status: string }[]
    >`select id, status from ticket where status <> 'closed'`
    const facts = [
      ...(await loadFacts(
        db,
        live.map(({ id }) => id),
      )),
    ]
    const names = new Map(
      (
        await getSql(db)<
          { id: number; name: string }[]
        >`select id, name from "user" where active and deleted_at is null`
      ).map(({ id, name }) => [id, name]),
    )
    let moved = 0
    for (let world = 0; world < 40; world++) {
      const key = random.pick(PREVIEWED_SETTINGS)
      const some = Object.fromEntries(PREVIEWED_SETTINGS.map(each => [each, random.chance(0.5)]))
      const before: AccessSettings = { ...parseSettings({}), ...some }
      const after: AccessSettings = { ...before, [key]: !before[key] }
      const shown = { appear: new Set<number>(), disappear: new Set<number>() }
      const expected = []
      for (const [userId, name] of names) {
        const { viewer } = await makeSession(db, userId)
        const changes = facts.flatMap(([id, ticket]) => {
          const [was, is] = [before, after].map(settings => canSeeTicket(viewer, ticket, settings))
          return was === is ? [] : [{ id, way: is ? ('appear' as const) : ('disappear' as const), ticket }]
        })
        for (const { id, way } of changes) shown[way].add(id)
        const of = (way: string) => changes.filter(each => each.way === way).length
        const waiting = changes.filter(({ ticket }) => ticket.status === 'pending').length
        if (changes.length > 0)
          expected.push({ userId, name, appear: of('appear'), disappear: of('disappear'), waiting })
      }
      const { tickets, people: told } = await findMovedTickets(db, before, after)
      const byId = (a: { userId: number }, b: { userId: number }) => a.userId - b.userId
      expect({ key, before, told: [...told].sort(byId) }).toEqual({ key, before, told: expected.sort(byId) })
      expect(tickets).toEqual({ appear: shown.appear.size, disappear: shown.disappear.size })
      moved += tickets.appear + tickets.disappear
    }
    expect(moved).toBeGreaterThan(500)
  })

  test('stores nothing and tells nobody', async () => {
    const before = await count()
    const answer = await marina.call<SettingPreview>('POST', '/settings/onlyAdminSeeEmptyQueue/preview', {
      value: 'enabled',
    })
    expect(await count()).toEqual(before)
    expect((await now('onlyAdminSeeEmptyQueue'))?.value).toBe('disabled')
    expect(answer.body.tickets.disappear).toBeGreaterThan(0)
    const settings = parseSettings({})
    expect(answer.body).toEqual(await findMovedTickets(db, settings, { ...settings, onlyAdminSeeEmptyQueue: true }))
  })

  test('is refused for a value that is none, and for what changes nothing of who sees what', async () => {
    const preview = (key: string, value: string) => marina.call('POST', `/settings/${key}/preview`, { value })
    expect(faults(await preview('hierarchy', 'talvez'))).toMatchObject([['value', 'toggle', expect.any(String)]])
    expect(faults(await preview('sound', 'blub'))).toMatchObject([['value', 'noPreview', expect.any(String)]])
    expect((await preview('nada', 'enabled')).body).toMatchObject({ error: 'ERR_NO_SETTING_FOUND' })
    expect((await preview('hierarchy', 'disabled')).body).toEqual({ tickets: { appear: 0, disappear: 0 }, people: [] })
  })
})
