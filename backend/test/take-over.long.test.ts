import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { NOT_PAIRED } from '../src/messaging/channels/shared/link-machine.ts'
import { Trouble } from '../src/messaging/channels/shared/trouble.ts'
import { openLeases } from '../src/messaging/owner/leases.ts'
import { type RunningSupervisor, startSupervisor } from '../src/messaging/owner/supervisor.ts'
import type { Driver, DriverHost } from '../src/platform/channel/driver.ts'
import { type Config, readConfig } from '../src/platform/config.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { openNotices } from '../src/platform/database/notices.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { createTestDatabase } from './database.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { startNetwork } from './network.ts'
import { createNetworkDriver } from './network-driver.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'
import { killOwners, startOwner } from './owner-child.ts'
import { makeTestFolder } from './test-folder.ts'
import { waitUntil } from './until.ts'

const home = makeTestFolder()

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const network = startNetwork()
const notices = openNotices(db)
const supervisors: RunningSupervisor[] = []

afterEach(async () => {
  await killOwners()
  for (const supervisor of supervisors.splice(0)) await supervisor.close()
  await sql`update whatsapp set wanted = false`
})
afterAll(async () => {
  network.stop()
  await notices.close()
})

describe('two processes on one database', () => {
  test('one runs a connection; when it is killed the other takes over within 5 s and goes on sending', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const env = { DATABASE_URL: url, NETWORK_URL: network.url }
    const first = await startOwner(env)
    await world.write(0, 'antes')
    await waitUntil('the first sends', async () => (await world.states())[0]?.state === 'sent')
    await startOwner(env)
    const epoch = await epochOf(world.whatsappId)
    await first.kill()
    const killed = performance.now()
    const id = await world.write(0, 'depois')
    await waitUntil('the second sends', async () => (await world.stateOf(id)) === 'sent', 5000)
    expect(performance.now() - killed).toBeLessThan(5000)
    expect(await epochOf(world.whatsappId)).toBe(epoch + 1)
    expect(network.arrived.filter(one => one.to === world.tickets[0]?.to)).toHaveLength(2)
  })

  for (const [name, busy] of [
    ['that is frozen', false],
    ['that is frozen in the middle of a transaction', true],
  ] as const)
    test(`an owner ${name} is taken over from within 6 s; thawed it changes and sends nothing`, async () => {
      const world = await makeOutgoingFixture(db, 2)
      const env = { DATABASE_URL: url, NETWORK_URL: network.url, OWN_IDS: 'no' }
      const first = await startOwner(env)
      await world.write(0, 'antes')
      await waitUntil('the first sends', async () => (await world.states())[0]?.state === 'sent')
      await startOwner(env)
      const epoch = await epochOf(world.whatsappId)
      const stuck = busy ? await holdRow(world.whatsappId) : null
      first.freeze()
      const id = await world.write(0, 'depois')
      await waitUntil('the second sends', async () => (await world.stateOf(id)) === 'sent', 6000)
      first.thaw()
      await stuck?.close()
      const last = await world.write(1, 'por fim')
      await waitUntil('the second goes on', async () => (await world.stateOf(last)) === 'sent')
      await waitUntil('the first looks again for what to run', async () => (await countLockSessions()) === 2)
      expect(await epochOf(world.whatsappId)).toBe(epoch + 1)
      const sent = network.arrived.filter(one => world.tickets.some(({ to }) => to === one.to))
      expect(sent).toHaveLength(3)
    })

  test('a connection is never run twice', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const a = await supervise()
    const b = await supervise()
    await waitUntil('one runs it', () => a.running.length + b.running.length > 0)
    await a.restart(world.whatsappId)
    expect([...a.running, ...b.running]).toEqual([world.whatsappId])
  })

  test('an owner that ends in order hands over at once', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const a = await supervise()
    await waitUntil('the first runs it', () => a.running.length === 1)
    const lines: string[] = []
    const metrics = createMetrics()
    const b = await supervise(undefined, {
      log: pino({ level: 'info' }, { write: line => lines.push(line) }),
      metrics,
    })
    supervisors.splice(supervisors.indexOf(a), 1)
    await a.close()
    await waitUntil('the second runs it', () => b.running.includes(world.whatsappId), 3000)
    const [connection] = await sql<{ name: string }[]>`select name from whatsapp where id = ${world.whatsappId}`
    const takeover = lines
      .map(line => JSON.parse(line))
      .find(({ msg }) => msg.startsWith('this process took a connection'))
    expect(takeover).toMatchObject({ whatsappId: world.whatsappId, name: connection?.name, kind: 'baileys' })
    expect(lines.join('')).not.toContain('undefined')
    expect(await metrics.registry.metrics()).toContain('balcao_connection_restarts_total{kind="baileys"} 1')
  })

  test('an owner whose lock session is ended by the server gives everything up, then comes back with a new epoch', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const only = await supervise()
    await waitUntil(
      'it runs',
      async () => only.running.length === 1 && (await statusOf(world.whatsappId)) === 'CONNECTED',
    )
    const epoch = await epochOf(world.whatsappId)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'balcao-leases' and datname = current_database()`
    await waitUntil('it runs anew', async () => (await epochOf(world.whatsappId)) > epoch && only.running.length === 1)
    const id = await world.write(0, 'ainda aqui')
    await waitUntil('it sends', async () => (await world.stateOf(id)) === 'sent')
  })

  test('a lock is held once, and its epoch only grows', async () => {
    const world = await makeOutgoingFixture(db, 0)
    const log = { warn() {} }
    const a = openLeases({ url, lost: () => {}, log })
    const b = openLeases({ url, lost: () => {}, log })
    expect([...(await a.take([world.whatsappId])).values()]).toEqual([1])
    expect((await b.take([world.whatsappId])).size).toBe(0)
    await a.give(world.whatsappId)
    expect([...(await b.take([world.whatsappId])).values()]).toEqual([2])
    await Promise.all([a.close(), b.close()])
  })

  test('a connection whose row somebody holds keeps none of the others from being run, and is run afterwards', async () => {
    const [free, stuck, last] = [
      await makeOutgoingFixture(db, 0),
      await makeOutgoingFixture(db, 0),
      await makeOutgoingFixture(db, 0),
    ]
    const ids = [free, stuck, last].map(world => world.whatsappId)
    const leases = openLeases({ url, lost: () => {}, log: { warn() {} } })
    const epochs = await db.transaction(async tx => {
      await getSql(tx)`select 1 from whatsapp where id = ${stuck.whatsappId} for update`
      return leases.take(ids)
    })
    expect([...epochs]).toEqual([free, last].map(world => [world.whatsappId, 1]))
    expect([...(await leases.take(ids))]).toEqual([[stuck.whatsappId, 1]])
    await leases.close()
  })

  test('rows that somebody holds do not keep the lock session from its sign of life: nothing is given up', async () => {
    const [mine, ...stuck] = await Promise.all([0, 0, 0].map(customers => makeOutgoingFixture(db, customers)))
    let lost = false
    // `pg` warns who gives a client a second statement while it runs one.
    const warnings: Error[] = []
    const noteWarning = (warning: Error) => void warnings.push(warning)
    process.on('warning', noteWarning)
    const leases = openLeases({ url, lost: () => (lost = true), log: { warn() {} } })
    await leases.take([mine?.whatsappId ?? 0])
    await db.transaction(async tx => {
      const ids = stuck.map(world => world.whatsappId)
      await getSql(tx)`select 1 from whatsapp where id = any(${ids}::int[]) for update`
      // Each begins to wait before the one before it has given up.
      await Promise.all(ids.map(id => leases.take([id])))
    })
    expect([lost, warnings]).toEqual([false, []])
    process.off('warning', noteWarning)
    await leases.close()
  })
})

describe('what is asked of a connection from another process', () => {
  test('a pair code comes back to whoever asked', async () => {
    const world = await makeOutgoingFixture(db, 0)
    await startOwner({ DATABASE_URL: url, NETWORK_URL: network.url })
    await waitUntil('it runs it', async () => (await statusOf(world.whatsappId)) === 'CONNECTED')
    const asking = await supervise()
    expect(asking.running).toEqual([])
    expect(await asking.pair(world.whatsappId, '5531998762210')).toBe('CODE2210')
  })

  test('stopping disconnects, starting connects again', async () => {
    const world = await makeOutgoingFixture(db, 0)
    const only = await supervise()
    await waitUntil('it is connected', async () => (await statusOf(world.whatsappId)) === 'CONNECTED')
    await only.stop(world.whatsappId)
    await waitUntil('it is disconnected', async () => (await statusOf(world.whatsappId)) === 'DISCONNECTED')
    await only.start(world.whatsappId)
    await waitUntil('it is connected again', async () => (await statusOf(world.whatsappId)) === 'CONNECTED')
  })

  test('a deleted connection is unlinked and what waited in it has failed', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const only = await supervise()
    await waitUntil('it is connected', async () => (await statusOf(world.whatsappId)) === 'CONNECTED')
    network.hold(true)
    await world.write(0, 'no caminho')
    const waits = await world.write(0, 'espera')
    await sql`update whatsapp set wanted = false, deleted_at = now() where id = ${world.whatsappId}`
    await only.logout(world.whatsappId)
    network.hold(false)
    await waitUntil('it failed', async () => (await world.stateOf(waits)) === 'failed')
    expect(only.running).toEqual([])
  })

  test('deleted while it is being started it is started, unlinked and let go: nothing of it is left running', async () => {
    const world = await makeOutgoingFixture(db, 0)
    const gate = Promise.withResolvers<void>()
    const done: string[] = []
    const only = await supervise(host => {
      const driver = createNetworkDriver(host, { url: network.url, ownIds: true })
      return {
        ...driver,
        async start() {
          done.push('start')
          await host.emit([{ type: 'status', status: 'OPENING' }])
          await gate.promise
          await driver.start()
        },
        async stop() {
          done.push('stop')
        },
        async logout() {
          done.push('logout')
          await driver.logout()
        },
      }
    })
    await waitUntil('it is starting', async () => (await statusOf(world.whatsappId)) === 'OPENING')
    await sql`update whatsapp set wanted = false, deleted_at = now(), status = 'DISCONNECTED' where id = ${world.whatsappId}`
    const asked = only.logout(world.whatsappId)
    gate.resolve()
    await asked
    await waitUntil('it is let go', () => only.running.length === 0 && done.includes('stop'))
    expect(done).toEqual(['start', 'logout', 'stop'])
    // Its lock is free: were it there again, anybody could run it.
    await sql`update whatsapp set deleted_at = null where id = ${world.whatsappId}`
    const leases = openLeases({ url, lost: () => {}, log: { warn() {} } })
    await waitUntil('its lock is given back', async () => (await leases.take([world.whatsappId])).size === 1)
    await leases.close()
  })

  test('deleted by a process that ended before it was logged out, it is logged out by the next one, and its keys are kept until then', async () => {
    const world = await makeOutgoingFixture(db, 0)
    const { whatsappId } = world
    await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${whatsappId}, 'creds', '', '{}')`
    await sql`update whatsapp set config = '{"webhookSecret":"chave"}', deleted_at = now() where id = ${whatsappId}`
    const done: string[] = []
    const only = await supervise(host => {
      const driver = createNetworkDriver(host, { url: network.url, ownIds: true })
      return {
        ...driver,
        async start() {
          await driver.start()
          done.push('start')
        },
        async logout() {
          const [row] = await sql`
            select config <> '{}' as config, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys from whatsapp w where id = ${whatsappId}`
          expect(row).toEqual({ config: true, keys: true })
          done.push('logout')
          await driver.logout()
        },
      }
    })
    const left = async () => {
      const [row] = await sql<{ wanted: boolean; config: object; keys: boolean }[]>`
        select wanted, config, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys from whatsapp w where id = ${whatsappId}`
      return row
    }
    await waitUntil('nobody wants it any more', async () => !(await left())?.wanted && only.running.length === 0)
    expect([done, await left()]).toEqual([['start', 'logout'], { wanted: false, config: {}, keys: false }])
  })

  test('what comes while a deleted connection is logged out ends with it: no file is waited for', async () => {
    const world = await makeOutgoingFixture(db, 1)
    const { whatsappId } = world
    await sql`update ticket set status = 'closed', closed_at = now() where whatsapp_id = ${whatsappId}`
    await sql`update whatsapp set deleted_at = now(), wanted = true where id = ${whatsappId}`
    const media = { handle: { key: 1 }, mime: 'image/png', name: 'foto.png' }
    const chat = makePeer({ pn: world.tickets[0]?.to.replace(/@.*/, '') ?? '' })
    const photo = { ...makeMessageEvent(chat, '', { mediaType: 'image' }), media }
    const only = await supervise(host => {
      const driver = createNetworkDriver(host, { url: network.url, ownIds: true })
      return {
        ...driver,
        download: () => new Promise(() => {}),
        async logout() {
          await host.emit([photo])
          await driver.logout()
        },
      }
    })
    await waitUntil('it is let go', async () => {
      const [row] = await sql<{ wanted: boolean }[]>`select wanted from whatsapp where id = ${whatsappId}`
      return !row?.wanted && only.running.length === 0
    })
    const rows = await sql<object[]>`select media->>'state' as state from message where whatsapp_id = ${whatsappId}`
    expect([...rows]).toEqual([{ state: 'failed' }])
  })

  for (const [name, openMs, failures] of [
    ['needs a while to open', 4500, 0],
    ['could not begin the first time', 0, 1],
  ] as const)
    test(`a deleted connection that ${name} is logged out before its keys go`, async () => {
      const { whatsappId } = await makeOutgoingFixture(db, 0)
      await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${whatsappId}, 'creds', '', '{}')`
      await sql`update whatsapp set deleted_at = now(), wanted = true where id = ${whatsappId}`
      const left = async () => {
        const [row] = await sql<{ wanted: boolean; keys: boolean }[]>`
          select wanted, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys from whatsapp w where id = ${whatsappId}`
        return row
      }
      let starts = 0
      const logouts: unknown[] = []
      const only = await supervise(
        host => {
          const driver = createNetworkDriver(host, { url: network.url, ownIds: true })
          let isOpen = false
          return {
            ...driver,
            async start() {
              if (starts++ < failures) throw new Error('no browser')
              await host.emit([{ type: 'status', status: 'OPENING' }])
              const open = () => {
                isOpen = true
                return driver.start()
              }
              if (openMs === 0) await open()
              else setTimeout(() => void open().catch(() => {}), openMs)
            },
            async logout() {
              logouts.push({ isOpen, ...(await left()) })
              await driver.logout()
            },
          }
        },
        { tryAgainMs: 200 },
      )
      await waitUntil('it is forgotten', async () => !(await left())?.wanted && only.running.length === 0, 15_000)
      expect([logouts, await left()]).toEqual([
        [{ isOpen: true, wanted: true, keys: true }],
        { wanted: false, keys: false },
      ])
    })

  test('a deleted connection that another program has is forgotten here alone, and not taken back for its log-out', async () => {
    const { whatsappId } = await makeOutgoingFixture(db, 0)
    await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${whatsappId}, 'creds', '', '{}')`
    await sql`update whatsapp set deleted_at = now(), wanted = true where id = ${whatsappId}`
    const done: string[] = []
    const only = await supervise(
      host => ({
        ...createNetworkDriver(host, { url: network.url, ownIds: true }),
        async start() {
          done.push('start')
          const nextTryAt = new Date(Date.now() + 1000).toISOString()
          const trouble = {
            code: '440',
            reason: 'replaced',
            since: nextTryAt,
            attempt: 1,
            nextTryAt,
            next: 'retry',
          } as const
          await host.emit([{ type: 'status', status: 'DISCONNECTED', trouble }])
        },
        async logout() {
          done.push('logout')
        },
      }),
      { tryAgainMs: 200 },
    )
    await waitUntil('its keys are gone', async () => {
      const [row] = await sql<{ wanted: boolean; keys: boolean }[]>`
        select wanted, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys from whatsapp w where id = ${whatsappId}`
      return row?.wanted === false && !row.keys && only.running.length === 0
    })
    expect(done).toEqual(['start'])
  })

  test('a deleted connection that has not opened for a day is forgotten', async () => {
    const { whatsappId } = await makeOutgoingFixture(db, 0)
    await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${whatsappId}, 'creds', '', '{}')`
    await sql`update whatsapp set deleted_at = now() - interval '25 hours', wanted = true where id = ${whatsappId}`
    await supervise(host => ({
      ...createNetworkDriver(host, { url: network.url, ownIds: true }),
      start: () => Promise.reject(new Error('no browser')),
    }))
    await waitUntil('its keys are gone', async () => {
      const [row] = await sql<{ wanted: boolean; keys: boolean }[]>`
        select wanted, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys from whatsapp w where id = ${whatsappId}`
      return row?.wanted === false && !row.keys
    })
  })

  test.each([
    ['has no pairing', 'cloud_api', null],
    ['came back from a backup', 'wwebjs', 'restored'],
  ])(
    'a deleted connection that %s is not begun to be ended: its conversations, keys and files go',
    async (_, kind, reason) => {
      const { whatsappId } = await makeOutgoingFixture(db, 3)
      await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${whatsappId}, 'creds', '', '{}')`
      await sql`
      update whatsapp set api = ${kind}, deleted_at = now(), wanted = true, trouble = ${reason && JSON.stringify({ reason })}::text::jsonb
      where id = ${whatsappId}`
      const config = readConfig({ DATA_DIR: mkdtempSync(join(home, 'killed-')) })
      const folder = join(config.dataDir, 'wwebjs', String(whatsappId))
      mkdirSync(folder, { recursive: true })
      let begun = 0
      const only = await supervise(
        host => {
          begun++
          return createNetworkDriver(host, { url: network.url, ownIds: true })
        },
        { config },
      )
      const left = async () => {
        const [row] = await sql<{ wanted: boolean; keys: boolean; live: number }[]>`
        select wanted, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys,
          (select count(*)::int from ticket t where t.whatsapp_id = w.id and t.status <> 'closed') as live
        from whatsapp w where id = ${whatsappId}`
        return row
      }
      await waitUntil('it is over', async () => !(await left())?.wanted)
      expect([await left(), begun, only.running]).toEqual([{ wanted: false, keys: false, live: 0 }, 0, []])
      expect(existsSync(folder)).toBe(kind === 'cloud_api')
    },
  )

  test.each([
    ['nobody ran', false],
    ['another one ran, without its pairing,', true],
  ])('a deleted connection that %s is left to the machine that has its pairing on its disk', async (_, isRunning) => {
    const { whatsappId } = await makeOutgoingFixture(db, 0, 'wwebjs')
    await sql`update whatsapp set number = '5532998765432' where id = ${whatsappId}`
    const forget = () => sql`update whatsapp set deleted_at = now(), wanted = true where id = ${whatsappId}`
    const begun: string[] = []
    const prepare = (name: string) => {
      const config = readConfig({ DATA_DIR: mkdtempSync(join(home, `${name}-`)) })
      // Who ever made a driver of it has its folder.
      const folder = join(config.dataDir, 'wwebjs', String(whatsappId))
      mkdirSync(folder, { recursive: true })
      const driverOf = (host: DriverHost): Driver => {
        begun.push(name)
        const driver = createNetworkDriver(host, { url: network.url, ownIds: true })
        const trouble = new Trouble(1).describe(NOT_PAIRED)
        const start = () => host.emit([{ type: 'status', status: 'DISCONNECTED', trouble }])
        return { ...driver, kind: 'wwebjs', ...(name === 'other' && { start }) }
      }
      return { folder, run: () => supervise(driverOf, { config, tryAgainMs: 200 }) }
    }
    const [theirs, other] = [prepare('theirs'), prepare('other')]
    writeFileSync(join(theirs.folder, 'marks.json'), JSON.stringify({ pairedAt: 1, seenAt: 1 }))
    if (!isRunning) await forget()
    const without = await other.run()
    if (isRunning) {
      await waitUntil('it says what it lacks', async () => (await troubleOf(whatsappId)) === NOT_PAIRED.reason)
      await forget()
      await without.logout(whatsappId)
    }
    const before = await epochOf(whatsappId)
    await waitUntil('it was looked at, and given back', async () => (await epochOf(whatsappId)) > before + 1)
    await theirs.run()
    await waitUntil('it is over', async () => !(await isWanted(whatsappId)))
    expect([begun, existsSync(theirs.folder)]).toEqual([[...(isRunning ? ['other'] : []), 'theirs'], false])
  })

  test('a process that ends while it closes the conversations of a deleted connection leaves the rest to the next one', async () => {
    const { whatsappId } = await makeOutgoingFixture(db, 0, 'cloud_api')
    await sql`
      with made as (insert into contact (name) select 'Cliente ' || n from generate_series(1, 1500) n returning id)
      insert into ticket (status, contact_id, whatsapp_id) select 'open', id, ${whatsappId} from made`
    const countLive = async () =>
      (await sql`select 1 from ticket where whatsapp_id = ${whatsappId} and status <> 'closed'`).length
    await sql`update whatsapp set deleted_at = now(), wanted = true where id = ${whatsappId}`
    const first = await supervise()
    await waitUntil('it has begun', async () => (await countLive()) < 1500)
    supervisors.splice(supervisors.indexOf(first), 1)
    await first.close()
    expect([(await countLive()) > 0, await isWanted(whatsappId)]).toEqual([true, true])
    await supervise()
    await waitUntil('it is over', async () => !(await isWanted(whatsappId)))
    expect(await countLive()).toBe(0)
  })

  test('a process that ends hands its connections over, though one of them is still beginning', async () => {
    const [slow, other] = [await makeOutgoingFixture(db, 0), await makeOutgoingFixture(db, 0)]
    const gate = Promise.withResolvers<void>()
    const first = await supervise(host => {
      const driver = createNetworkDriver(host, { url: network.url, ownIds: true })
      return { ...driver, start: () => (host.connectionId === slow.whatsappId ? gate.promise : driver.start()) }
    })
    await waitUntil('it runs both', () => first.running.length === 2)
    supervisors.splice(supervisors.indexOf(first), 1)
    const closing = first.close()
    const second = await supervise()
    try {
      await waitUntil('the other one is taken over', () => second.running.includes(other.whatsappId))
      expect(second.running).toEqual([other.whatsappId])
    } finally {
      gate.resolve()
      await closing
    }
    await waitUntil('the slow one as well', () => second.running.length === 2)
  })

  test('every status is told to the screens', async () => {
    const world = await makeOutgoingFixture(db, 0)
    const only = await supervise()
    await waitUntil('it is connected', async () => (await statusOf(world.whatsappId)) === 'CONNECTED')
    await only.logout(world.whatsappId)
    const rows = await sql<{ status: string }[]>`
      select payload::json->'session'->>'status' as status from live_event
      where payload::json->>'event' = 'whatsappSession' and (payload::json->'session'->>'id')::int = ${world.whatsappId} order by id`
    expect(rows.map(one => one.status)).toEqual(['CONNECTED', 'LOGGEDOUT'])
  })
})

async function supervise(
  driverOf: (host: DriverHost) => Driver = host => createNetworkDriver(host, { url: network.url, ownIds: true }),
  own: {
    readonly tryAgainMs?: number
    readonly config?: Config
    readonly log?: pino.Logger
    readonly metrics?: ReturnType<typeof createMetrics>
  } = {},
): Promise<RunningSupervisor> {
  const { config = readConfig({ DATA_DIR: mkdtempSync(join(home, 'supervisor-')) }) } = own
  const supervisor = await startSupervisor({
    db,
    url,
    notices,
    config,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    media: { db, dataDir: config.dataDir },
    createDriver: (_kind, _connection, host) => driverOf(host),
    ring: () => notices.ring('live'),
    tellVolatile: () => {},
    ...own,
  })
  supervisors.push(supervisor)
  return supervisor
}

/** A session as the desk's own, in the middle of a transaction that nobody goes on with. */
async function holdRow(whatsappId: number): Promise<{ close(): Promise<void> }> {
  const own = openDatabase(url, { purpose: 'work', max: 1 })
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stuck = own.transaction(async tx => {
    await getSql(tx)`select 1 from whatsapp where id = ${whatsappId} for share`
    held.resolve()
    await over.promise
  })
  stuck.catch(held.reject)
  await held.promise
  return {
    async close() {
      over.resolve()
      await stuck.catch(() => {})
      await closeDatabase(own)
    },
  }
}

async function countLockSessions(): Promise<number> {
  const rows =
    await sql`select 1 from pg_stat_activity where application_name = 'balcao-leases' and datname = current_database()`
  return rows.length
}

async function statusOf(id: number): Promise<string> {
  const [row] = await sql<{ status: string }[]>`select status from whatsapp where id = ${id}`
  return row?.status ?? 'gone'
}

async function isWanted(id: number): Promise<boolean> {
  const [row] = await sql<{ wanted: boolean }[]>`select wanted from whatsapp where id = ${id}`
  return row?.wanted ?? false
}

async function troubleOf(id: number): Promise<string | null> {
  const [row] = await sql<
    { reason: string | null }[]
  >`select trouble->>'reason' as reason from whatsapp where id = ${id}`
  return row?.reason ?? null
}

async function epochOf(id: number): Promise<number> {
  const [row] = await sql<{ epoch: string }[]>`select epoch from whatsapp where id = ${id}`
  return Number(row?.epoch)
}
