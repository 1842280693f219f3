// A desk with the owner, two administrators and staff, who read and save settings.
import type { Setting, SettingSaveResult } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

export function put(as: SignedInPerson, values: Record<string, string>, versions?: Record<string, number>) {
  return as.call<SettingSaveResult[]>('PUT', '/settings', { values, ...(versions && { versions }) })
}

export function faults({ body }: { body: unknown }): unknown {
  const { details } = body as { details: { path: string; code: string; message: string }[] }
  return details.map(({ path, code, message }) => [path, code, message])
}

export async function startSettingsDesk() {
  const server = await startDeskServer()
  const { db } = server
  const staff: SignedInPerson[] = []
  // Test databases are open day and night; here nobody has changed anything yet.
  await getSql(db)`delete from setting`
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Otavio', profile: 'admin' })
  await makePerson(db, { name: 'Gilda', profile: 'gerente' })
  await makePerson(db, { name: 'Bruna', profile: 'user' })
  const owner = await server.as('dono')
  const [marina, otavio] = [await server.as('Marina'), await server.as('Otavio')]
  staff.push(await server.as('Gilda'), await server.as('Bruna'))

  async function now(key: string, as = marina): Promise<Setting | undefined> {
    const { body } = await as.call<Setting[]>('GET', '/settings')
    return body.find(each => each.key === key)
  }

  async function count() {
    const [row] = await getSql(db)<{ events: number; deeds: number }[]>`
    select (select count(*)::int from live_event) as events, (select count(*)::int from log_entry) as deeds`
    return row
  }

  return { server, db, staff, owner, marina, otavio, now, count }
}
