// The activity log: actions with parameters, and what was written before them.
import { expect, test } from 'bun:test'
import { desc } from 'drizzle-orm'
import { toLogEntry } from '../src/operations/log/present.ts'
import { logEntries } from '../src/policy/log/table.ts'
import { writeLog } from '../src/policy/log/write.ts'
import { createTestDatabase } from './database.ts'

const { db } = await createTestDatabase()
const sql = db.$client

async function last() {
  const [row] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  if (!row) throw new Error('no entry')
  return toLogEntry(row)
}

test('decisions-2 §22: an entry is an action with parameters, and says so in Portuguese on the wire', async () => {
  const params = { key: 'hierarchy', value: 'enabled' }
  await db.transaction(tx => writeLog(tx, { action: 'setting.update', params, userId: 1 }))
  const { id, createdAt, ...said } = await last()
  expect(said).toEqual({
    action: 'setting.update',
    params,
    descricao: 'Configuração alterada: hierarchy',
    entity: 'setting',
    origem: 'auto',
    userId: 1,
    ticketId: null,
    contactId: null,
    queueId: null,
    whatsappId: null,
    messageId: null,
    entityId: null,
    reported: false,
  })
  expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000)
  const [stored] = await sql`select descricao, jsonb_typeof(params) as kind from log_entry where id = ${id}`
  expect(stored).toEqual({ descricao: null, kind: 'object' })
})

test('what was written before actions had codes stays readable, with its words and details', async () => {
  await sql`insert into log_entry (descricao, origem, user_id, params) values ('Tag criada', 'tag', 7, '{"tagId":3}')`
  expect(await last()).toMatchObject({
    action: null,
    params: { tagId: 3 },
    descricao: 'Tag criada',
    entity: 'tag',
    origem: '',
    userId: 7,
    reported: false,
  })
})

test('a wrong parameter, and a parameter too few, do not pass the type check', () => {
  const wrong = [
    // @ts-expect-error the number of the protocol is missing
    () => db.transaction(tx => writeLog(tx, { action: 'protocol.create', ticketId: 1 })),
    // @ts-expect-error an action that says nothing more
    () => db.transaction(tx => writeLog(tx, { action: 'ticket.accept', params: { from: 1 } })),
    // @ts-expect-error no action of the table
    () => db.transaction(tx => writeLog(tx, { action: 'ticket.vanish' })),
  ]
  expect(wrong).toHaveLength(3)
})
