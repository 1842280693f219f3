// What is read one row at a time, thousands of times a minute, is planned once for each connection: planning takes ten times as long.
import { expect, test } from 'bun:test'
import { listTickets } from '../src/desk/tickets/list.ts'
import { loadTicketView } from '../src/desk/tickets/present.ts'
import { closeDatabase, getPageDatabase, openDatabase } from '../src/platform/database/client.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { loadSession } from '../src/policy/sessions/authenticate.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeTicket } from './desk-world.ts'

const { db, url, beforeDrop } = await createTestDatabase()
const line = openDatabase(url, { max: 1 })
beforeDrop(() => closeDatabase(line))

/** How often the statement that says this was planned for its values, and how often the one plan was taken, after 20 times. */
async function countPlans(words: string, read: () => Promise<unknown>): Promise<{ own: number; shared: number }> {
  for (let n = 0; n < 20; n++) await read()
  const [row] = await line.$client<{ own: number; shared: number }[]>`
    select custom_plans::int as own, generic_plans::int as shared from pg_prepared_statements
    where position(${words} in statement) > 0 and position('pg_prepared_statements' in statement) = 0`
  return row ?? { own: 0, shared: 0 }
}

async function signIn(name: string) {
  const userId = await makePerson(db, { name, profile: 'admin' })
  const family = crypto.randomUUID()
  await db.$client`
    insert into refresh_token (user_id, family, hash, expires_at) values (${userId}, ${family}, ${family}, now() + interval '1 day')`
  return { userId, family }
}

test('inside a transaction one ticket is read by one plan, and a session by one everywhere', async () => {
  const whatsappId = await makeConnection(db, 'Loja Centro')
  const ticketId = await makeTicket(db, { contactId: await makeContact(db, 'Padaria'), whatsappId, status: 'open' })
  const claims = await signIn('Bruna')
  const ofTicket = await countPlans('with ordinality as k(id, place)', () =>
    runInTransaction(line, tx => loadTicketView(tx, ticketId)),
  )
  expect(ofTicket).toEqual({ own: 5, shared: 15 })
  const ofSession = await countPlans('as alive', () => loadSession({ db: line }, claims))
  expect(ofSession).toEqual({ own: 5, shared: 15 })
})

test('a page of a list comes with its count in one statement, and an empty one is counted, too', async () => {
  const whatsappId = await makeConnection(db, 'Loja Norte')
  await makeTicket(db, { contactId: await makeContact(db, 'Mercado'), whatsappId, status: 'paused' })
  const session = await loadSession({ db: line }, await signIn('Marina'))
  expect(await listTickets(line, session, { status: 'paused', showAll: 'true' })).toMatchObject({ count: 1 })
  const statements = await getPageDatabase(line).$client<{ statement: string }[]>`
    select statement from pg_prepared_statements where position('ticket_tally' in statement) > 0 and position('pg_prepared' in statement) = 0`
  expect(statements.map(({ statement }) => statement.includes('"lastMessageAt"'))).toEqual([true])
  expect(await listTickets(line, session, { status: 'nps', showAll: 'true' })).toMatchObject({ count: 0, tickets: [] })
})
