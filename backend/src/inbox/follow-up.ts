// What the desk says by itself when a conversation begins: the connection's greeting (decisions §5).

import { sqlOf } from '../database/raw.ts'
import { say } from '../messages/say.ts'
import type { MessageEvent, Receiving } from './receiving.ts'
import type { OpenedTicket } from './tickets.ts'

/** A customer who wrote longer ago than this is not greeted as if it were now. */
const STALE_MS = 10 * 60_000

/** Greets the contact of a new ticket, once per contact within `greetingInterval` when `sendOnlyOnce`. */
export async function followUp(
  receiving: Receiving,
  ticket: OpenedTicket,
  event: MessageEvent | undefined,
): Promise<void> {
  const { settings, tx, connection } = receiving
  if (
    !event ||
    event.chat.group ||
    event.ref.fromMe ||
    !settings.sendGreetingMessage ||
    Date.now() - event.at > STALE_MS
  )
    return
  const sql = sqlOf(tx)
  const [found] = await sql<{ greeting_message: string; contact_id: number; greeted: boolean }[]>`
    select w.greeting_message, t.contact_id, coalesce(h.greeted_at > now() - make_interval(secs => ${settings.greetingInterval}), false) as greeted
    from ticket t join whatsapp w on w.id = t.whatsapp_id
    left join contact_channel h on h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id where t.id = ${ticket.id}`
  if (!found?.greeting_message.trim() || (settings.sendOnlyOnce && found.greeted)) return
  const said = await say(tx, { ticketId: ticket.id, text: found.greeting_message, timezone: settings.timezone })
  if (!said) return
  await sql`update contact_channel set greeted_at = now() where contact_id = ${found.contact_id} and whatsapp_id = ${connection.id}`
  receiving.answered = true
}
