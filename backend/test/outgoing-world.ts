// A connection with customers in service, and an agent who writes to them.
import { writeMessage } from '../src/desk/messages/write.ts'
import type { Db, Tx } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'

export interface OutgoingFixture {
  readonly whatsappId: number
  readonly tickets: readonly { readonly id: number; readonly contactId: number; readonly to: string }[]
  /** Queues a text to a customer; gives the message's id. */
  write(customer: number, text: string): Promise<number>
  stateOf(messageId: number): Promise<string>
  /** Texts with their states, in the order they were written. */
  states(): Promise<{ body: string; state: string; rows: string }[]>
}

/** Makes one with so many customers, each with an open ticket. */
export async function makeOutgoingFixture(db: Db, customers: number, api = 'baileys'): Promise<OutgoingFixture> {
  const sql = getSql(db)
  const [connection] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api) values (${`Loja ${crypto.randomUUID()}`}, ${api}) returning id`
  const whatsappId = connection?.id ?? 0
  const tickets: { id: number; contactId: number; to: string }[] = []
  for (let at = 0; at < customers; at++) {
    const to = `55319876${String(whatsappId * 100 + at).padStart(5, '0')}@s.whatsapp.net`
    const [contact] = await sql<{ id: number }[]>`insert into contact (name) values (${`Cliente ${at}`}) returning id`
    const contactId = contact?.id ?? 0
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${to.replace(/@.*/, '')}, ${contactId})`
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at) values (${contactId}, ${whatsappId}, ${to}, now())`
    const [ticket] = await sql<{ id: number }[]>`
      insert into ticket (status, contact_id, whatsapp_id) values ('open', ${contactId}, ${whatsappId}) returning id`
    tickets.push({ id: ticket?.id ?? 0, contactId, to })
  }
  return {
    whatsappId,
    tickets,
    async write(customer, text) {
      const ticketId = tickets[customer]?.id ?? 0
      return db.transaction(tx => writeFromDesk(tx, ticketId, text))
    },
    async stateOf(messageId) {
      const [row] = await sql<{ state: string }[]>`select state from message where id = ${messageId}`
      return row?.state ?? 'gone'
    },
    async states() {
      return [
        ...(await sql<{ body: string; state: string; rows: string }[]>`
          select m.body, m.state, string_agg(o.state, ',') as rows from message m left join outbox o on o.message_id = m.id
          where m.whatsapp_id = ${whatsappId} group by m.id order by m.id`),
      ]
    },
  }
}

/** A text of the desk in a ticket, on its way out; gives the message's id. */
export async function writeFromDesk(
  tx: Tx,
  ticketId: number,
  text: string,
  more: { readonly unhurried?: boolean; readonly paced?: boolean } = {},
): Promise<number> {
  const [ticket] = await getSql(tx)<{ id: number; contactId: number; whatsappId: number }[]>`
    select id, contact_id as "contactId", whatsapp_id as "whatsappId" from ticket where id = ${ticketId}`
  if (!ticket) throw new Error('There is no such ticket')
  const payload = { type: 'text', text } as const
  return (await writeMessage(tx, { ticket, userId: null, body: text, mediaType: 'chat', payload, ...more })).id
}
