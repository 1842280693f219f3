// Protocols in the form of the contract, and the live event that carries one.
import type { Protocol } from '@balcao/contract'
import { factsOf } from '../access/ticket-facts.ts'
import type { Db, Tx } from '../database/client.ts'
import { isoOf, sqlOf } from '../database/raw.ts'
import { appendEvents } from '../live/append.ts'

interface Row {
  id: number
  protocolo: string
  mensagem: string
  ticket_id: number
  contact_id: number
  contact_name: string
  contact_number: string | null
  contact_picture: string | null
  user_id: number | null
  user_name: string | null
  user_picture: string | null
  created_at: string
  version: string
}

/** The newest protocol of a ticket; null when it has none. */
export async function protocolOf(db: Db | Tx, ticketId: number): Promise<Protocol | null> {
  const [row] = await sqlOf(db)<Row[]>`
    select p.id, p.protocolo, p.mensagem, p.ticket_id, p.contact_id, c.name as contact_name, c.number as contact_number,
      c.profile_pic_url as contact_picture, p.user_id, u.name as user_name, u.profile_pic_url as user_picture,
      p.created_at, p.version
    from protocol p join contact c on c.id = p.contact_id left join "user" u on u.id = p.user_id
    where p.ticket_id = ${ticketId} order by p.id desc nulls last limit 1`
  return row ? presented(row) : null
}

/** Tells whoever may see its ticket that a protocol is there. */
export async function protocolEvent(tx: Tx, protocolo: Protocol, action: 'create' | 'update'): Promise<void> {
  const { ticketId, version } = protocolo
  const facts = (await factsOf(tx, ticketId)) ?? null
  await appendEvents(tx, [
    { event: { event: 'protocolo', action, version, protocolo }, audience: { to: 'ticket', ticketId, after: facts } },
  ])
}

function presented(row: Row): Protocol {
  const { contact_id: contactId, user_id: userId } = row
  return {
    id: row.id,
    protocolo: row.protocolo,
    mensagem: row.mensagem,
    ticketId: row.ticket_id,
    contactId,
    contact: { id: contactId, name: row.contact_name, number: row.contact_number, profilePicUrl: row.contact_picture },
    user: userId === null ? null : { id: userId, name: row.user_name ?? '', profilePicUrl: row.user_picture },
    createdAt: isoOf(row.created_at),
    version: Number(row.version),
  }
}
