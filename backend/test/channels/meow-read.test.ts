// Marking as read over the gateway, a message a call: what an agent answers waits behind it.
import { afterEach, describe, expect, test } from 'bun:test'
import { createTestDatabase } from '../database.ts'
import { type MeowStandIn, startMeowStandIn } from './meow-stand-in.ts'

const { db } = await createTestDatabase()
let it: MeowStandIn

afterEach(() => it?.close())

/** Nothing else asks the gateway meanwhile. */
const QUIET = { pollMs: 600_000, againMs: 600_000 }

async function paired(times: Parameters<typeof startMeowStandIn>[2] = {}): Promise<void> {
  it = await startMeowStandIn(db, {}, { ...QUIET, ...times })
  await it.connect()
}

const read = (ids: readonly string[]) =>
  it.driver.send(it.address, null, { type: 'read', refs: ids.map(id => ({ chat: it.address, id, fromMe: false })) })

const marked = () => it.gowa.calls.flatMap(call => /^POST \/message\/([^/]+)\/read$/.exec(call)?.[1] ?? [])

async function receive(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await it.says({ type: 'text', text: `recado ${n}` }))
  for (const id of ids) await it.desk.next('message', event => event.ref.id === id)
  return ids
}

describe('what was read', () => {
  test('is told of the newest of many, and of those first', async () => {
    await paired()
    const ids = Array.from({ length: 120 }, (_, n) => `M${n}`)
    await read(ids)
    expect(marked()).toEqual(ids.slice(-50).toReversed())
  })

  test('is told though one of it is refused; it fails where all are', async () => {
    await paired()
    const ids = await receive(3)
    it.gowa.knobs.fail = 1
    expect(await read(ids)).toMatchObject({ ok: true })
    expect(marked()).toEqual(ids.toReversed())
    it.gowa.knobs.fail = 1000
    expect(await read(ids)).toMatchObject({ ok: false, code: '500' })
  })

  test('is told for a while and no longer', async () => {
    await paired({ readMs: 0 })
    const ids = await receive(3)
    expect(await read(ids)).toMatchObject({ ok: true })
    expect(marked()).toEqual(ids.slice(-1))
  })
})

test('a number of another country is looked for as WhatsApp has most of them', async () => {
  await paired()
  // Both are somebody: the first that is asked for counts.
  for (const number of ['5491122334455', '541122334455', '5215512345678', '525512345678'])
    it.world.customer({ number, name: number })
  for (const number of ['5491122334455', '541122334455'])
    expect((await it.driver.check(number))?.pn).toBe('5491122334455')
  for (const number of ['5215512345678', '525512345678'])
    expect((await it.driver.check(number))?.pn).toBe('5215512345678')
})
