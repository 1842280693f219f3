// decisions-2 §20 Backup: a desk that is restored keeps nothing of what the desk that lives was ending.
import { expect, test } from 'bun:test'
import { disarmRestored } from '../src/operations/backup/disarm.ts'
import { runOnSession } from '../src/operations/backup/session.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)

test('a connection that was being ended goes on to be, without its keys and its log-out; one that only rests keeps them', async () => {
  const { whatsappId: deleted } = await makeOutgoingFixture(db, 0)
  const { whatsappId: resting } = await makeOutgoingFixture(db, 0)
  for (const id of [deleted, resting])
    await sql`insert into whatsapp_auth (whatsapp_id, type, key_id, value) values (${id}, 'creds', '', '{}')`
  await sql`update whatsapp set config = '{"webhookSecret":"chave"}', wanted = true`
  await sql`update whatsapp set deleted_at = now() where id = ${deleted}`
  await runOnSession(url, undefined, client => disarmRestored(client, false))
  const rows = await sql<object[]>`
    select id, wanted, trouble->>'reason' as reason, config, exists (select from whatsapp_auth a where a.whatsapp_id = w.id) as keys from whatsapp w order by id`
  expect([...rows]).toEqual([
    { id: deleted, wanted: true, reason: 'restored', config: {}, keys: false },
    { id: resting, wanted: false, reason: 'restored', config: { webhookSecret: 'chave' }, keys: true },
  ])
})
