// Four customers and a group whose messages change.
import { beforeEach } from 'bun:test'
import { appendMessages } from '../src/desk/messages/append.ts'
import { createTestDatabase } from './database.ts'
import { makeGroupPeer, makeInbox, makePeer } from './inbox-world.ts'

export async function startInboxChanges() {
  const { db } = await createTestDatabase()
  const sql = db.$client
  const { take, empty, whatsappId } = await makeInbox(db)
  const lucia = makePeer({ pn: '5531998762210' })
  const joao = makePeer({ pn: '5511944443333' })
  const ana = makePeer({ pn: '5531911111111' })
  const otherAna = makePeer({ lid: '777' })
  const group = makeGroupPeer('120')

  beforeEach(empty)
  const one = async (providerId: string) => {
    const [row] = await sql`
    select id, body, is_edited, edited_msg, is_deleted, reactions, quoted_id from message where provider_id = ${providerId} order by id limit 1`
    return row
  }

  /** What we wrote to a customer who is there already, as the provider knows it. */
  async function ours(providerId: string, body: string, customer = lucia): Promise<number> {
    const [ticket] = await sql<{ id: number }[]>`
    select t.id from ticket t join contact_identity i on i.contact_id = t.contact_id
    where i.value = ${customer.pn ?? customer.jid} limit 1`
    const [id = 0] = await db.transaction(tx =>
      appendMessages(tx, [
        { ticketId: ticket?.id ?? 0, body, mediaType: 'chat', state: 'read', userId: null, providerId },
      ]),
    )
    return id
  }

  return { db, sql, take, whatsappId, lucia, joao, ana, otherAna, group, one, ours }
}
