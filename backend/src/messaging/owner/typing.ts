// A customer types: told to whoever may see the conversation, stored nowhere.
import type { TicketFacts, VolatileEvent } from '@balcao/contract'
import { toIdentities } from '../../desk/contacts/names.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findFacts } from '../../policy/access/ticket-facts.ts'

export type TypingEvent = Extract<ChannelEvent, { type: 'typing' }>
export type VolatilePublisher = (volatile: VolatileEvent, facts: TicketFacts | null) => void

/** Finds the live ticket of whoever types and tells it; nobody's ticket: nothing to tell. */
export async function publishTyping(
  db: Db,
  whatsappId: number,
  event: TypingEvent,
  tell: VolatilePublisher,
): Promise<void> {
  const names = toIdentities(event.chat)
  const [ticket] = await getSql(db)<{ id: number }[]>`
    select t.id from contact_identity i
    join unnest(${names.map(name => name.kind)}::text[], ${names.map(name => name.value)}::text[]) as n(kind, value)
      on i.kind = n.kind and i.value = n.value
    join ticket t on t.contact_id = i.contact_id and t.whatsapp_id = ${whatsappId}
      and t.status in ('pending', 'open', 'paused', 'bot', 'nps') limit 1`
  const facts = ticket && (await findFacts(db, ticket.id))
  if (!ticket || !facts) return
  tell({ kind: 'typing', ticketId: ticket.id, by: 'contact', user: null, state: event.state }, facts)
}
