import { afterAll, expect, test } from 'bun:test'
import type { Connection, User } from '@balcao/contract'
import { startGraph } from '@balcao/simulator/graph/graph'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { startDeskServer } from './desk-server.ts'
import { DATA_KEY, makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const graph = await startGraph({ retryBaseMs: 20, retryMostMs: 200 })
const server = await startDeskServer({ ...graph.env })
const sql = getSql(server.db)
await makePerson(server.db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')
afterAll(() => graph.stop())

const OTHER_KEY = 'uma-chave-que-era-outra-antes'

test('one connection whose token cannot be opened says so in its card and takes messages; the others run', async () => {
  const lucia = graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia' })
  const add = async (name: string, phoneNumberId: string, key: string) => {
    const about = {
      phoneNumberId,
      wabaId: `9${phoneNumberId}`,
      token: 'token',
      number: `+5531333${phoneNumberId}`,
      name,
    }
    const business = graph.business(about)
    const [row] = await sql<{ id: number }[]>`
      insert into whatsapp (name, api, status, config, wanted)
      values (${name}, 'cloud_api', 'DISCONNECTED', ${JSON.stringify({ phoneNumberId, wabaId: about.wabaId, tokenMeta: seal(key, 'token') })}::text::jsonb, true) returning id`
    business.lane.url = `${server.url}/webhooks/cloud/${row?.id}`
    return { id: row?.id ?? 0, business }
  }
  const broken = await add('Quebrada', '1001', OTHER_KEY)
  const whole = await add('Inteira', '1002', DATA_KEY)
  const card = async (id: number) => (await marina.call<Connection>('GET', `/whatsapp/${id}`)).body
  await waitUntil('the whole one is connected', async () => (await card(whole.id)).status === 'CONNECTED')
  await waitUntil('the broken one says why', async () => (await card(broken.id)).trouble !== null)
  expect(await card(broken.id)).toMatchObject({
    status: 'DISCONNECTED',
    trouble: { reason: 'token_unreadable', next: 'new_token' },
  })
  await lucia.send(broken.business, { type: 'text', text: 'Bom dia' })
  const taken = () => sql`select 1 from message where whatsapp_id = ${broken.id} and body = 'Bom dia'`
  await waitUntil('what comes in is taken', async () => (await taken()).length === 1)
})

test('one person whose e-mail cannot be opened leaves the list of the others whole', async () => {
  const id = await makePerson(server.db, { name: 'Caio', profile: 'user' })
  await sql`update "user" set email_sealed = ${seal(OTHER_KEY, 'caio@saojose.example')} where id = ${id}`
  const { status, body } = await marina.call<{ users: User[] }>('GET', '/users')
  expect([status, body.users.map(user => user.name)]).toEqual([200, expect.arrayContaining(['Caio', 'Marina'])])
})
