// A contact with a long history goes in short transactions.
import { describe, expect, test } from 'bun:test'
import { deleteContact } from '../src/desk/contacts/delete.ts'
import type { Db } from '../src/platform/database/client.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeSession, makeTicket } from './desk-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const whatsappId = await makeConnection(db, 'Loja')
const session = await makeSession(db, await makePerson(db, { name: 'Marina', profile: 'admin' }))

describe('a contact with a long history', () => {
  test('goes in short transactions, each of a few hundred messages', async () => {
    const id = await withMessages(2500)
    const { counting, counts } = countTransactions()
    await deleteContact({ db: counting, ring() {} }, session, id)
    expect(counts.transactions).toBe(8)
    expect(await left(id)).toEqual({ contacts: 0, tickets: 0, messages: 0 })
  })

  test('who may not go loses none of it', async () => {
    const id = await withMessages(1500)
    await sql`
      insert into protocol (protocolo, contact_id, ticket_id)
      select 'P' || id, contact_id, id from ticket where contact_id = ${id}`
    expect(await deleteContact({ db, ring() {} }, session, id).catch(error => error.code)).toBe('ERR_PROTOCOL_LINKED')
    expect(await left(id)).toEqual({ contacts: 1, tickets: 1, messages: 1500 })
  })
})

async function withMessages(count: number): Promise<number> {
  const id = await makeContact(db, 'Condomínio')
  const ticketId = await makeTicket(db, { contactId: id, whatsappId, status: 'closed' })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select ${ticketId}, ${id}, ${whatsappId}, n, now(), false, 'Oi', 'received' from generate_series(1, ${count}::int) n`
  return id
}

async function left(id: number) {
  const [row] = await sql`
    select (select count(*)::int from contact where id = ${id}) as contacts,
      (select count(*)::int from ticket where contact_id = ${id}) as tickets,
      (select count(*)::int from message where contact_id = ${id}) as messages`
  return row
}

function countTransactions(): { counting: Db; counts: { transactions: number } } {
  const counts = { transactions: 0 }
  const counting: Db = Object.create(db, {
    transaction: {
      value: (work: Parameters<Db['transaction']>[0]) => {
        counts.transactions += 1
        return db.transaction(work)
      },
    },
  })
  return { counting, counts }
}
